import { HadalError, type ProblemPart } from "@hadal/sdk";
import type { FunctionLimits } from "../../base/limit/functionLimits.js";
import type { BodyText } from "./bodyText.js";

/** Why a user's function was refused or stopped. `line` and `column` count from 1 in its source. */
export function functionFailed(detail: string, place: FunctionPlace | null = null): HadalError {
  const where = place === null ? "" : ` (line ${place.line}, column ${place.column})`;
  const part: ProblemPart = { ...place, code: "function-failed", detail };
  return new HadalError("function-failed", { detail: detail + where }, [part]);
}

/** The problem of a function that reached a limit. */
export function functionLimit(
  limitName: keyof FunctionLimits,
  limits: FunctionLimits,
  what: string,
  place: FunctionPlace | null = null,
): HadalError {
  const max = limits[limitName];
  const detail = `The function ${what}; at most ${max} (${limitName}).`;
  const part: ProblemPart = { ...place, code: "function-limit", detail };
  return new HadalError("function-limit", { what, max, limitName }, [part]);
}

/** Adds to a function's problem the part of the resolved query that it is about, and the name of that part. */
export function placedProblem(error: unknown, path: string, name: string | null): unknown {
  if (!(error instanceof HadalError) || !error.code.startsWith("function-")) return error;
  const whole = [{ code: error.code, detail: error.message }];
  const parts = error.errors.length > 0 ? error.errors : whole;
  const placed = new HadalError(
    error.code,
    {},
    parts.map((part) => ({ ...part, path })),
  );
  placed.message = name === null ? error.message : `${name}: ${error.message}`;
  return placed;
}

export interface FunctionPlace {
  readonly line: number;
  readonly column: number;
}

/** The user's source begins on the second line of the evaluated text. */
const linesBefore = 1;

/** The innermost place of a stack that is in the user's source of `lineCount` lines. */
export function placeInSource(
  stack: string,
  lineCount: number,
  bodies: readonly BodyText[] = [],
): FunctionPlace | null {
  for (const [, file, at, column] of stack.matchAll(/function(\d*)\.js:(\d+):(\d+)/g)) {
    const line = Number(at) - linesBefore;
    if (line < 1 || line > lineCount) continue;
    const place = { line, column: Number(column) };
    return bodies[file === "" ? -1 : Number(file)]?.placeOf(place) ?? place;
  }
  return null;
}

import { HadalError, type ProblemPart } from "../../model/problem/problem.js";

/**
 * An error at an offset of the text. Where the text is known it becomes a Problem with line and
 * column.
 */
export class SqlRefusal extends Error {
  constructor(
    readonly at: number,
    readonly code: string,
    readonly detail: string,
  ) {
    super(detail);
  }
}

/** Stops reading the query because of an error at offset `at`. */
export function refuse(at: number, code: string, detail: string): never {
  throw new SqlRefusal(at, code, detail);
}

/** What Hadal does not have, and what to write instead. */
export function refuseUnsupported(at: number, what: string, advice: string): never {
  return refuse(at, "unsupported", `Hadal has no ${what}. ${advice}`);
}

/** Line and column, counted from 1; a column is one character as an editor counts them. */
export function placeAt(
  text: string,
  at: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: [...before.slice(lineStart)].length + 1 };
}

export function sqlError(text: string, { at, code, detail }: SqlRefusal): HadalError {
  const place = placeAt(text, at);
  const part: ProblemPart = { ...place, code, detail };
  if (code === "time-range-missing") return new HadalError("time-range-missing", {}, [part]);
  return new HadalError("invalid-sql", { ...place, detail }, [part]);
}

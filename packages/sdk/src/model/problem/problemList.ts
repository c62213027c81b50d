import { nearestHint } from "./nearestName.js";
import { HadalError, type ProblemPart } from "./problem.js";

/** Problems listed for one input: a person can correct a hundred, not ten thousand. */
const problemPartsMax = 100;

/** Collects everything wrong with an input, so that one error lists it all. */
export interface ProblemList {
  add(path: string, code: string, detail: string): void;
  readonly count: number;
  toError(): HadalError;
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function createProblemList(): ProblemList {
  const parts: ProblemPart[] = [];
  const codes = new Set<string>();
  let count = 0;

  const add = (path: string, code: string, detail: string): void => {
    count += 1;
    codes.add(code);
    if (parts.length < problemPartsMax) parts.push({ path, code, detail });
  };

  return {
    add,
    get count() {
      return count;
    },
    toError() {
      const [first = { path: "", detail: "" }] = parts;
      // "Expected a list, found nothing" does not say where: the path is added.
      const isPlaced = !first.detail.startsWith("Expected") || first.path === "";
      const detail = isPlaced ? first.detail : `${first.path}: ${first.detail}`;
      const more = count > 1 ? ` (The first of ${count} problems.)` : "";
      const onlyCode = codes.size === 1 ? [...codes][0] : undefined;
      if (onlyCode === "time-range-missing") return new HadalError("time-range-missing", {}, parts);
      if (onlyCode === "time-range-invalid") {
        return new HadalError("time-range-invalid", { detail }, parts);
      }
      return new HadalError("invalid-query", { detail, more }, parts);
    },
  };
}

/** The value as an object; null, with a problem added, when it is none. */
export function checkObject(
  value: unknown,
  path: string,
  problems: ProblemList,
): JsonObject | null {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as JsonObject;
  problems.add(path, "type-mismatch", `Expected an object, found ${kindOf(value)}.`);
  return null;
}

/**
 * The value as a list of at most `max` entries; null, with a problem added, when it is none. Absent
 * counts as empty.
 */
export function checkList(
  value: unknown,
  path: string,
  max: number,
  problems: ProblemList,
): readonly unknown[] | null {
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    problems.add(path, "type-mismatch", `Expected a list, found ${kindOf(value)}.`);
    return null;
  }
  if (value.length <= max) return value;
  problems.add(path, "too-many", `${value.length} entries; at most ${max}.`);
  return null;
}

/** Adds a problem for every unknown key, with the nearest known one. */
export function checkKeys(
  object: JsonObject,
  path: string,
  known: readonly string[],
  problems: ProblemList,
): void {
  for (const key of Object.keys(object)) {
    if (known.includes(key) || object[key] === undefined) continue;
    // Only the first are listed: a body may have a hundred thousand of them.
    if (problems.count >= problemPartsMax) {
      problems.add(path, "unknown-key", "");
      continue;
    }
    const shown = key.length > 80 ? `${key.slice(0, 80)}…` : key;
    const hint = nearestHint(key, known);
    problems.add(joinPath(path, shown), "unknown-key", `"${shown}" means nothing here.${hint}`);
  }
}

/** Checks a whole number within bounds; absent is right. `min` is 1 unless it is given. */
export function checkInteger(
  value: unknown,
  path: string,
  { min = 1, max }: { readonly min?: number; readonly max: number },
  problems: ProblemList,
): void {
  if (value === undefined) return;
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return;
  problems.add(
    path,
    "out-of-range",
    `${path} is a whole number from ${min} to ${max}; found ${kindOf(value)}.`,
  );
}

/** `filter[0]` and `op` → `filter[0].op`. */
export function joinPath(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}

/** What a value is, as a message names it. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return "a string";
  // What JSON reads a literal such as 1e400 as.
  if (value === Infinity || value === -Infinity) return "a number beyond 1.8e308";
  return typeof value === "number" ? `the number ${value}` : `${typeof value} ${String(value)}`;
}

/** The message for a number that is not finite. */
export function notFinite(value: number, of: "row" | "result" = "row"): string {
  const what = Number.isNaN(value) ? "NaN" : "A number beyond 1.8e308";
  return `${what} is no value of any ${of}.`;
}

import { HadalError, timeColumn } from "@hadal/sdk";
import type { QueryBounds } from "../../base/access/readable.js";
import { columnOfNumbers } from "../query/numbersOf.js";
import type { ResolvedDerived, ResolvedGroup, StateSpec } from "../query/resolvedQuery.js";
import type { SplitQuery } from "../query/splitQuery.js";
import { lengthInWords } from "./lengthInWords.js";
import { columnOfStoredName } from "./storedName.js";

/** A side of a comparison lasts longer where clocks are put back in it. */
const clockChangeMs = 3_600_000;

/**
 * Throws `token-scope` where a resolved query is beyond what an embed allows. Conditions and numbers may read every column
 * that is not hidden; what shows values of a column needs that column among `groupBy`.
 */
export function checkBounds({ resolved, finish }: SplitQuery, bounds: QueryBounds): void {
  for (const [i, { fromMs, toMs }] of resolved.sides.entries()) {
    const max = bounds.rangeMsMax + (i === 0 ? 0 : clockChangeMs);
    if (toMs - fromMs > max)
      throw beyondToken(`a time range longer than ${lengthInWords(bounds.rangeMsMax)}`);
  }
  if (resolved.sample !== null && !bounds.rows) throw beyondToken("raw rows");
  const { derived = [] } = resolved;
  // What a function throws is in the answer, and may be a value.
  const functions = derived.filter(({ how }) => how.kind === "sandbox");
  if (!bounds.rows && functions.length > 0) {
    const names = functions.map(({ name }) => name);
    checkReadable(names, { derived, bounds }, "functions that read");
  }
  for (const group of resolved.groupBy) {
    checkReadable([columnOfGroup(group)], { derived, bounds }, "groups by");
  }
  for (const state of resolved.states) {
    checkReadable(valuesShownBy(state), { derived, bounds }, "values of");
  }
  for (const { value } of finish.aggregates) {
    const state = value.kind === "histogram" ? resolved.states[value.stateIndex] : undefined;
    if (state !== undefined && "column" in state && state.column !== null)
      checkReadable([state.column], { derived, bounds }, "ranges of");
  }
}

/** Throws `token-scope` where values of these columns may not be read, of derived ones those that they are computed from. */
export function checkReadable(
  names: readonly string[],
  { derived, bounds }: ReadableColumns,
  what: string,
): void {
  const allowed = new Set(bounds.groupBy);
  const beyond = names.flatMap((name) => storedInputs(name, derived)).find((n) => !allowed.has(n));
  if (beyond !== undefined) throw beyondToken(`${what} ${beyond}`);
}

export interface ReadableColumns {
  readonly derived: readonly ResolvedDerived[];
  readonly bounds: QueryBounds;
}

/** `what` names nothing but what was asked. */
export function beyondToken(what: string): HadalError {
  return new HadalError("token-scope", { detail: `The embed token does not allow ${what}.` });
}

const columnOfGroup = (group: ResolvedGroup): string =>
  group.kind === "time" ? timeColumn : group.column;

/** A text that is the smallest or largest is one of the values; what a function collects may be all of them. */
function valuesShownBy(state: StateSpec): readonly string[] {
  if (state.kind === "text") return [state.column];
  return state.kind === "function" ? state.columns.map(({ name }) => name) : [];
}

/** The stored columns behind a name: a derived column reads stored ones, and derived ones before it. */
function storedInputs(name: string, derived: readonly ResolvedDerived[]): readonly string[] {
  const stored = columnOfStoredName(name);
  if (stored !== null) return [stored];
  const index = derived.findLastIndex((one) => one.name === name);
  if (index < 0) return [columnOfNumbers(name)];
  const before = derived.slice(0, index);
  return derived[index]!.inputs.flatMap((input) =>
    input.stored === undefined ? storedInputs(input.name, before) : [input.stored],
  );
}

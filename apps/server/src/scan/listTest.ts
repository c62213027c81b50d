import { unreachable } from "../base/assert.js";
import type { ElementCodes } from "../column/listDictionary.js";
import type { ResolvedFilter } from "../plan/resolvedQuery.js";

/** What a condition asks of a list. Plain values, so that it can be sent to a scan thread. */
export type ListTest =
  | { readonly kind: "empty" }
  | { readonly kind: "includes"; readonly every: boolean; readonly values: readonly string[] }
  | {
      readonly kind: "sequence";
      readonly at: "start" | "end" | "anywhere";
      readonly values: readonly string[];
    };

export type ListCondition = Extract<ResolvedFilter, { kind: "empty" | "includes" | "sequence" }>;

export function listTestOf(condition: ListCondition): ListTest {
  const { column: _column, negated: _negated, ...test } = condition;
  return test;
}

/**
 * The test over lists of element codes; `codeOf` gives 0 for what is no element of any list.
 * Runs once per distinct list (S78).
 */
export function createListTest(
  test: ListTest,
  codeOf: (element: string) => number,
): (list: ElementCodes) => boolean {
  switch (test.kind) {
    case "empty":
      return (list) => list.length === 0;
    case "includes": {
      const wanted = test.values.map(codeOf);
      return test.every ? createIncludesAll(wanted) : createIncludesAny(wanted);
    }
    case "sequence":
      return createSequenceTest(test.values.map(codeOf), test.at);
    default:
      return unreachable(test);
  }
}

function createIncludesAny(wanted: readonly number[]): (list: ElementCodes) => boolean {
  const codes = new Set(wanted);
  codes.delete(0);
  return (list) => {
    for (const code of list) if (codes.has(code)) return true;
    return false;
  };
}

/** All of nothing is in every list. */
function createIncludesAll(wanted: readonly number[]): (list: ElementCodes) => boolean {
  if (wanted.includes(0)) return () => false;
  const codes = new Set(wanted);
  return (list) => {
    if (list.length < codes.size) return false;
    const found = new Set<number>();
    for (const code of list) if (codes.has(code)) found.add(code);
    return found.size === codes.size;
  };
}

/** Adjacent, in order; the empty sequence is everywhere. */
function createSequenceTest(
  wanted: readonly number[],
  at: "start" | "end" | "anywhere",
): (list: ElementCodes) => boolean {
  if (wanted.includes(0)) return () => false;
  const matchesAt = (list: ElementCodes, from: number): boolean => {
    for (let i = 0; i < wanted.length; i++) if (list[from + i] !== wanted[i]) return false;
    return true;
  };
  return (list) => {
    const last = list.length - wanted.length;
    if (last < 0) return false;
    if (at === "start") return matchesAt(list, 0);
    if (at === "end") return matchesAt(list, last);
    for (let from = 0; from <= last; from++) if (matchesAt(list, from)) return true;
    return false;
  };
}

import { unreachable } from "../assert.js";

/** The test of a condition on a list. Plain values, so that it can be sent to a scan thread. */
export type ListMatch =
  | { readonly kind: "empty" }
  | { readonly kind: "includes"; readonly every: boolean; readonly values: readonly string[] }
  | {
      readonly kind: "sequence";
      readonly at: "start" | "end" | "anywhere";
      readonly values: readonly string[];
    };

/** Stored elements: codes or texts. */
type Elements<E> = ArrayLike<E> & Iterable<E>;

/**
 * The test over lists of stored elements; `elementOf` returns the stored form of a text, null if it
 * is in no list.
 */
export function createListMatch<E>(
  test: ListMatch,
  elementOf: (text: string) => E | null,
): (list: Elements<E>) => boolean {
  if (test.kind === "empty") return (list) => list.length === 0;
  const known = test.values.map(elementOf).filter((element): element is E => element !== null);
  const isAllKnown = known.length === test.values.length;
  switch (test.kind) {
    case "includes":
      if (!test.every) return createIncludesAny(known);
      return isAllKnown ? createIncludesAll(known) : () => false;
    case "sequence":
      return isAllKnown ? createSequenceTest(known, test.at) : () => false;
    default:
      return unreachable(test);
  }
}

function createIncludesAny<E>(wanted: readonly E[]): (list: Elements<E>) => boolean {
  const elements = new Set(wanted);
  return (list) => {
    for (const element of list) if (elements.has(element)) return true;
    return false;
  };
}

/** All elements of an empty list are in every list. */
function createIncludesAll<E>(wanted: readonly E[]): (list: Elements<E>) => boolean {
  const elements = new Set(wanted);
  return (list) => {
    if (list.length < elements.size) return false;
    const found = new Set<E>();
    for (const element of list) if (elements.has(element)) found.add(element);
    return found.size === elements.size;
  };
}

/** Adjacent, in order; every list contains the empty sequence. */
function createSequenceTest<E>(
  wanted: readonly E[],
  at: "start" | "end" | "anywhere",
): (list: Elements<E>) => boolean {
  const matchesAt = (list: Elements<E>, from: number): boolean => {
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

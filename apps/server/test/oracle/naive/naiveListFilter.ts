import type { FilterOperator } from "@hadal/sdk";

/** S56, S57: a condition on the elements of a set or vector, from its words. */
export function testList(
  op: FilterOperator,
  list: readonly string[],
  terms: readonly string[],
): boolean {
  switch (op) {
    case "is empty":
      return list.length === 0;
    case "includes any":
      return terms.some((term) => list.includes(term));
    case "includes all":
      return terms.every((term) => list.includes(term));
    case "includes none":
      return !terms.some((term) => list.includes(term));
    case "starts with":
      return same(list.slice(0, terms.length), terms);
    case "ends with":
      return list.length >= terms.length && same(list.slice(list.length - terms.length), terms);
    case "contains sequence":
      return [...list.keys(), list.length].some((at) =>
        same(list.slice(at, at + terms.length), terms),
      );
    default:
      throw new Error(`the oracles do not know ${op} on lists`);
  }
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((element, i) => element === b[i]);
}

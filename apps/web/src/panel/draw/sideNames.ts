import type { Filter } from "@hadal/sdk";
import { durationInWords } from "../../format/duration.js";
import { sameFilter } from "../../query/filter/filterTree.js";
import { notOf } from "../../query/filter/groupFilter.js";
import { filterLabel } from "../../query/filter/operators.js";
import type { ExploreState } from "../../query/state/exploreState.js";

/** Names of the two sides of a comparison. */
export interface SideNames {
  readonly a: string;
  readonly b: string;
}

/** `now` and `1 week earlier`, `DE` and `IN`, `service = cart` and `all others`. */
export function sideNames({ compare, filters, to }: ExploreState): SideNames {
  const now = to === "now" ? "now" : "these times";
  if (compare === null) return { a: now, b: "" };
  const then = compare.offset === null ? "" : earlier(compare.offset);
  if (compare.filter === null) return { a: now, b: then };
  const own = filters.filter((chip) => !chip.off).map((chip) => chip.filter);
  const other = compare.filter;
  const [a, b] = [apart(own, other), apart(other, own)];
  const rows = rowNames(a, b);
  return then === "" ? rows : { a: `${rows.a}, ${now}`, b: `${rows.b}, ${then}` };
}

const earlier = (offset: string): string =>
  offset === "previous" ? "the period before" : `${durationInWords(offset)} earlier`;

/** Filters that the other side does not have. */
const apart = (own: readonly Filter[], other: readonly Filter[]): readonly Filter[] =>
  own.filter((filter) => !other.some((one) => sameFilter(one, filter)));

function rowNames(a: readonly Filter[], b: readonly Filter[]): SideNames {
  // The rest is written as a negation of all of side A's own filters.
  const isRest = b.length === 1 && a.length > 0 && b[0] !== undefined && isRestOf(b[0], a);
  const both = a[0] !== undefined && b[0] !== undefined && a.length === 1 && b.length === 1;
  const values = both && !isRest ? valuesApart(a[0]!, b[0]!) : null;
  if (values !== null) return values;
  return { a: wordsOf(a), b: isRest ? "all others" : wordsOf(b) };
}

const isRestOf = (rest: Filter, of: readonly Filter[]): boolean => sameFilter(rest, notOf(of));

/** Two values of one column are named by the values alone. */
function valuesApart(a: Filter, b: Filter): SideNames | null {
  if (!("column" in a) || !("column" in b)) return null;
  if (a.column !== b.column || a.op !== "=" || b.op !== "=") return null;
  return { a: String(a.value), b: String(b.value) };
}

const wordsOf = (filters: readonly Filter[]): string =>
  filters.length === 0 ? "all rows" : filters.map(filterLabel).join(", ");

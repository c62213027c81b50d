import { GrammarError } from "../../query/filter/token.js";
import type { TimeSpan } from "../../query/state/exploreState.js";

/** Reads what {@link printSpan} writes. */
export function readSpan(value: string): TimeSpan {
  const [from = "", to = "", ...more] = value.split("/");
  const span = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  if (more.length > 0 || !(span.fromMs < span.toMs)) {
    throw new GrammarError(`"${value}" is no FROM/TO in ISO-8601`);
  }
  return span;
}

/** `2026-11-20T11:50:00.000Z/2026-11-20T12:00:00.000Z` */
export const printSpan = ({ fromMs, toMs }: TimeSpan): string =>
  `${new Date(fromMs).toISOString()}/${new Date(toMs).toISOString()}`;

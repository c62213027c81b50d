import { HadalError } from "@hadal/sdk";
import type { Steps } from "../../base/schedule/steps.js";
import { FilterLowering } from "../filter/lowerFilter.js";
import { type LoweredQuery, lowerQuery } from "./lowerQuery.js";

/**
 * Lowers a query for so many lanes. Where the tables are more than the query's share of the pool, whatever it has taken so
 * far is given back, and it does without what only makes it faster; then with a single lane; then with that and without.
 */
export function* lowerLanes(
  ...asked: Required<Parameters<typeof lowerQuery>>
): Steps<LoweredQuery> {
  const [id, query, storedOf, memory, lanesMax] = asked;
  const others: readonly (readonly [lanes: number, isShort: boolean])[] = [
    [lanesMax, true],
    ...(lanesMax > 1
      ? ([
          [1, false],
          [1, true],
        ] as const)
      : []),
  ];
  let refused: HadalError;
  try {
    return yield* lowerQuery(...asked);
  } catch (error) {
    refused = asRefusal(error);
  }
  for (const [lanes, isShort] of others) {
    memory.startAgain(isShort);
    try {
      return yield* lowerQuery(id, query, storedOf, memory, lanes, new FilterLowering(memory));
    } catch (error) {
      refused = asRefusal(error);
    }
  }
  throw refused;
}

/** Throws what is none. */
function asRefusal(error: unknown): HadalError {
  if (error instanceof HadalError && error.code === "query-memory") return error;
  throw error;
}

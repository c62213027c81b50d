import { HadalError } from "@hadal/sdk";
import type { Steps } from "../../base/schedule/steps.js";
import { FilterLowering } from "../filter/lowerFilter.js";
import { type LoweredQuery, type LowerRequest, lowerQuery } from "./lowerQuery.js";

/**
 * Lowers a query for so many lanes. Where the tables are more than the query's share of the pool, what it has taken so
 * far is given back, and it does without what only makes it faster; then with a single lane; then with that and without.
 */
export function* lowerLanes(request: LowerRequest): Steps<LoweredQuery> {
  const { memory, lanesMax = 1 } = request;
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
    return yield* lowerQuery(request);
  } catch (error) {
    refused = asRefusal(error);
  }
  for (const [lanes, isShort] of others) {
    memory.startAgain(isShort);
    try {
      const filters = new FilterLowering(memory);
      return yield* lowerQuery({ ...request, lanesMax: lanes, filters });
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

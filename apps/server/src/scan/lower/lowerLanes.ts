import { HadalError } from "@hadal/sdk";
import type { Steps } from "../../base/schedule/steps.js";
import { FilterLowering } from "../filter/lowerFilter.js";
import type { MemoryUse } from "../memory/queryMemory.js";
import { type LoweredQuery, type LowerRequest, lowerQuery } from "./lowerQuery.js";

/**
 * Lowers a query for up to `lanesMax` lanes. If its tables exceed its share of the pool, it tries
 * again: with less memory, then with a single lane, then with both.
 */
export function* lowerLanes(request: LowerRequest): Steps<LoweredQuery> {
  const { memory, lanesMax = 1 } = request;
  const others: readonly (readonly [lanes: number, use: MemoryUse])[] = [
    [lanesMax, "short"],
    ...(lanesMax > 1
      ? ([
          [1, "ample"],
          [1, "short"],
        ] as const)
      : []),
  ];
  let refused: HadalError;
  try {
    return yield* lowerQuery(request);
  } catch (error) {
    refused = asRefusal(error);
  }
  for (const [lanes, use] of others) {
    memory.startAgain(use);
    try {
      const filters = new FilterLowering(memory);
      return yield* lowerQuery({ ...request, lanesMax: lanes, filters });
    } catch (error) {
      refused = asRefusal(error);
    }
  }
  throw refused;
}

/** Rethrows every other error. */
function asRefusal(error: unknown): HadalError {
  if (error instanceof HadalError && error.code === "query-memory") return error;
  throw error;
}

import { HadalError } from "@hadal/sdk";
import type { Steps } from "../base/steps.js";
import { FilterLowering } from "./lowerFilter.js";
import { type LoweredQuery, lowerQuery } from "./lowerQuery.js";

/**
 * Lowers a query for so many lanes; for a single one, without what only makes it faster, where the tables are more than the
 * query's share of the pool, whatever it has taken so far given back.
 */
export function* lowerLanes(
  ...asked: Required<Parameters<typeof lowerQuery>>
): Steps<LoweredQuery> {
  const [id, query, storedOf, memory] = asked;
  try {
    return yield* lowerQuery(...asked);
  } catch (error) {
    if (!(error instanceof HadalError) || error.code !== "query-memory") throw error;
  }
  memory.startShort();
  return yield* lowerQuery(id, query, storedOf, memory, 1, new FilterLowering(memory));
}

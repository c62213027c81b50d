import { atOnce } from "../../base/schedule/steps.js";
import { type LoweredQuery, type LowerRequest, lowerQuery } from "../lower/lowerQuery.js";
import type { QueryMemory } from "../memory/queryMemory.js";

/** Lowers a query without a turn for anything else. */
export function lowerNow(
  id: number,
  query: LowerRequest["query"],
  segments: LowerRequest["segments"],
  memory: QueryMemory,
  lanesMax = 1,
): LoweredQuery {
  return atOnce(lowerQuery({ id, query, segments, memory, lanesMax }));
}

import type { QueryStats, Result } from "@hadal/sdk";
import { roundMs } from "../../base/schedule/roundMs.js";

/** The receipt of an answer that cost no scan: the time of a scan was not expected. */
export function withoutWork(
  known: Result,
  cache: QueryStats["cache"],
  { elapsedMs, ageMs }: { readonly elapsedMs: number; readonly ageMs?: number },
): Result {
  const { predictedMs: _, ...stats } = known.stats;
  const none = { rowsScanned: 0, bytesScanned: 0, scanMs: 0, mergeMs: 0, levels: [] };
  const age = ageMs === undefined ? {} : { cacheAgeMs: Math.round(ageMs) };
  return { ...known, stats: { ...stats, ...none, cache, elapsedMs: roundMs(elapsedMs), ...age } };
}

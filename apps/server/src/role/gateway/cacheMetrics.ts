import { type CacheInfo, cachePools } from "@hadal/sdk";

const outcomes = ["hits", "joined", "stale", "part", "misses"] as const;

/** What the answers take that are kept, and how often they were of use, in Prometheus text. */
export function printCacheMetrics({ pools }: CacheInfo): string {
  const lines = [
    "# HELP hadal_cache_bytes What kept answers take.",
    "# TYPE hadal_cache_bytes gauge",
    ...cachePools.map((pool) => `hadal_cache_bytes{pool="${pool}"} ${pools[pool].bytes}`),
    "# HELP hadal_cache_bytes_max What they may take.",
    "# TYPE hadal_cache_bytes_max gauge",
    ...cachePools.map((pool) => `hadal_cache_bytes_max{pool="${pool}"} ${pools[pool].bytesMax}`),
    "# HELP hadal_cache_answers_total Answers, by what was known of them.",
    "# TYPE hadal_cache_answers_total counter",
    ...cachePools.flatMap((pool) =>
      outcomes.map(
        (outcome) =>
          `hadal_cache_answers_total{pool="${pool}",outcome="${outcome}"} ${pools[pool][outcome]}`,
      ),
    ),
    "# HELP hadal_cache_evicted_age_seconds How long the last answer that had to go had not been asked for.",
    "# TYPE hadal_cache_evicted_age_seconds gauge",
    ...cachePools.flatMap((pool) => {
      const { evictedAgeMs } = pools[pool];
      const age = evictedAgeMs === null ? [] : [evictedAgeMs / 1_000];
      return age.map((seconds) => `hadal_cache_evicted_age_seconds{pool="${pool}"} ${seconds}`);
    }),
  ];
  return `${lines.join("\n")}\n`;
}

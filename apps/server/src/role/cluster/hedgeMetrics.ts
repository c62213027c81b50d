import type { HedgeCounts } from "../../tree/copies/hedgeShare.js";

const metrics: readonly (readonly [name: string, count: keyof HedgeCounts, help: string])[] = [
  ["hadal_partitions_asked_total", "asked", "Partitions that queries asked."],
  [
    "hadal_partitions_hedged_total",
    "hedged",
    "Copies that were asked since their partition was late.",
  ],
  [
    "hadal_partitions_hedges_refused_total",
    "refused",
    "Late partitions whose copy was not asked: hedgePercent of those asked were.",
  ],
  [
    "hadal_partitions_replaced_total",
    "replaced",
    "Copies that were asked since their partition failed.",
  ],
];

/** In Prometheus text. */
export function printHedgeMetrics(counts: HedgeCounts): string {
  const lines = metrics.flatMap(([name, count, help]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    `${name} ${counts[count]}`,
  ]);
  return `${lines.join("\n")}\n`;
}

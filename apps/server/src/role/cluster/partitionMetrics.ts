import type { HedgeCounts } from "../../tree/copies/hedgeShare.js";

const counters: readonly (readonly [name: string, count: keyof HedgeCounts, help: string])[] = [
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

/** In Prometheus text. `copiedCount`: how many partitions can be asked of a second machine. */
export function printPartitionMetrics(counts: HedgeCounts, copiedCount: number): string {
  const lines = counters.flatMap(([name, count, help]) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} counter`,
    `${name} ${counts[count]}`,
  ]);
  const copied = [
    "# HELP hadal_partitions_copied Partitions that can be asked of another machine, too.",
    "# TYPE hadal_partitions_copied gauge",
    `hadal_partitions_copied ${copiedCount}`,
  ];
  return `${[...lines, ...copied].join("\n")}\n`;
}

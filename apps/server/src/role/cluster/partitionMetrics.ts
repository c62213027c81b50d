import type { WindowCounts } from "../../cluster/windowCounts.js";
import type { HedgeCounts } from "../../tree/copies/hedgeShare.js";
import type { TreeWindows } from "../../tree/window/treeWindows.js";

/** What a gateway counts of the requests to its machines. */
export interface PartitionCounts {
  readonly hedges: HedgeCounts;
  /** Partitions that can be asked of a second machine. */
  readonly copiedCount: number;
  /** Copies that were asked first. */
  readonly movedCount: number;
  readonly windows: TreeWindows["counts"];
}

interface PartitionMetric {
  readonly name: string;
  readonly kind: "counter" | "gauge";
  readonly help: string;
  value(counts: PartitionCounts): number;
}

const metrics: readonly PartitionMetric[] = [
  {
    name: "hadal_partitions_asked_total",
    kind: "counter",
    help: "Partitions that queries asked.",
    value: ({ hedges }) => hedges.asked,
  },
  {
    name: "hadal_partitions_hedged_total",
    kind: "counter",
    help: "Copies that were asked since their partition was late.",
    value: ({ hedges }) => hedges.hedged,
  },
  {
    name: "hadal_partitions_hedges_refused_total",
    kind: "counter",
    help: "Late partitions whose copy was not asked: hedgePercent of those asked were.",
    value: ({ hedges }) => hedges.refused,
  },
  {
    name: "hadal_partitions_replaced_total",
    kind: "counter",
    help: "Copies that were asked since their partition failed.",
    value: ({ hedges }) => hedges.replaced,
  },
  {
    name: "hadal_partitions_moved_total",
    kind: "counter",
    help: "Copies that were asked first since their leaf was busier.",
    value: ({ movedCount }) => movedCount,
  },
  {
    name: "hadal_partitions_copied",
    kind: "gauge",
    help: "Partitions that can be asked of another machine, too.",
    value: ({ copiedCount }) => copiedCount,
  },
  {
    name: "hadal_window_requests",
    kind: "gauge",
    help: "Requests to machines that may be under way at once.",
    value: ({ windows }) => windows.size,
  },
  {
    name: "hadal_window_waiting",
    kind: "gauge",
    help: "Requests to machines that wait for others to be answered.",
    value: ({ windows }) => windows.waiting,
  },
  {
    name: "hadal_window_lost_total",
    kind: "counter",
    help: "Requests to machines that were not answered in time.",
    value: ({ windows }) => windows.lost,
  },
];

const machineMetrics: readonly {
  readonly name: string;
  readonly kind: PartitionMetric["kind"];
  readonly help: string;
  readonly of: keyof WindowCounts;
}[] = [
  {
    name: "hadal_machine_window_requests",
    kind: "gauge",
    help: "Requests of an aggregator to leaves and machines that may be under way at once.",
    of: "size",
  },
  {
    name: "hadal_machine_window_waiting",
    kind: "gauge",
    help: "Requests of an aggregator that wait for others to be answered.",
    of: "waiting",
  },
  {
    name: "hadal_machine_window_lost_total",
    kind: "counter",
    help: "Requests of an aggregator that were not answered in time.",
    of: "lost",
  },
];

/** Of the windows of each machine, in Prometheus text. */
export function printMachineMetrics(windows: ReadonlyMap<string, WindowCounts>): string {
  const lines = machineMetrics.flatMap(({ name, kind, help, of }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    ...[...windows].map(([machine, counts]) => `${name}{machine="${machine}"} ${counts[of]}`),
  ]);
  return `${lines.join("\n")}\n`;
}

/** In Prometheus text. */
export function printPartitionMetrics(counts: PartitionCounts): string {
  const lines = metrics.flatMap(({ name, kind, help, value }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    `${name} ${value(counts)}`,
  ]);
  return `${lines.join("\n")}\n`;
}

import type { LeafConnection } from "../../cluster/leafConnection.js";

interface LeafMetric {
  readonly name: string;
  readonly kind: "counter" | "gauge";
  readonly help: string;
  value(leaf: LeafConnection): number;
}

const leafMetrics: readonly LeafMetric[] = [
  {
    name: "hadal_leaf_up",
    kind: "gauge",
    help: "1 while the leaf answers.",
    value: ({ state }) => (state === "alive" ? 1 : 0),
  },
  {
    name: "hadal_rows",
    kind: "gauge",
    help: "Rows on the leaf.",
    value: ({ status }) => status?.rows ?? 0,
  },
  {
    name: "hadal_bytes",
    kind: "gauge",
    help: "Bytes of memory its rows take.",
    value: ({ status }) => status?.bytes ?? 0,
  },
  {
    name: "hadal_free_bytes",
    kind: "gauge",
    help: "Bytes of memory left for rows.",
    value: ({ freeBytes }) => freeBytes,
  },
  {
    name: "hadal_files_damaged",
    kind: "gauge",
    help: "Files of the leaf that cannot be read, as a whole or in part.",
    value: ({ status }) => status?.filesDamaged ?? 0,
  },
  {
    name: "hadal_rows_scanned_total",
    kind: "counter",
    help: "Rows that queries have looked at since the leaf started.",
    value: ({ status }) => status?.rowsScanned ?? 0,
  },
];

/** The last status of each leaf, in Prometheus text. */
export function printLeafMetrics(leaves: readonly LeafConnection[]): string {
  const lines = leafMetrics.flatMap(({ name, kind, help, value }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    ...leaves.map((leaf) => `${name}{leaf="${leaf.id}"} ${value(leaf)}`),
  ]);
  return `${lines.join("\n")}\n`;
}

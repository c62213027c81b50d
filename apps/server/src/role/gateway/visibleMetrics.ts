import type { VisibleTimes } from "@hadal/sdk";

/** Of the tables whose rows were looked for, in Prometheus text. */
export function printVisibleMetrics(
  tables: Iterable<readonly [table: string, VisibleTimes]>,
): string {
  const measured = [...tables].map(([table, times]) => [labelOf(table), times] as const);
  const lines = [
    "# HELP hadal_visible_seconds Time from an event to an answer that has it, of sampled rows.",
    "# TYPE hadal_visible_seconds gauge",
    ...measured.flatMap(([table, { p50Ms, p99Ms }]) => [
      ...quantile(table, "0.5", p50Ms),
      ...quantile(table, "0.99", p99Ms),
    ]),
    "# HELP hadal_canaries_unseen_total Sampled rows that no answer had within a minute.",
    "# TYPE hadal_canaries_unseen_total counter",
    ...measured.map(([table, { unseen }]) => `hadal_canaries_unseen_total{${table}} ${unseen}`),
  ];
  return `${lines.join("\n")}\n`;
}

const quantile = (table: string, share: string, ms: number | null): readonly string[] =>
  ms === null ? [] : [`hadal_visible_seconds{${table},quantile="${share}"} ${ms / 1_000}`];

/** Names have no control characters. */
const labelOf = (table: string): string =>
  `table="${table.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

import type { AggregateSpec } from "@hadal/sdk";

/** `count`, `p95 latency_us`, `sum bytes per minute`, or the alias. */
export function aggregateLabel(spec: AggregateSpec): string {
  if (spec.as !== undefined) return spec.as;
  const fn =
    spec.fn === "percentile" ? `p${spec.p}` : spec.fn === "count.raw" ? "stored rows" : spec.fn;
  const column = spec.column === undefined ? "" : ` ${spec.column}`;
  return `${fn}${column}${spec.per === undefined ? "" : ` per ${spec.per}`}`;
}

/** Whether stacking the groups of it means something. */
export const isAdditive = (spec: AggregateSpec): boolean =>
  spec.fn === "count" || spec.fn === "count.raw" || spec.fn === "sum";

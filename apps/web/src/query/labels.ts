import type { Aggregate } from "./aggregate.js";

/** `count`, `p95 latency_us`, `sum bytes per minute`, or the alias. */
export function aggregateLabel(spec: Aggregate): string {
  if (spec.as !== undefined) return spec.as;
  if (spec.columns !== undefined) return `${spec.fn}(${spec.columns.join(", ")})`;
  const fn =
    spec.fn === "percentile" ? `p${spec.p}` : spec.fn === "count.raw" ? "stored rows" : spec.fn;
  const column = spec.column === undefined ? "" : ` ${spec.column}`;
  return `${fn}${column}${spec.per === undefined ? "" : ` per ${spec.per}`}`;
}

/** Whether stacking the groups of it means something. */
export const isAdditive = (spec: Aggregate): boolean =>
  spec.columns === undefined && ["count", "count.raw", "sum"].includes(spec.fn);

import type { Completeness } from "@hadal/sdk";
import { formatCompleteness } from "./change.js";

/** What counts do not stand on: `Counted in 97 % of the rows: no answer from leaf-2.`; null where they stand on all. */
export function formatLack({ fraction, leaves }: Completeness): string | null {
  if (fraction === 1) return null;
  const silent = leaves.missing.length === 0 ? "" : `: no answer from ${leaves.missing.join(", ")}`;
  return `Counted in ${formatCompleteness(fraction)} of the rows${silent}.`;
}

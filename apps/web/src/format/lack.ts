import type { Completeness } from "@hadal/sdk";
import { formatCompleteness } from "./change.js";

/** `97 % of rows`; the expected number of rows may be unknown. */
export function formatRowShare({ fraction, known }: Completeness): string {
  return known === false ? "share of rows unknown" : `${formatCompleteness(fraction)} of rows`;
}

/** The incompleteness of counts: `Counted in 97 % of the rows: no answer from leaf-2.`; null: complete. */
export function formatLack({ fraction, known, reason, leaves }: Completeness): string | null {
  if (fraction === 1) return null;
  const silent = leaves.missing.length === 0 ? "" : `: no answer from ${leaves.missing.join(", ")}`;
  if (known === false)
    return `Counted in a share of the rows that is not known: ${reason ?? "counts of rows are lost"}.`;
  return `Counted in ${formatCompleteness(fraction)} of the rows${silent}.`;
}

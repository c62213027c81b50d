import type { Completeness, Truncated } from "@hadal/sdk";
import { formatCompact } from "../../../format/number.js";

/** From here down the answer wears amber. */
const completenessWarn = 0.995;

export const isIncomplete = ({ fraction, leaves }: Completeness): boolean =>
  fraction <= completenessWarn || leaves.missing.length > 0;

/** What was cut off, in words; null when nothing was. */
export function truncationWords(truncated: Truncated | null): string | null {
  if (truncated === null) return null;
  const parts = (["groups", "series", "rows"] as const).flatMap((kind) => {
    const count = truncated[kind];
    return count === undefined || count === 0 ? [] : [`${formatCompact(count)} more ${kind}`];
  });
  return parts.length === 0 ? null : `${parts.join(", ")} not shown`;
}

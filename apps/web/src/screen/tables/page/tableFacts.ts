import type { TableDetail, TableIngest } from "@hadal/sdk";
import { formatCompact, formatExact, formatRatio } from "../../../format/number.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatRange } from "../../../format/time.js";
import { formatBytes } from "../../../format/value.js";
import { keptText, lagText, rateText } from "../list/tableText.js";
import { thinnedText } from "../settings/thinningText.js";

/** The rows that a table took in since the server started. */
export interface Received {
  /** Rows a second; null: not known yet. */
  readonly rate: number | null;
  /** Absent: none. */
  readonly counts?: TableIngest | undefined;
}

/** The figures at the top of a table's page. */
export function tableFacts(detail: TableDetail, { rate, counts }: Received, atMs: number) {
  const { rows, bytes, retention, thinning } = detail;
  const { bytesPerRow = null, compressionRatio = null, fromMs = null, toMs = null } = detail;
  // A table with few rows may take more memory than their plain values.
  const isSmaller = compressionRatio !== null && compressionRatio > 1;
  return [
    ...(rows === undefined
      ? []
      : [{ name: "rows", value: formatCompact(rows), title: formatExact(rows) }]),
    {
      name: "memory",
      value: bytes === undefined ? "–" : formatBytes(bytes),
      note:
        bytesPerRow === null
          ? undefined
          : `${formatBytes(bytesPerRow)} a row${isSmaller ? `, ${formatRatio(compressionRatio)} smaller` : ""}`,
    },
    { name: "received", value: rateText(rate), note: unusualText(counts) },
    {
      name: "newest row",
      value: lagText(toMs === null ? null : atMs - toMs),
      note:
        fromMs === null || toMs === null
          ? undefined
          : formatRange(fromMs, toMs, ownTimeZone(), atMs),
    },
    {
      name: "kept",
      value: keptText(retention),
      note: thinning.length === 0 ? undefined : thinnedText(thinning),
    },
  ];
}

/** Rows that did not come as they should; undefined: there were none. */
function unusualText(counts: TableIngest | undefined): string | undefined {
  if (counts === undefined) return undefined;
  const { rejected, late, future } = counts;
  const parts = [
    [rejected, "refused"],
    [late, "late"],
    [future, "ahead of the clock"],
  ] as const;
  const found = parts.filter(([count]) => count > 0);
  return found.length === 0
    ? undefined
    : `${found.map(([count, what]) => `${formatCompact(count)} ${what}`).join(", ")} since the start`;
}

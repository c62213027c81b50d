import type { TableDetail } from "@hadal/sdk";
import { formatCompact, formatExact, formatRatio } from "../../../format/number.js";
import { ownTimeZone } from "../../../format/ownTimeZone.js";
import { formatRange } from "../../../format/time.js";
import { formatBytes } from "../../../format/value.js";
import { keptText, lagText, rateText } from "../list/tableText.js";
import { thinnedText } from "../settings/thinningText.js";

/** The figures at the top of a table's page. */
export function tableFacts(detail: TableDetail, rate: number | null, atMs: number) {
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
    { name: "received", value: rateText(rate) },
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

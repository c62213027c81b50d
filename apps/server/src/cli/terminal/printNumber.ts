const byteUnits = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** `1234`; a dash for whoever may not know it. */
export const printCount = (count: number | undefined): string =>
  count === undefined ? "–" : String(count);

/** `3.4 MiB`; a dash for whoever may not know it. */
export function printBytes(bytes: number | undefined): string {
  if (bytes === undefined) return "–";
  let value = bytes;
  let unitIndex = 0;
  while (value >= 1_024 && unitIndex < byteUnits.length - 1) {
    value /= 1_024;
    unitIndex += 1;
  }
  return `${unitIndex === 0 ? value : value.toFixed(1)} ${byteUnits[unitIndex]}`;
}

/** `6.42`; a dash for none. */
export function printRatio(ratio: number | null | undefined): string {
  return ratio == null ? "–" : ratio.toFixed(2);
}

/** A moment in UTC to the second; a dash for none. */
export function printTime(timeMs: number | null | undefined): string {
  return timeMs == null ? "–" : new Date(timeMs).toISOString().replace(/\.\d{3}Z$/, "Z");
}

/** `1 row`, `1,234 rows`. */
export function printRows(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "row" : "rows"}`;
}

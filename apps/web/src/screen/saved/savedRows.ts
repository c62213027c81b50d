import type { DocumentSummary } from "@hadal/sdk";

export type SavedSortKey = "title" | "changedBy" | "changedMs";

export interface SavedSort {
  readonly by: SavedSortKey;
  readonly direction: "ascending" | "descending";
}

export const newestFirst: SavedSort = { by: "changedMs", direction: "descending" };

/** The queries whose title or last writer contains every word of the text, in order. */
export function savedRows(
  list: readonly DocumentSummary[],
  text: string,
  { by, direction }: SavedSort,
): readonly DocumentSummary[] {
  const words = fold(text).split(/\s+/).filter(Boolean);
  const sign = direction === "ascending" ? 1 : -1;
  return list
    .filter(({ title, changedBy }) => {
      const searched = fold(`${title} ${changedBy ?? ""}`);
      return words.every((word) => searched.includes(word));
    })
    .toSorted((a, b) => sign * compared(a[by], b[by]) || compared(a.title, b.title));
}

/** The order after a click on the head of a column: times begin with the newest. */
export function sortAfterClick(sort: SavedSort, by: SavedSortKey): SavedSort {
  const first = by === "changedMs" ? "descending" : "ascending";
  const other = sort.direction === "ascending" ? "descending" : "ascending";
  return { by, direction: sort.by === by ? other : first };
}

const words = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

function compared(a: string | number | null, b: string | number | null): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return words.compare(String(a ?? ""), String(b ?? ""));
}

const fold = (text: string): string => text.normalize("NFC").toLowerCase();

import type { RowsPreview } from "@hadal/sdk";
import type { Preview } from "../file/readPreview.js";

/** Candidates for the time column: the names in the preview and those that the server read. */
export function timeCandidates(
  preview: Preview,
  stored: Pick<RowsPreview, "csv"> | null,
): readonly string[] {
  const names = preview.columns.map(({ name }) => name);
  const found = stored?.csv?.columns.map(({ name }) => name) ?? [];
  // Another delimiter changes the names of the header.
  return [...new Set([...names, ...found])];
}

/** Whether a column of the preview contains numbers. */
export function containsNumbers({ columns }: Preview, column: string): boolean {
  const type = columns.find(({ name }) => name === column)?.type;
  return type === "integer" || type === "decimal";
}

import { nameFault } from "@hadal/sdk";
import { tooLong, wholeBytesMax } from "../file/cutBody.js";
import type { HowRead } from "../file/howRead.js";
import type { Preview } from "../file/readPreview.js";
import type { RowFile } from "../file/rowFile.js";

export interface ImportAsked {
  readonly table: string;
  readonly how: HowRead;
  readonly file: RowFile;
  readonly preview: Preview;
}

/** What to know before the rows go in; some of it has to be mended first. */
export interface ImportHint {
  readonly text: string;
  readonly blocks: boolean;
}

/** What stands in the way, in words. */
export function importHint({ table, how, file, preview }: ImportAsked): ImportHint | null {
  const name = nameFault(table);
  if (name !== null) return blocks(name);
  if (preview.format === "json" && file.size > wholeBytesMax) return blocks(tooLong(file.name));
  const { timeColumn } = how;
  if (timeColumn === null) {
    return blocks(
      "Every row needs a time: a number since 1970, or such as 2026-11-21 09:00:00. Which column holds it?",
    );
  }
  const column = preview.columns.find(({ name: other }) => other === timeColumn);
  if (column === undefined || column.timeShare === 1) return null;
  const text = `Not every ${timeColumn} looks like a time: rows without a number since 1970, or such as 2026-11-21 09:00:00, are rejected.`;
  return { text, blocks: false };
}

const blocks = (text: string): ImportHint => ({ text, blocks: true });

import { nameFault } from "@hadal/sdk";
import { isSentWhole, tooLong, wholeBytesMax } from "../file/cutBody.js";
import type { ReadOptions } from "../file/readOptions.js";
import type { Preview } from "../file/readPreview.js";
import type { RowFile } from "../file/rowFile.js";

export interface ImportAsked {
  readonly table: string;
  readonly readOptions: ReadOptions;
  readonly file: RowFile;
  readonly preview: Preview;
}

/** A hint before the import; some hints block it. */
export interface ImportHint {
  readonly text: string;
  readonly blocks: boolean;
}

/** The first problem of the import; null: none. */
export function importHint({ table, readOptions, file, preview }: ImportAsked): ImportHint | null {
  const name = nameFault(table);
  if (name !== null) return blocks(name);
  if (isSentWhole(preview.format) && file.size > wholeBytesMax) return blocks(tooLong(file.name));
  const { timeColumn } = readOptions;
  if (timeColumn === null) {
    return blocks(
      "Every row needs a time: a number since 1970, or a text such as 2026-11-21 09:00:00. Which column contains it?",
    );
  }
  const column = preview.columns.find(({ name: other }) => other === timeColumn);
  if (column === undefined || column.timeShare === 1) return null;
  const text = `Some values of ${timeColumn} do not look like a time: rows without a number since 1970, or a text such as 2026-11-21 09:00:00, are rejected.`;
  return { text, blocks: false };
}

const blocks = (text: string): ImportHint => ({ text, blocks: true });

import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { printChecked, readChecked } from "../../base/bytes/checkedText.js";
import { stageFile } from "../../base/file/durableFile.js";

const format = "hadal-rows-1";
export const rowBookPrefix = "rows-";
export const rowBookSuffix = ".json";

/** What a sealed segment holds, in a file apart: so the leaf knows what is missing when the segment cannot be read. */
export interface RowBook {
  /** Of the segments that it was merged from. */
  readonly firstGeneration: number;
  readonly minutes: readonly number[];
  readonly counts: readonly number[];
}

export const rowBookPath = (folder: string, generation: number): string =>
  join(folder, `${rowBookPrefix}${generation}${rowBookSuffix}`);

/** On the disk when this resolves, but for its name: whoever writes the segment syncs the folder. */
export async function writeRowBook(
  folder: string,
  generation: number,
  book: RowBook,
): Promise<void> {
  const path = rowBookPath(folder, generation);
  await rename(await stageFile(path, printChecked(format, JSON.stringify(book))), path);
}

/** Rejects with what is wrong where there is none that is whole. */
export async function readRowBook(folder: string, generation: number): Promise<RowBook> {
  const bytes = await readFile(rowBookPath(folder, generation));
  return JSON.parse(readChecked(format, bytes)) as RowBook;
}

/** The book of a segment by what it has added to the totals. */
export function rowBookOf(
  firstGeneration: number,
  minutes: readonly (readonly [minute: number, rowCount: number])[],
): RowBook {
  return {
    firstGeneration,
    minutes: minutes.map(([minute]) => minute),
    counts: minutes.map(([, rowCount]) => rowCount),
  };
}

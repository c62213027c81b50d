import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeFileDurably } from "../base/durableFile.js";

/** What stands in a table's folder beside logs and segments. */
export interface TableFile {
  readonly name: string;
  /** Generations start here. One that was dropped is never given out again: the order to drop it may come twice. */
  readonly generationMin: number;
  /** Segments that were said to expire: the order to drop them may come at any time, so they are not merged. */
  readonly expiring: readonly number[];
}

const pathOf = (folder: string): string => join(folder, "table.json");

export async function readTableFile(folder: string): Promise<TableFile> {
  const stored = JSON.parse(await readFile(pathOf(folder), "utf8")) as Partial<TableFile>;
  if (stored.name === undefined) throw new Error(`${pathOf(folder)} names no table`);
  const { name, generationMin = 1, expiring = [] } = stored;
  return { name, generationMin, expiring };
}

export async function writeTableFile(folder: string, file: TableFile): Promise<void> {
  await writeFileDurably(pathOf(folder), Buffer.from(JSON.stringify(file)));
}

import { readdir } from "node:fs/promises";
import { basename, dirname } from "node:path";

/** A file of a table that was damaged, as it was then. */
export interface DamagedCopy {
  readonly kind: "segment" | "log";
  readonly generation: number;
  /** In the table's folder. */
  readonly name: string;
}

const namePattern = /^(segment|log)-(\d+)\.hd[sl]\.damaged(?:-\d+)?$/;

/** Those among the files of a table's folder, oldest first. */
export function damagedCopiesOf(names: readonly string[]): DamagedCopy[] {
  const copies: DamagedCopy[] = [];
  for (const name of names) {
    const [, kind, generation] = namePattern.exec(name) ?? [];
    if (kind === "segment" || kind === "log")
      copies.push({ kind, generation: Number(generation), name });
  }
  return copies.sort((a, b) => a.generation - b.generation);
}

/**
 * A free name for a copy of the damaged file: a log that is damaged again keeps its earlier copies.
 */
export async function damagedCopyPath(path: string): Promise<string> {
  const names = new Set(await readdir(dirname(path)));
  const first = `${path}.damaged`;
  let free = first;
  for (let count = 2; names.has(basename(free)); count++) free = `${first}-${count}`;
  return free;
}

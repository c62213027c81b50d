import { mkdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { TableColumns } from "../columns/tableColumns.js";
import { readHead } from "../file/segmentFile.js";
import { segmentPath } from "../file/segmentFiles.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { TableContext } from "../segment/tableContext.js";
import { NumberedDictionaries } from "./dictionaryImages.js";
import { identityOf } from "./headIdentity.js";
import { imageOfSegment } from "./segmentImage.js";
import { writeWarmFile } from "./warmFile.js";
import type { WarmFolder } from "./warmFolder.js";

/** A process that is asked to end is killed after 10 s. */
const saveMsMax = 5_000;

export interface SavedImage {
  readonly segments: number;
  readonly bytes: number;
}

/** A table that takes no more rows. */
export interface SavedTable {
  readonly folder: string;
  readonly columns: TableColumns;
  readonly segmentsOnDisk: readonly SealedSegment[];
}

interface SaveDeps extends Pick<TableContext, "memory" | "warn"> {
  readonly nowMs: () => number;
}

/**
 * Copies the sealed segments of closed tables into shared memory, as they lie in the leaf's own: as
 * many as there is room and time for. The next start reads the others from the disk.
 */
export async function saveImage(
  tables: Iterable<SavedTable>,
  folder: WarmFolder,
  folderId: string,
  { memory, warn, nowMs }: SaveDeps,
): Promise<SavedImage> {
  folder.begin();
  const endMs = nowMs() + saveMsMax;
  const { room } = folder;
  let segments = 0;
  let bytes = 0;
  for (const table of tables) {
    const path = join(folder.path, basename(table.folder));
    mkdirSync(path);
    const dictionaries = new NumberedDictionaries();
    for (const segment of table.segmentsOnDisk) {
      if (segment.lostColumns.size > 0) continue;
      if (bytes + segment.bytes + table.columns.dictionaryBytes > room || nowMs() > endMs) break;
      const file = segmentPath(table.folder, segment.generation);
      const head = await readHead(file).catch((error: unknown) => {
        warn(`${file} is not kept in shared memory: ${String(error)}`);
        return null;
      });
      if (head === null) continue;
      const image = imageOfSegment(segment, identityOf(head), memory, dictionaries.numberOf);
      const parts = image.extents.map(([at, length]) => memory.bytes.subarray(at, at + length));
      bytes += writeWarmFile(imagePath(path, segment.generation), image, parts);
      segments++;
    }
    bytes += dictionaries.write(dictionariesPath(path), table.columns.dictionaries);
  }
  folder.finish(folderId);
  return { segments, bytes };
}

export const imagePath = (folder: string, generation: number): string =>
  join(folder, `segment-${generation}.hdw`);

export const dictionariesPath = (folder: string): string => join(folder, "dictionaries.hdw");

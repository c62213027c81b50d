import { existsSync, rmSync } from "node:fs";
import type { TableColumns } from "../columns/tableColumns.js";
import type { DecodedSegment } from "../file/decodeSegment.js";
import { readHead } from "../file/segmentFile.js";
import { segmentPath } from "../file/segmentFiles.js";
import { readSegmentHead } from "../file/segmentHead.js";
import type { TableContext } from "../segment/tableContext.js";
import { type ReadDictionaries, readDictionaries } from "./dictionaryImages.js";
import { identityOf } from "./headIdentity.js";
import { dictionariesPath, imagePath } from "./saveImage.js";
import { type SegmentImage, segmentOfImage } from "./segmentImage.js";
import { WarmFile } from "./warmFile.js";

/** How many segments came from shared memory, and how many bytes. */
export interface WarmCounts {
  segments: number;
  bytes: number;
}

/** What shared memory has of the table in a folder; null: nothing. */
export type OpenWarm = (folder: string, columns: TableColumns) => WarmTable | null;

interface WarmOptions {
  /** The folder of the table in shared memory. */
  readonly path: string;
  /** Its folder on the disk. */
  readonly folder: string;
  readonly context: TableContext;
  readonly counts: WarmCounts;
}

/**
 * The sealed segments of a table as the process before left them in shared memory. A segment's file
 * on the disk must be the one that it was saved with; what is in doubt is read from the disk.
 */
export class WarmTable {
  readonly #options: WarmOptions;
  readonly #dictionaries: ReadDictionaries;

  private constructor(options: WarmOptions, dictionaries: ReadDictionaries) {
    this.#options = options;
    this.#dictionaries = dictionaries;
  }

  /** Null: there is nothing of this table. Its dictionaries become those of `columns`, which are new. */
  static open(options: WarmOptions, columns: TableColumns): WarmTable | null {
    const path = dictionariesPath(options.path);
    if (!existsSync(path)) return null;
    try {
      const dictionaries = readDictionaries(path);
      rmSync(path);
      columns.useDictionaries(dictionaries.places);
      return new WarmTable(options, dictionaries);
    } catch (error) {
      warnOf(options, path, error);
      return null;
    }
  }

  /** Null: it is to be read from the disk. Its image is gone afterwards. */
  async load(generation: number): Promise<DecodedSegment | null> {
    const path = imagePath(this.#options.path, generation);
    if (!existsSync(path)) return null;
    try {
      const payload = await readHead(segmentPath(this.#options.folder, generation));
      return this.#read(path, payload);
    } catch (error) {
      warnOf(this.#options, path, error);
      return null;
    } finally {
      // Both would take memory.
      rmSync(path, { force: true });
    }
  }

  #read(path: string, payload: Uint8Array): DecodedSegment {
    const { context, counts } = this.#options;
    const { memory } = context;
    const file = new WarmFile<SegmentImage>(path);
    const extents: number[] = [];
    try {
      const { head } = file;
      if (head.identity !== identityOf(payload))
        throw new Error("its file on the disk is another one since");
      const total = head.extents.reduce((sum, [, bytes]) => sum + bytes, 0);
      if (total !== file.partBytes) throw new Error("cut off");
      for (const [, bytes] of head.extents) {
        const address = memory.store.allocate(bytes);
        if (address === null) throw new Error(`it needs ${bytes} bytes more memory`);
        extents.push(address);
        file.read(memory.bytes.subarray(address, address + bytes));
      }
      file.end();
      const { head: stored } = readSegmentHead(payload);
      const dictionaries = this.#dictionaries.list;
      const segment = segmentOfImage(head, extents, stored, { memory, dictionaries });
      counts.segments++;
      counts.bytes += total;
      return { segment, origin: stored.origin, lostHistograms: [] };
    } catch (error) {
      for (const address of extents) memory.store.release(address);
      throw error;
    } finally {
      file.close();
    }
  }
}

function warnOf({ context }: WarmOptions, path: string, error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  context.warn(`${path} is not used, but the file on the disk: ${reason}`);
}

import { rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { stageFile, syncFolder, writeFileDurably } from "../../base/file/durableFile.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import type { SegmentOrigin } from "./segmentHead.js";
import { manifestOf, manifestPath, writeManifest } from "./segmentManifest.js";

export const logPath = (folder: string, generation: number): string =>
  join(folder, `log-${generation}.hdl`);
export const segmentPath = (folder: string, generation: number): string =>
  join(folder, `segment-${generation}.hds`);

/** Numbers of the files that are named so, ascending. */
export function generationsOf(files: readonly string[], prefix: string, suffix: string): number[] {
  return files
    .filter((file) => file.startsWith(prefix) && file.endsWith(suffix))
    .map((file) => Number(file.slice(prefix.length, -suffix.length)))
    .filter(Number.isSafeInteger)
    .sort((a, b) => a - b);
}

/** The files of a table's sealed segments. */
export class SegmentFiles {
  readonly #inWriting = new Set<Promise<void>>();
  /** Generations whose file could not be written so far. */
  readonly #failed = new Set<number>();
  readonly #folder: string;
  readonly #warn: (text: string) => void;

  constructor(folder: string, warn: (text: string) => void) {
    this.#folder = folder;
    this.#warn = warn;
  }

  /**
   * Writes the manifest and the file of a segment in the background, and then deletes the log of
   * the same rows. The bytes come once they are encoded.
   */
  write(
    { generation, firstGeneration }: SealedSegment,
    bytes: Promise<Uint8Array>,
    { minutes }: SegmentOrigin,
    onWritten: () => void,
  ): void {
    const write = async (): Promise<void> => {
      const encoded = await bytes;
      await writeManifest(this.#folder, generation, manifestOf(firstGeneration, minutes));
      await writeFileDurably(segmentPath(this.#folder, generation), encoded);
      // A log that failed may not be there.
      await unlinkIfThere(logPath(this.#folder, generation));
      this.#failed.delete(generation);
    };
    const writing = write()
      .then(onWritten)
      .catch((error: unknown) => {
        // The rows are in memory, and in the log unless that has failed, too: it is tried again.
        const where = `segment ${generation} in ${this.#folder}`;
        if (!this.#failed.has(generation))
          this.#warn(`${where} was not written, and is tried again: ${String(error)}`);
        this.#failed.add(generation);
      })
      .finally(() => this.#inWriting.delete(writing));
    this.#inWriting.add(writing);
  }

  /**
   * Replaces the file of the last source by that of the merged segment. Once this resolves, the
   * files of the other sources are void. Rejects when nothing has changed.
   */
  async replaceLast(
    { generation, firstGeneration }: SealedSegment,
    bytes: Uint8Array,
    { minutes }: SegmentOrigin,
  ): Promise<void> {
    const path = segmentPath(this.#folder, generation);
    const staged = await stageFile(path, bytes);
    await writeManifest(this.#folder, generation, manifestOf(firstGeneration, minutes));
    await rename(staged, path);
  }

  /** Writes the manifest of a segment that an earlier version wrote without one. */
  async addManifest(
    { generation, firstGeneration }: SealedSegment,
    { minutes }: SegmentOrigin,
  ): Promise<void> {
    await writeManifest(this.#folder, generation, manifestOf(firstGeneration, minutes));
  }

  /** Deletes the files that a merged segment has made void, once it is sure to be on the disk. */
  async removeVoid(merged: SealedSegment, sources: readonly number[]): Promise<void> {
    await syncFolder(this.#folder);
    for (const generation of sources) {
      if (generation === merged.generation) continue;
      await unlinkIfThere(manifestPath(this.#folder, generation));
      await unlinkIfThere(segmentPath(this.#folder, generation));
    }
  }

  /** Deletes the files of segments that are gone. */
  async remove(spans: readonly (readonly [last: number, first: number])[]): Promise<void> {
    for (const [generation, firstGeneration] of spans) {
      // Files of its sources first: without the merged segment their rows would count again.
      for (let one = firstGeneration; one <= generation; one++) {
        // The manifest first: without its segment it would report lost rows.
        await unlinkIfThere(manifestPath(this.#folder, one));
        await unlinkIfThere(segmentPath(this.#folder, one));
      }
    }
    await syncFolder(this.#folder);
  }

  /** Whether the last attempt to write it has failed. */
  hasFailed(generation: number): boolean {
    return this.#failed.has(generation);
  }

  /** Resolves when everything is written. */
  settled(): Promise<unknown> {
    return Promise.all(this.#inWriting);
  }
}

async function unlinkIfThere(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

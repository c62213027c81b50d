import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { printChecked, readChecked } from "../../base/bytes/checkedText.js";
import { stageFile } from "../../base/file/durableFile.js";

const format = "hadal-rows-1";
export const manifestPrefix = "rows-";
export const manifestSuffix = ".json";

/**
 * The row counts of a sealed segment in a separate file: so the leaf knows its losses when the
 * segment cannot be read.
 */
export interface SegmentManifest {
  /** Of the segments that it was merged from. */
  readonly firstGeneration: number;
  readonly minutes: readonly number[];
  readonly counts: readonly number[];
}

export const manifestPath = (folder: string, generation: number): string =>
  join(folder, `${manifestPrefix}${generation}${manifestSuffix}`);

/** On the disk when this resolves, but for its name: the writer of the segment syncs the folder. */
export async function writeManifest(
  folder: string,
  generation: number,
  manifest: SegmentManifest,
): Promise<void> {
  const path = manifestPath(folder, generation);
  await rename(await stageFile(path, printChecked(format, JSON.stringify(manifest))), path);
}

/** Rejects with the reason where there is no complete manifest. */
export async function readManifest(folder: string, generation: number): Promise<SegmentManifest> {
  const bytes = await readFile(manifestPath(folder, generation));
  return JSON.parse(readChecked(format, bytes)) as SegmentManifest;
}

/** The manifest of a segment from its contribution to the totals. */
export function manifestOf(
  firstGeneration: number,
  minutes: readonly (readonly [minute: number, rowCount: number])[],
): SegmentManifest {
  return {
    firstGeneration,
    minutes: minutes.map(([minute]) => minute),
    counts: minutes.map(([, rowCount]) => rowCount),
  };
}

import { isFull } from "../../column/dictionary.js";
import { readTextPage } from "../../column/pageTable.js";
import { createColumnReader } from "../../column/readColumn.js";
import type { TextColumn } from "../../column/segmentColumn.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import type { OpenSegment } from "../open/openSegment.js";
import type { StoredSegment } from "../segment/segmentView.js";

/**
 * A string column that brings in more values than this in one segment, in over half of its rows, is
 * stored as text.
 */
const dictionaryGrowthMax = 8_192;
/**
 * A text column becomes coded again when at most this share of the sampled rows have distinct
 * texts: half the share that made it text, so that it does not alternate.
 */
const sampledRows = 1_024;
const sampledShareMax = 1 / 4;
/** With fewer values the sample is too small to decide. */
const sampledValuesMin = 512;
/** Texts that are longer on average stay text: comparing them takes too long. */
const textBytesMeanMax = 1_024;

/**
 * Columns of strings that go over to text: the segment brought in too many values, or the column
 * has them.
 */
export function outgrownColumns(open: OpenSegment, codesMax?: number): ReadonlySet<string> {
  const outgrown = new Set<string>();
  for (const [name, column] of open.view().columns) {
    if (column.kind !== "coded" || column.type !== "string") continue;
    const growth = open.newValues(name);
    const isUnlike = growth > dictionaryGrowthMax && growth > open.rowCount / 2;
    if (isUnlike || isFull(column.dictionary, codesMax)) outgrown.add(name);
  }
  return outgrown;
}

/**
 * Columns of lists, with their types, whose dictionary is too large while most rows of the segment
 * added a list to it.
 */
export function outgrownLists(open: OpenSegment): ReadonlyMap<string, "set" | "vector"> {
  const outgrown = new Map<string, "set" | "vector">();
  for (const [name, column] of open.view().columns) {
    if (column.kind !== "coded" || column.type === "string") continue;
    if (column.dictionary.codeCount <= dictionaryGrowthMax) continue;
    if (open.newValues(name) > open.rowCount / 2) outgrown.set(name, column.type);
  }
  return outgrown;
}

/** Columns of text in an open segment that would be better off with codes: their texts repeat. */
export function repetitiveColumns(open: StoredSegment, memory: LeafMemory): readonly string[] {
  const names: string[] = [];
  for (const [name, column] of open.columns) {
    if (column.kind === "text" && isRepetitive(column, open.rowCount, memory)) names.push(name);
  }
  return names;
}

/** The open segment's texts are one page, and not compressed. */
function isRepetitive(column: TextColumn, rowCount: number, { memory }: LeafMemory): boolean {
  if (column.textBytes > rowCount * textBytesMeanMax) return false;
  const { address, offsets } = readTextPage(new DataView(memory.buffer), column.directory, 0);
  const ends = new Uint32Array(memory.buffer, offsets, rowCount + 1);
  const bytes = Buffer.from(memory.buffer);
  const reader = createColumnReader(memory);
  const texts = new Set<string>();
  let values = 0;
  for (let i = 0; i < sampledRows; i++) {
    const row = Math.floor((i * rowCount) / sampledRows);
    if (!reader.isPresent(column.present, row)) continue;
    values++;
    texts.add(bytes.toString("latin1", address + ends[row]!, address + ends[row + 1]!));
  }
  return values >= sampledValuesMin && texts.size <= values * sampledShareMax;
}

import { expect } from "vitest";
import * as abi from "../../assembly/abi.js";
import { createOwnMemory } from "../base/memory.js";
import type { JsonPlace } from "../json/jsonCells.js";
import { jsonLayout, jsonMemoryBytes } from "../json/jsonLayout.js";
import { JsonRows } from "../json/jsonRows.js";
import { builtJson } from "./builtKernel.js";
import type { Random } from "./random.js";

const module = builtJson();
const memory = createOwnMemory(jsonMemoryBytes);
const bytes = new Uint8Array(memory.buffer);
const expected = new Uint8Array(bytes.length);
const encoder = new TextEncoder();

/** A name with values of these kinds: three digits behind the point, all of 64 bits. */
export function jsonPlace(
  name: string,
  accepts: number,
  children?: JsonPlace["children"],
): JsonPlace {
  const key = encoder.encode(`${JSON.stringify(name)}:`);
  const place = { key, accepts, decimals: 3, min: -(2n ** 63n), max: 2n ** 63n - 1n };
  return children === undefined ? place : { ...place, children };
}

/** Reads into that memory, with nothing loaded yet. */
export function jsonRowsOf(places: readonly JsonPlace[]): JsonRows {
  const rows = new JsonRows(module, { seed: 9n, memory });
  expect(rows.setPlaces(places)).toBe(true);
  return rows;
}

/**
 * Reads over whatever was in the memory before; all bytes that change lie where the rows that were
 * read may be written.
 */
export function readRowsWithin(
  places: readonly JsonPlace[],
  random: Random,
  lines: Uint8Array,
  most: number,
): [JsonRows, number] {
  const words = new Uint32Array(memory.buffer);
  // Also slots of texts.
  words.fill(random.below(2) === 0 ? random.u32() : 0x10001 * random.below(4));
  const rows = jsonRowsOf(places);
  rows.load(lines, 0, lines.length);
  expected.set(bytes);
  const count = rows.read(0, 0, most);
  // Texts of a row that is read in two ways may be there twice.
  const kept = [jsonLayout.kept, 2 * lines.length + 15] as const;
  expectWrites([...regionsOf(places.length, Math.min(count + 1, most)), kept]);
  return [rows, count];
}

/** Checks that all bytes that changed since the last check are there. */
export function expectWrites(regions: readonly (readonly [start: number, bytes: number])[]): void {
  for (const [start, length] of regions) expected.set(bytes.subarray(start, start + length), start);
  expect(Buffer.compare(expected, bytes)).toBe(0);
}

/** Reads a line and its end, whatever follows. */
export function readJsonLine(places: readonly JsonPlace[], line: string): [JsonRows, number] {
  const lines = encoder.encode(`${line}\n{"time":1,"list":["a"]}\n`);
  const rows = jsonRowsOf(places);
  rows.load(lines, 0, lines.length);
  return [rows, rows.read(0, 0, 1)];
}

/** The texts of the cells of a place, row by row. */
export function textsAt(rows: JsonRows, place: number, count: number): string[] {
  const { bytes, ends } = rows.packTexts(place, 1);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return Array.from(rows.cells[place]!.codes.subarray(0, count), (code) =>
    decoder.decode(bytes.slice(code === 1 ? 0 : ends[code - 2], ends[code - 1])),
  );
}

/** Where rows may be written to, and by how many bytes. */
function regionsOf(placeCount: number, rowCount: number): (readonly [number, number])[] {
  const view = new DataView(memory.buffer);
  const regions = Array.from({ length: placeCount }, (_, i) => {
    const at = jsonLayout.places + i * abi.PLACE_BYTES;
    const word = (offset: number) => view.getUint32(at + offset, true);
    return [
      [at + abi.PLACE_NEXT_ROW, abi.PLACE_CHILDREN - abi.PLACE_NEXT_ROW],
      [at + abi.PLACE_TEXT_KNOWN, 4],
      [word(abi.PLACE_KINDS), rowCount],
      [word(abi.PLACE_CELLS), rowCount * 8],
      [word(abi.PLACE_TEXTS), rowCount * abi.TEXT_BYTES],
      [word(abi.PLACE_SLOTS), 2 ** (65 - word(abi.PLACE_SLOT_SHIFT)) * 2],
    ] as const;
  });
  const steps = [jsonLayout.steps, (placeCount + 1) * abi.STEP_BYTES] as const;
  return [[jsonLayout.next, 8], steps, ...regions.flat()];
}

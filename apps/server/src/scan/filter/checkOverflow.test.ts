import { expect, test } from "vitest";
import { createColumnReader } from "../../column/readColumn.js";
import { createTextReader } from "../../column/textReader.js";
import type { ColumnDecode } from "../task/columnDecode.js";
import type { ScanUnit, SegmentFilter } from "../task/scanTask.js";
import { createScanMemory } from "../testing/scanMemory.js";
import { createStringReader } from "../value/stringReader.js";
import { checkOverflow } from "./checkOverflow.js";

const { memory, kernel, leaf, scratch } = createScanMemory(64, 32);
const reader = createColumnReader(memory);
const strings = createStringReader(reader, createTextReader(memory, kernel, scratch.pages));
const context = { memory, kernel, reader, strings, scratch };

const rowCount = 64;
/** Of these rows, as a bitmap. */
function rowsOf(...rows: readonly number[]): number {
  const bitmap = leaf.queries.allocate(rowCount / 8)!;
  const bits = new Uint8Array(memory.buffer, bitmap, rowCount / 8).fill(0);
  for (const row of rows) bits[row >> 3]! |= 1 << (row & 7);
  return bitmap;
}
const among = (...rows: readonly number[]): SegmentFilter => {
  return { op: "bitmap", bitmap: rowsOf(...rows), negated: false };
};

/** The arithmetic of row 7 has overflown; rows 3 and 4 pass by their value. */
const overflown = rowsOf(7);
const derived: SegmentFilter = { op: "derived", filter: among(3, 4), overflown };

function isRefused(filter: SegmentFilter, readBy: ColumnDecode["readBy"]): boolean {
  const unit = {
    ...{ rowCount, sorted: true, minMs: 0, maxMs: 63, fromMs: 0, toMs: 64, filter },
  } as unknown as ScanUnit;
  const encoded = { kind: "compiled", column: { name: "sum" }, overflown };
  try {
    checkOverflow(context, unit, [{ encoded, readBy } as unknown as ColumnDecode]);
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "value-overflow" });
    return true;
  }
}

const not = (filter: SegmentFilter): SegmentFilter => ({ op: "otherwise", filter });
const all = (...filters: SegmentFilter[]): SegmentFilter => ({ op: "all", filters });
const any = (...filters: SegmentFilter[]): SegmentFilter => ({ op: "any", filters });

test.each<[string, SegmentFilter, boolean, boolean]>([
  ["alone", derived, true, true],
  ["beside what is false there", all(among(3), derived), false, false],
  ["beside what is true there", all(among(3, 7), derived), true, true],
  ["or what is true there, which lets it pass", any(among(7), derived), false, true],
  ["or what is false there", any(among(3), derived), true, true],
  ["not", not(derived), true, true],
  ["not, beside what is false there", not(all(among(3), derived)), false, true],
  ["not, or what is true there", not(any(among(7), derived)), false, false],
  ["not not", not(not(derived)), true, true],
  ["all but the rows of a selection", all(among(1, 7), not(all(among(7), derived))), true, true],
  ["all but those of another time", all(among(1, 7), not(all(among(1), derived))), false, true],
])("%s: refused by the filter, and by who reads rows that pass", (_, filter, byFilter, byRest) => {
  expect([isRefused(filter, "filter"), isRefused(filter, "rest")]).toEqual([byFilter, byRest]);
  expect(isRefused(filter, "others")).toBe(false);
});

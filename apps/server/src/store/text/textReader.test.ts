import { beforeEach, expect, test } from "vitest";
import type { StoredTexts } from "../../column/pageTable.js";
import {
  createTextReader,
  type PageRooms,
  pageScratchBytes,
  smallPageBytes,
  type TextReader,
} from "../../column/textReader.js";
import { rescaleBatch } from "../columns/rescaleBatch.js";
import { TableColumns } from "../columns/tableColumns.js";
import { OpenSegment } from "../open/openSegment.js";
import { sealSegment } from "../seal/sealSegment.js";
import { segmentRowsMax } from "../segment/segmentView.js";
import { createLeafContext } from "../testing/leafContext.js";
import { batchOfRows, type PlainRow } from "../testing/plainRows.js";
import { compressText } from "./compressText.js";

const rowCount = 6_000;
/** A page of its own that takes the large room. */
const longRow = 3_000;
const columnNames = ["a", "b", "c", "d", "e"];
const textOf = (name: string, row: number): string =>
  row === longRow && name < "c"
    ? `${name}-`.repeat(60_000)
    : `${name}: request ${row * 31} of client ${row % 97} took ${(row * 7919) % 977} ms`;
const rows = Array.from({ length: rowCount }, (_, row): PlainRow => {
  return { time: row, values: new Map(columnNames.map((name) => [name, textOf(name, row)])) };
});

let pages: ReadonlyMap<string, StoredTexts>;
let made = 0;
let roomsFor: (count: number) => PageRooms;
let readerIn: (rooms: PageRooms) => TextReader;
beforeEach(async () => {
  const { memory, kernel } = createLeafContext(256 * 2 ** 20, (text) => expect.fail(text));
  const columns = new TableColumns();
  const batch = batchOfRows(rows);
  columns.take(batch);
  for (const name of columnNames) columns.storeAsText(name);
  const layoutOf = (name: string) => columns.layoutOf(name);
  const open = new OpenSegment(memory, kernel);
  const ready = rescaleBatch(batch, layoutOf);
  open.reserve(ready, layoutOf);
  open.append(ready);
  const raw = sealSegment(open.view(), 1, { memory, kernel });
  const pause = async (): Promise<void> => {};
  const { segment } = (await compressText(raw, { memory, kernel, pause }))!;
  pages = new Map(
    columnNames.map((name) => [name, segment.columns.get(name) as unknown as StoredTexts]),
  );
  const counted: typeof kernel = {
    ...kernel,
    fillTemplates: (...args) => {
      made++;
      return kernel.fillTemplates(...args);
    },
    lz4Decompress: (...args) => {
      made++;
      return kernel.lz4Decompress(...args);
    },
  };
  const decimalRoomOf = (bytes: number) => ({
    address: memory.queries.allocate(bytes)!,
    holder: null,
  });
  roomsFor = (count) => {
    const small = smallPageBytes(segmentRowsMax);
    return [
      decimalRoomOf(pageScratchBytes),
      ...Array.from({ length: count - 1 }, () => decimalRoomOf(small)),
    ];
  };
  readerIn = (rooms) => createTextReader(memory.memory, counted, rooms);
});

/**
 * Row after row of all these columns, by one reader after the other; returns how many pages were
 * made for it.
 */
function readBeside(readers: readonly TextReader[], names: readonly string[]): number {
  made = 0;
  for (let row = 0; row < rowCount; row++) {
    for (const [i, name] of names.entries()) {
      const text = readers[i % readers.length]!.text(pages.get(name)!, row);
      if (text !== textOf(name, row)) expect.fail(`${name} of row ${row} is ${text.slice(0, 80)}`);
    }
  }
  return made;
}

const pagesOfAll = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + pages.get(name)!.pageCount, 0);

test("columns that are read row by row beside each other have each of their pages made about once", () => {
  const names = columnNames.slice(0, 4);
  const pageCount = pagesOfAll(names);
  expect(pageCount).toBeGreaterThan(4 * 4);
  // A long text takes the room of another column, which has its page made again.
  expect(readBeside([readerIn(roomsFor(4))], names)).toBeLessThanOrEqual(pageCount + 8);
});

test("more columns than rooms, and readers that share rooms, read the same", () => {
  expect(readBeside([readerIn(roomsFor(4))], columnNames)).toBeGreaterThan(rowCount);
  const rooms = roomsFor(1);
  const sharing = [readerIn(rooms), readerIn(rooms)];
  expect(readBeside(sharing, columnNames.slice(0, 2))).toBeGreaterThan(rowCount);
});

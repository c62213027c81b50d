import { expect, it } from "vitest";
import { expectWrites, jsonPlace, jsonRowsOf, readRowsWithin } from "../testing/jsonReading.js";
import { Random } from "../testing/random.js";
import { accepts, cell, type RowLayout, rowLayout } from "./jsonCells.js";
import { jsonLayout, placesMax } from "./jsonLayout.js";
import type { JsonRows } from "./jsonRows.js";

const encoder = new TextEncoder();
const names = ["time", "n", "a name of quite some length, more than two vectors", "set", "list"];
const number = accepts.integer | accepts.fraction | accepts.null;
const accepted = [
  ...[accepts.integer, number, accepts.string | accepts.null, accepts.set, accepts.vector],
];
const places = names.map((name, i) => jsonPlace(name, accepted[i]!));

/** A row of places in their order; one in three lacks the set. */
function rowText(random: Random, i: number): string {
  const long = "x".repeat(random.below(50));
  const set = random.below(3) === 0 ? "" : `,"set":{"$set":["${long}"]}`;
  return `{"time":${i},"n":${random.below(100_000) / 8},"a name of quite some length, more than two vectors":"${long}"${set},"list":["${random.below(5)}"]}\n`;
}

/** As {@link readRowsWithin} does of these places. */
function readWithin(random: Random, lines: Uint8Array, most: number): [JsonRows, number] {
  return readRowsWithin(places, random, lines, most);
}

it("writes nowhere but where cells, texts and slots go, whatever was there before", () => {
  const random = new Random(5);
  const lines = Array.from({ length: 300 }, (_, i) => rowText(random, i));
  for (const most of [0, 1, 299, 300, 5_000]) {
    const [rows, count] = readWithin(random, encoder.encode(lines.join("")), most);
    expect(count).toBe(Math.min(most, 300));
    expect(rows.next).toBe(lines.slice(0, count).join("").length);
  }
});

/** What the hash of a text is, byte by byte. */
function plainHash(text: Uint8Array, seed: number): number {
  let hash = seed;
  const factor = 0x5bd1e995;
  const view = new DataView(text.buffer, text.byteOffset, text.byteLength);
  const words = text.length >> 2;
  for (let i = 0; i < words; i++) {
    const product = Math.imul(hash ^ view.getInt32(i * 4, true), factor);
    hash = product ^ (product >>> 15);
  }
  for (let i = words * 4; i < text.length; i++) hash = Math.imul(hash ^ text[i]!, factor);
  const mixed = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b);
  return mixed ^ (mixed >>> 16);
}

it("packs every text end to end with its hash, and writes nowhere else", () => {
  const random = new Random(7);
  const texts = Array.from(
    { length: 400 },
    (_, i) => "é|日本🜂".repeat(random.below(9)) + "x".repeat(i % 37) + i,
  );
  const line = (text: string) => `{"time":1,"${names[2]}":"${text}"}\n`;
  // Many of these share slots, and differ from each other in the first bytes only.
  const alike = Array.from({ length: 3_000 }, (_, i) => `${10_000 + i} ends as all of them do`);
  // The same, and differ in the middle only: early and late in it.
  const within = alike.map((text, i) => {
    const middle = i % 2 === 0 ? text.slice(0, 5) : `far from their start ${text.slice(0, 5)}`;
    return `begins as they do${middle}and ends as they do`;
  });
  for (const kept of [
    ...[[], texts.slice(0, 1), texts, [...texts, ...texts]],
    ...[
      [...alike, ...alike],
      [...within, ...within],
    ],
  ]) {
    const lines = encoder.encode(kept.map(line).join(""));
    const [rows, count] = readWithin(random, lines, 10_000);
    expect(count).toBe(kept.length);
    const packed = rows.packTexts(2, 0x7fff_fffe);
    const parts = Array.from(packed.ends, (end, i) =>
      packed.bytes.slice(i === 0 ? 0 : packed.ends[i - 1], end),
    );
    const { codes } = rows.cells[2]!;
    expect(Array.from(codes.subarray(0, count), (code) => parts[code - 1])).toEqual(
      kept.map((text) => encoder.encode(text)),
    );
    expect([...packed.hashes]).toEqual(parts.map((part) => plainHash(part, 0x7fff_fffe)));
    const { packed: at, packedEnds, packedHashes } = jsonLayout;
    expectWrites([
      [at, packed.bytes.length + 16],
      [packedEnds, packed.count * 4],
      [packedHashes, packed.count * 4],
    ]);
  }
});

it("reads lines where they were joined as those that were loaded", () => {
  const lines = encoder.encode('{"time":1,"n":2}\n{"time":3,"n":4}\n{"time":5,"n":6}\n');
  const rows = jsonRowsOf(places);
  for (const cut of [0, 1, 20, lines.length]) {
    const joined = rows.join([lines.subarray(0, cut), lines.subarray(cut)]);
    expect([...joined]).toEqual([...lines]);
    for (const start of [0, 17]) {
      const part = joined.subarray(start);
      rows.load(part, 17 - start, part.length);
      expect([rows.read(17 - start, 0, 9), rows.next]).toEqual([2, part.length]);
      expect([...rows.cells[1]!.numbers.subarray(0, 2)]).toEqual([4n, 6n]);
    }
  }
});

it("undoes the cells of a row that breaks off, wherever that is", () => {
  const random = new Random(6);
  const whole = '{"time":1,"n":2.5,"set":{"$set":["s"]},"list":["l"]}\n';
  const broken = `{"time":2,"n":0.25,"${names[2]}":"a text","set":{"$set":["t"]},"list":["m"]}`;
  for (let end = 0; end < broken.length; end++) {
    const lines = encoder.encode(`${whole}${broken.slice(0, end)}\n`);
    const [rows, count] = readWithin(random, lines, 10);
    expect([count, rows.next]).toEqual([1, whole.length]);
    expect(rows.cells.map(({ missing }) => missing)).toEqual([0, 0, 1, 0, 0]);
    expect(rows.cells.map(({ fractions }) => fractions)).toEqual([0, 1, 0, 0, 0]);
    expect(rows.cells.map(({ textCount }) => textCount)).toEqual([0, 0, 0, 1, 1]);
    const kinds = [cell.integer, cell.fraction, cell.missing, cell.text, cell.text];
    expect(rows.cells.map((cells) => cells.kinds[0])).toEqual(kinds);
  }
});

it("passes over spaces before names and values", () => {
  const line = encoder.encode('{ "time": 1,  "n":   2.5, "list":  ["a", "b"]}\n');
  const [rows, count] = readWithin(new Random(9), line, 9);
  expect([count, rows.next]).toEqual([1, line.length]);
  expect(rows.cells.map(({ missing }) => missing)).toEqual([0, 0, 1, 1, 0]);
});

it("reads rows of a list up to the one that no other follows, on one line or on one each", () => {
  const rows = jsonRowsOf(places);
  const { listedInLine, listedInLines, lines } = rowLayout;
  const row = '{"time":1,"n":2}';
  const read = (text: string, layout: RowLayout) => {
    // What lies behind is no part of it.
    rows.load(encoder.encode(`${text}\n\n${row}\n\n`), 0, text.length + row.length + 4);
    const bytes = encoder.encode(`${text}\n\n`);
    rows.load(bytes, 0, bytes.length);
    const count = rows.read(0, 0, 9, layout);
    return [count, text.slice(rows.next)];
  };
  for (const [between, layout] of [
    [",", listedInLine],
    [",  ", listedInLine],
    [",\t", listedInLine],
    [",\n", listedInLines],
    [",\r\n", listedInLines],
    [",\n \t", listedInLines],
  ] as const) {
    const list = [row, row, row].join(between);
    for (const end of ["", "]", ",", ", ", ",\r", ",]", ", 1]", ';{"time":1}', "\r"])
      expect(read(`${list}${end}`, layout)).toEqual([2, `${row}${end}`]);
    const others = [listedInLine, listedInLines, lines].filter((other) => other !== layout);
    for (const other of others) expect(read(`${list}]`, other)).toEqual([0, `${list}]`]);
  }
  for (const between of [";", "", ",\r", ",\r ", " ,", "\n,", ",\n\n", ",,", ",]"]) {
    const list = [row, row].join(between);
    for (const layout of [listedInLine, listedInLines])
      expect([between, ...read(list, layout)]).toEqual([between, 0, list]);
  }
});

it("has room for a number of names, and says when there are more", () => {
  const rows = jsonRowsOf(places);
  const many = Array.from({ length: placesMax + 1 }, (_, i) => jsonPlace(`n${i}`, accepts.integer));
  expect(rows.setPlaces(many)).toBe(false);
  const most = many.slice(1);
  expect(rows.setPlaces(most)).toBe(true);
  const line = `{${most.map((_, i) => `"n${placesMax - i}":${i}`).join(",")}}\n`;
  rows.load(encoder.encode(line.repeat(60)), 0, line.length * 60);
  expect(rows.read(0, 5, 100)).toBe(60);
  expect(rows.cells.map(({ numbers }) => numbers[59])).toEqual(
    most.map((_, i) => BigInt(placesMax - 1 - i)),
  );
  const long = Array.from({ length: 300 }, (_, i) => jsonPlace(`${"x".repeat(1_000)}${i}`, number));
  expect(rows.setPlaces(long)).toBe(false);
});

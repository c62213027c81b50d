import { expect, it } from "vitest";
import * as abi from "../assembly/abi.js";
import {
  accepts,
  cell,
  type JsonPlace,
  JsonRows,
  jsonLayout,
  jsonMemoryBytes,
  placesMax,
} from "./jsonRows.js";
import { createSharedMemory } from "./memory.js";
import { builtKernel } from "./testing/builtKernel.js";
import { Random } from "./testing/random.js";

const module = builtKernel();
const memory = createSharedMemory(jsonMemoryBytes);
const bytes = new Uint8Array(memory.buffer);
const expected = new Uint8Array(bytes.length);
const encoder = new TextEncoder();

function place(name: string, accepted: number): JsonPlace {
  const bounds = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
  return { key: encoder.encode(`"${name}":`), accepts: accepted, decimals: 3, ...bounds };
}

const names = ["time", "n", "a name of quite some length, more than two vectors", "set", "list"];
const number = accepts.integer | accepts.fraction | accepts.null;
const accepted = [
  ...[accepts.integer, number, accepts.string | accepts.null, accepts.set, accepts.vector],
];
const places = names.map((name, i) => place(name, accepted[i]!));

/** A row of places in their order; one in three lacks the set. */
function rowText(random: Random, i: number): string {
  const long = "x".repeat(random.below(50));
  const set = random.below(3) === 0 ? "" : `,"set":{"$set":["${long}"]}`;
  return `{"time":${i},"n":${random.below(100_000) / 8},"a name of quite some length, more than two vectors":"${long}"${set},"list":["${random.below(5)}"]}\n`;
}

/** Reads over whatever was in the memory before; all bytes that change lie where those of so many rows may. */
function readWithin(random: Random, lines: Uint8Array, most: number): [JsonRows, number] {
  const words = new Uint32Array(memory.buffer);
  // Also what slots may hold of texts.
  words.fill(random.below(2) === 0 ? random.u32() : 0x10001 * random.below(4));
  const rows = new JsonRows(module, { seed: 9n, memory });
  expect(rows.setPlaces(places)).toBe(true);
  rows.load(lines, 0, lines.length);
  expected.set(bytes);
  const count = rows.read(0, 0, most);
  const unescaped = [jsonLayout.unescaped, lines.length + 15] as const;
  for (const [start, length] of [...regionsOf(Math.min(count + 1, most)), unescaped])
    expected.set(bytes.subarray(start, start + length), start);
  expect(Buffer.compare(expected, bytes)).toBe(0);
  return [rows, count];
}

/** Where rows may be written to, and by how many bytes. */
function regionsOf(rowCount: number): (readonly [number, number])[] {
  const view = new DataView(memory.buffer);
  const regions = places.flatMap((_, i) => {
    const at = jsonLayout.places + i * abi.PLACE_BYTES;
    const word = (offset: number) => view.getUint32(at + offset, true);
    return [
      [at + abi.PLACE_NEXT_ROW, abi.PLACE_BYTES - abi.PLACE_NEXT_ROW],
      [word(abi.PLACE_KINDS), rowCount],
      [word(abi.PLACE_CELLS), rowCount * 8],
      [word(abi.PLACE_TEXTS), rowCount * abi.TEXT_BYTES],
      [word(abi.PLACE_SLOTS), 2 ** (65 - word(abi.PLACE_SLOT_SHIFT)) * 2],
    ] as const;
  });
  return [[jsonLayout.next, 4], ...regions];
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
  for (const kept of [[], texts.slice(0, 1), texts, [...texts, ...texts], [...alike, ...alike]]) {
    const lines = encoder.encode(kept.map(line).join(""));
    const [rows, count] = readWithin(random, lines, 10_000);
    expect(count).toBe(kept.length);
    expected.set(bytes);
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
    for (const [start, length] of [
      [at, packed.bytes.length + 15],
      [packedEnds, packed.count * 4],
      [packedHashes, packed.count * 4],
    ] as const)
      expected.set(bytes.subarray(start, start + length), start);
    expect(Buffer.compare(expected, bytes)).toBe(0);
  }
});

it("reads lines where they were joined as those that were loaded", () => {
  const lines = encoder.encode('{"time":1,"n":2}\n{"time":3,"n":4}\n{"time":5,"n":6}\n');
  const rows = new JsonRows(module, { seed: 9n, memory });
  expect(rows.setPlaces(places)).toBe(true);
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

it("takes back what it wrote of a row that breaks off, wherever that is", () => {
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

it("ends strings, alone and in lists and sets, at their quotes only", () => {
  const { 2: text } = names;
  const ways = [
    (value: string) => `{"time":1,"${text}":"${value}`,
    (value: string) => `{"time":1,"list":["${value}`,
    (value: string) => `{"time":1,"list":["a","${value}`,
    (value: string) => `{"time":1,"set":{"$set":["${value}`,
  ];
  // Whatever may follow a string follows what is none of its ends.
  const rests = ['"}', '"]}', '"]}}', '","time":2}', "}", ",", "]}", "]}}", '],"time":2}', ""];
  for (const way of ways) {
    for (const length of [0, 1, 14, 15, 16, 40]) {
      const start = "x".repeat(length);
      const ended = rests.filter((rest) => readLine(way(`${start}${rest}`)) === 1);
      expect(ended).toHaveLength(1);
      for (const stop of ["\\", "\t", "\r", "\u0000"]) {
        for (const rest of rests) expect(readLine(way(`${start}${stop}${rest}`))).toBe(0);
      }
    }
  }
});

/** How many rows are read of a line and the end of it, whatever the next one holds. */
function readLine(line: string): number {
  const lines = encoder.encode(`${line}\n{"time":1,"list":["a"]}\n`);
  const rows = new JsonRows(module, { seed: 9n, memory });
  expect(rows.setPlaces(places)).toBe(true);
  rows.load(lines, 0, lines.length);
  return rows.read(0, 0, 1);
}

/** What the kernel makes of strings as they are written, row by row. */
function textsOf(written: readonly string[]): string[] {
  const lines = encoder.encode(
    written.map((string) => `{"time":1,"${names[2]}":"${string}"}\n`).join(""),
  );
  const [rows, count] = readWithin(new Random(written.length), lines, written.length);
  expect(count).toBe(written.length);
  const { bytes: packed, ends } = rows.packTexts(2, 1);
  const { codes } = rows.cells[2]!;
  return Array.from(codes.subarray(0, count), (code) =>
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      packed.slice(code === 1 ? 0 : ends[code - 2], ends[code - 1]),
    ),
  );
}

it("reads escaped strings as the texts that they stand for, wherever the escapes are", () => {
  const points = [0, 0x1f, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x1_0000, 0x10_ffff];
  const escapes = [
    ...['\\"', "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u00E9", "\\uABCD", "\\uabcd"],
    ...points.map((point) =>
      Array.from({ length: point > 0xffff ? 2 : 1 }, (_, i) => {
        const unit = String.fromCodePoint(point).charCodeAt(i);
        return `\\u${unit.toString(16).padStart(4, "0")}`;
      }).join(""),
    ),
  ];
  const befores = [0, 1, 13, 14, 15, 16, 17, 40].map((length) => "x".repeat(length));
  const written = befores.flatMap((before) =>
    escapes.flatMap((one) => [
      `${before}${one}`,
      `${before}${one}${one}y${one}`,
      `${one}${before}é日🜂${one}`,
    ]),
  );
  const texts = textsOf(written);
  expect(texts).toEqual(written.map((string) => JSON.parse(`"${string}"`)));
  // Those that are written in other ways are the same texts.
  expect(textsOf(["é\\n", "\\u00e9\\u000a", "\\u00E9\n".replace("\n", "\\n")])).toEqual(
    Array.from({ length: 3 }, () => "é\n"),
  );
});

it("gives up rows with strings whose escapes are none, or halves of a pair", () => {
  const wrong = [
    ..."\\x \\U0041 \\u \\u1 \\u12 \\u123 \\u123g \\ug123 \\u12:4 \\u12/4 \\u12`4 \\u12@4 \\' \\0 \\N".split(
      " ",
    ),
    ..."\\ud800 \\udfff \\ud83d\\n \\ud83dx \\ud83d\\ud83d \\ud83d\\u0041 \\ud83d\\ue000 \\udc00\\ud83d \\udc00\\udc00".split(
      " ",
    ),
    ..."\\ud83d\\udg00 \\ud83d\\xdc00 \\ud83d/udc00 \\ud83d\\".split(" "),
    "\\\n",
  ];
  for (const before of ["", "x".repeat(15), "\\n"]) {
    for (const string of wrong)
      expect(readLine(`{"time":1,"${names[2]}":"${before}${string}"}`)).toBe(0);
  }
});

it("takes back a row that breaks off behind an escaped text, and reads such texts behind it", () => {
  const text = names[2];
  const lines = encoder.encode(
    `{"time":1,"${text}":"a\\tb"}\n{"time":2,"${text}":"c\\td","n":x}\n{"time":3,"${text}":"e\\tf"}\n`,
  );
  const [rows, count] = readWithin(new Random(3), lines, 9);
  expect([count, rows.cells[2]!.textCount]).toEqual([1, 1]);
  const third = lines.lastIndexOf(0x7b);
  expect(rows.read(third, 0, 9)).toBe(1);
  expect(Buffer.from(rows.packTexts(2, 1).bytes).toString()).toBe("e\tf");
});

it("reads integers up to the ends of 64 bits, and no farther", () => {
  const kept = [
    ..."9223372036854775807 -9223372036854775808 1000000000000000000 -1000000000000000000".split(
      " ",
    ),
    ..."999999999999999999 9223372036854775799 -9223372036854775807".split(" "),
  ];
  const lines = kept.map((value) => `{"time":1,"n":${value}}\n`).join("");
  const [rows, count] = readWithin(new Random(4), encoder.encode(lines), 99);
  expect([...rows.cells[1]!.numbers.subarray(0, count)]).toEqual(kept.map(BigInt));
  const refused = [
    ..."9223372036854775808 -9223372036854775809 9999999999999999999 10000000000000000000".split(
      " ",
    ),
    ..."-9999999999999999999 18446744073709551616 9223372036854775808.5 0000000000000000001".split(
      " ",
    ),
  ];
  for (const value of refused) expect(readLine(`{"time":1,"n":${value}}`)).toBe(0);
});

it("passes over spaces before names and values", () => {
  const line = encoder.encode('{ "time": 1,  "n":   2.5, "list":  ["a", "b"]}\n');
  const [rows, count] = readWithin(new Random(9), line, 9);
  expect([count, rows.next]).toEqual([1, line.length]);
  expect(rows.cells.map(({ missing }) => missing)).toEqual([0, 0, 1, 1, 0]);
});

it("has room for so many names, and says when there are more", () => {
  const rows = new JsonRows(module, { seed: 9n, memory });
  const many = Array.from({ length: placesMax + 1 }, (_, i) => place(`n${i}`, accepts.integer));
  expect(rows.setPlaces(many)).toBe(false);
  const most = many.slice(1);
  expect(rows.setPlaces(most)).toBe(true);
  const line = `{${most.map((_, i) => `"n${placesMax - i}":${i}`).join(",")}}\n`;
  rows.load(encoder.encode(line.repeat(60)), 0, line.length * 60);
  expect(rows.read(0, 5, 100)).toBe(60);
  expect(rows.cells.map(({ numbers }) => numbers[59])).toEqual(
    most.map((_, i) => BigInt(placesMax - 1 - i)),
  );
  const long = Array.from({ length: 100 }, (_, i) => place(`${"x".repeat(1_000)}${i}`, number));
  expect(rows.setPlaces(long)).toBe(false);
});

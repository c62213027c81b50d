import { expect, it } from "vitest";
import { jsonPlace, jsonRowsOf } from "../testing/jsonReading.js";
import { Random } from "../testing/random.js";
import { accepts } from "./jsonCells.js";
import type { JsonRows } from "./jsonRows.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const placesOf = (textNames: readonly string[]) => [
  jsonPlace("time", accepts.integer),
  ...textNames.map((name) => jsonPlace(name, accepts.string | accepts.null)),
];

/**
 * Reads on, and returns the texts of a place of these rows by their numbers. `known` holds those sent
 * before.
 */
function readTexts(rows: JsonRows, lines: string, place: number, known: string[]): string[] {
  const bytes = encoder.encode(lines);
  rows.load(bytes, 0, bytes.length);
  const count = rows.read(0, 0, 100_000);
  const { before, bytes: packed, ends } = rows.packTexts(place, 1);
  expect(known.length >= before).toBe(true);
  known.length = before;
  for (let i = 0; i < ends.length; i++)
    known.push(decoder.decode(packed.slice(i === 0 ? 0 : ends[i - 1], ends[i])));
  return Array.from(rows.cells[place]!.codes.subarray(0, count), (code) => known[code - 1]!);
}

it("numbers texts of every length from one read to the next, each listed once, whatever is loaded meanwhile", () => {
  const random = new Random(21);
  const pool = Array.from({ length: 300 }, (_, i) => {
    const middle = [..."é|日\n\t🜂x"].slice(0, random.below(8)).join("").repeat(random.below(12));
    return i < 100 ? "y".repeat(i) : `begins as others do ${middle} ${i} ends as others do`;
  });
  const rows = jsonRowsOf(placesOf(["a", "b"]));
  const known: string[] = [];
  const seen = new Set<string>();
  for (let read = 0; read < 40; read++) {
    const texts = Array.from({ length: 50 }, () => pool[random.below(pool.length)]!);
    const lines = texts.map((text, i) => `${JSON.stringify({ time: i, a: text, b: `${read}` })}\n`);
    expect(readTexts(rows, lines.join(""), 1, known)).toEqual(texts);
    for (const text of texts) seen.add(text);
    expect(known.length).toBe(seen.size);
  }
  expect(seen.size).toBeGreaterThan(250);
});

it("undoes the texts of a row that breaks off, and nothing of earlier reads", () => {
  const rows = jsonRowsOf(placesOf(["a", "b"]));
  const known: string[] = [];
  const row = (text: string, end = "}") => `{"time":1,"a":"${text}"${end}\n`;
  expect(readTexts(rows, row("one"), 1, known)).toEqual(["one"]);
  expect(readTexts(rows, row("one", ',"b":x}'), 1, known)).toEqual([]);
  expect(readTexts(rows, row("two", ',"b":x}'), 1, known)).toEqual([]);
  expect(readTexts(rows, row("three") + row("one"), 1, known)).toEqual(["three", "one"]);
  expect(known).toEqual(["one", "three"]);
});

it("forgets texts once other places are set", () => {
  const places = placesOf(["a"]);
  const rows = jsonRowsOf(places);
  const known: string[] = [];
  readTexts(rows, '{"time":1,"a":"one"}\n', 1, known);
  const { turn } = rows;
  rows.setPlaces(places);
  readTexts(rows, '{"time":1,"a":"two"}\n', 1, known);
  expect([rows.turn, known]).toEqual([turn, ["one", "two"]]);
  rows.setPlaces([...places]);
  expect(rows.turn).not.toBe(turn);
  expect(readTexts(rows, '{"time":1,"a":"two"}\n', 1, known)).toEqual(["two"]);
  expect(known).toEqual(["two"]);
});

it("numbers texts again where there may be no room for more of them, or for more of their bytes", () => {
  const names = Array.from({ length: 63 }, (_, i) => `n${i}`);
  const many = jsonRowsOf(placesOf(names));
  const unique = (read: number, length: number) =>
    Array.from({ length }, (_, i) => `${read} ${i} ${"of more than thirty-two bytes ".repeat(2)}`);
  const linesOf = (texts: readonly string[]) =>
    texts.map((text) => `{"time":1,"n0":"${text}"}\n`).join("");
  const known: string[] = [];
  const counts: number[] = [];
  for (let read = 0; read < 5; read++) {
    const texts = unique(read, 1_500);
    expect(readTexts(many, linesOf(texts), 1, known)).toEqual(texts);
    counts.push(known.length);
  }
  // There is room for two times 2,048, and a read may bring as many.
  expect(counts).toEqual([1_500, 3_000, 1_500, 3_000, 1_500]);
  const long = jsonRowsOf(placesOf(["n0", "n1"]));
  known.length = 0;
  for (let read = 0; read < 3; read++) {
    const texts = unique(read, 600).map((text) => text.repeat(60));
    expect(readTexts(long, linesOf(texts), 1, known)).toEqual(texts);
    expect(known.length).toBe(600);
  }
});

import { expect, it } from "vitest";
import { jsonPlace, jsonRowsOf, readRowsWithin, textsAt } from "../testing/jsonReading.js";
import { Random } from "../testing/random.js";
import { accepts, cell, type JsonCells } from "./jsonCells.js";
import type { JsonRows } from "./jsonRows.js";

const encoder = new TextEncoder();
const any = accepts.null | accepts.object;
const places = [
  jsonPlace("time", accepts.integer | accepts.time, [7, 7]),
  jsonPlace("n", accepts.integer | accepts.fraction | any, [7, 9]),
  jsonPlace("a name longer than a vector", accepts.string | any, [9, 9]),
  jsonPlace("set", accepts.set | any, [9, 9]),
  jsonPlace("list", accepts.vector | any, [9, 9]),
  { ...jsonPlace("id", accepts.integer | accepts.null, [9, 9]), min: 20n, max: 9_999n },
  jsonPlace("a name longer than a matrix", accepts.string, [9, 9]),
  // Within n.
  jsonPlace("id", accepts.integer | any, [9, 9]),
  jsonPlace("text", accepts.string | any, [9, 9]),
];

const digits = (random: Random, most: number) => `${random.u64()}`.slice(0, 1 + random.below(most));
const number = (random: Random, most = 18) =>
  random.pick(["", "", "-"]) + (1n + BigInt(digits(random, most)));
const fraction = (random: Random) => `${number(random, 8)}.${digits(random, 5)}`;
const long = (random: Random) => "xyz".repeat(random.below(20)) + random.below(9);
const string = (random: Random) =>
  JSON.stringify(random.pick(["", "a", "é\n", '"', "\\", long(random), long(random), "日本🜂"]));
const list = (random: Random) =>
  `[${Array.from({ length: random.below(3) }, () => string(random))}]`;
const scalars = (random: Random) => [
  ...["null", "true", "{}", "{", "01", "1e3", "[1,2]", '{"id":5}', "", '"\u0001"', "-0"],
  ...[
    number(random, 20),
    fraction(random),
    string(random),
    list(random),
    `{"$set":${list(random)}}`,
  ],
];

type Values = Readonly<Record<string, (random: Random) => string>>;

/** Mostly what the name's place accepts. */
const usual: Values = {
  time: (random) =>
    random.pick([`${random.below(2_000_000)}`, '"2025-06-21T10:00:00.25Z"', "1750464005463"]),
  n: (random) => random.pick([number(random), number(random), fraction(random), "null"]),
  "a name longer than a vector": (random) => random.pick([string(random), string(random), "null"]),
  set: (random) => `{"$set":${list(random)}}`,
  list,
  id: (random) => `${random.below(10_020)}`,
};

const nested = (random: Random) =>
  random.pick([
    ...['{"id":7,"text":"s"}', `{"id":${random.below(99)},"text":${string(random)}}`],
    ...[`{"text":${string(random)}}`, '{"id":1.5}', "{}"],
  ]);

/** How rows are written until one is written in another way. */
function shape(random: Random): (random: Random) => string {
  const names = Object.keys(usual).filter((name) => name === "time" || random.below(3) > 0);
  if (random.below(2) === 0) names.reverse();
  const [comma, colon] = random.pick([
    [",", ":"],
    [", ", ": "],
    [",  ", ":"],
  ] as const);
  const isNested = random.below(3) === 0;
  return (values) => {
    const fields = names.map((name) => {
      const value = isNested && name === "n" ? nested : usual[name]!;
      const text = values.below(250) === 0 ? values.pick(scalars(values)) : value(values);
      const other = name === "a name longer than a vector" && values.below(25) === 0;
      return JSON.stringify(other ? "a name longer than a matrix" : name) + colon + text;
    });
    if (values.below(300) === 0) fields.push(values.pick(fields));
    const end = values.below(200) === 0 ? values.pick(["", "", "", "} ", "}}", ",}", "]"]) : "}";
    return `{${fields.join(comma)}${end}`;
  };
}

/** Rows that are mostly like the one before. */
function rowTexts(random: Random, count: number): string[] {
  const shapes = Array.from({ length: 1 + random.below(3) }, () => shape(random));
  const change = random.pick([2, 10, 1_000]);
  let write = shapes[0]!;
  return Array.from({ length: count }, () => {
    if (random.below(change) === 0) write = random.pick(shapes);
    return write(random);
  });
}

/** Texts listed that no row has: those of fractions are listed beside their cells. */
function countUnused({ kinds, codes, textCount, fractions }: JsonCells, count: number): number {
  if (fractions > 0) return 0;
  const used = codes.subarray(0, count).filter((_, row) => kinds[row] === cell.text);
  return textCount - new Set(used).size;
}

/** Of each place: what its cells are, and what the whole column is known by. */
function columnsOf(rows: JsonRows, count: number) {
  return rows.cells.slice(0, places.length).map((cells, place) => {
    const { kinds, numbers, missing, fractions } = cells;
    const hasTexts = kinds.subarray(0, count).includes(cell.text);
    const texts = hasTexts ? textsAt(rows, place, count) : [];
    const values = Array.from(kinds.subarray(0, count), (kind, row) => {
      if (kind === cell.missing) return null;
      return kind === cell.text ? texts[row]! : [kind, numbers[row]!];
    });
    return { values, missing, fractions, unused: countUnused(cells, count) };
  });
}

it("keeps strings with escapes of a row that turns out to be unlike once", () => {
  const text = (i: number) => `${i}\n${"x".repeat(500)}`;
  // The name behind the string is another one every five rows.
  const lines = Array.from({ length: 25 }, (_, i) => {
    const last = Math.floor(i / 5) % 2 === 0 ? "id" : "list";
    return `{"time":${i},"a name longer than a matrix":${JSON.stringify(text(i))},"${last}":null}\n`;
  });
  const [rows, count] = readRowsWithin(places, new Random(1), encoder.encode(lines.join("")), 25);
  expect(count).toBe(25);
  expect(textsAt(rows, 6, 25)).toEqual(lines.map((_, i) => text(i)));
});

it("reads rows that are like one before as it reads each alone", () => {
  let read = 0;
  for (let seed = 1; seed <= 150; seed++) {
    const random = new Random(seed);
    const texts = rowTexts(random, 120);
    const lines = texts.map((text) => encoder.encode(`${text}\n`));
    const [whole, count] = readRowsWithin(places, random, Buffer.concat(lines), texts.length);
    read += count;
    const bytesRead = lines.slice(0, count).reduce((sum, { length }) => sum + length, 0);
    expect([seed, whole.next]).toEqual([seed, bytesRead]);
    const columns = columnsOf(whole, count);
    const alone = jsonRowsOf(places);
    const single = lines.slice(0, count + 1).map((line, row) => {
      // Texts of other rows are forgotten.
      alone.setPlaces([...places]);
      alone.load(line, 0, line.length);
      expect([seed, row, alone.read(0, 0, 1)]).toEqual([seed, row, row < count ? 1 : 0]);
      return columnsOf(alone, row < count ? 1 : 0);
    });
    expect([seed, ...columns.map(({ unused }) => unused)]).toEqual([seed, ...places.map(() => 0)]);
    columns.forEach(({ values, missing, fractions }, place) => {
      const each = single.slice(0, count).map((row) => row[place]!);
      const sum = (key: "missing" | "fractions") =>
        each.reduce((total, column) => total + column[key], 0);
      expect([seed, place, values]).toEqual([seed, place, each.map((column) => column.values[0])]);
      expect([seed, place, missing, fractions]).toEqual([
        ...[seed, place, sum("missing"), sum("fractions")],
      ]);
    });
  }
  // Not all of them end at their first rows.
  expect(read).toBeGreaterThan(150 * 15);
});

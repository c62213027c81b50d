import { expect, it } from "vitest";
import { jsonPlace, readRowsWithin, textsAt } from "../testing/jsonReading.js";
import { Random } from "../testing/random.js";
import { accepts, cell } from "./jsonCells.js";

const encoder = new TextEncoder();
const number = accepts.integer | accepts.fraction | accepts.null;
const nestedPlaces = [
  jsonPlace("time", accepts.integer, [3, 3]),
  jsonPlace("a", accepts.object | number, [3, 5]),
  jsonPlace("b", accepts.object | accepts.null, [5, 6]),
  // Within a,
  jsonPlace("x", number, [6, 6]),
  jsonPlace("b", accepts.object | accepts.string, [6, 7]),
  // b,
  jsonPlace("time", number, [7, 7]),
  // and a.b.
  jsonPlace("x", number, [7, 7]),
];

it("reads the names within objects as separate places", () => {
  const rowsAndCells = [
    ['{"time":1,"a":{"x":2,"b":{"x":3}},"b":{"time":4}}', [1, null, null, 2, null, 4, 3]],
    ['{"b":{"time":4},"a":{"b":{"x":3},"x":2},"time":1}', [1, null, null, 2, null, 4, 3]],
    ['{"time":1,"a":7,"b":null}', [1, 7, null, null, null, null, null]],
    ['{"time":1,"a":{},"b":{}}', [1, null, null, null, null, null, null]],
    ['{"time":1}', [1, null, null, null, null, null, null]],
    ['{ "time": 1, "a": { "b": { "x": 5}, "x": 6}}', [1, null, null, 6, null, null, 5]],
    ['{"time":1,"a":{"b":"s"}}', [1, null, null, null, "s", null, null]],
  ] as const;
  const lines = rowsAndCells.map(([line]) => `${line}\n`).join("");
  for (let from = 0; from < rowsAndCells.length; from++) {
    const kept = rowsAndCells.slice(from);
    const text = lines.slice(
      rowsAndCells.slice(0, from).reduce((sum, [line]) => sum + line.length + 1, 0),
    );
    const [rows, count] = readRowsWithin(nestedPlaces, new Random(from), encoder.encode(text), 99);
    expect(count).toBe(kept.length);
    const read = kept.map((_, row) =>
      rows.cells.map(({ kinds, numbers }, place) => {
        if (kinds[row] === cell.missing) return null;
        return kinds[row] === cell.text ? textsAt(rows, place, count)[row] : Number(numbers[row]);
      }),
    );
    expect(read).toEqual(kept.map(([, cells]) => cells));
    const missing = nestedPlaces.map(
      (_, place) => read.filter((row) => row[place] === null).length,
    );
    expect(rows.cells.map((cells) => cells.missing)).toEqual(missing);
  }
});

it("gives up objects with names that are unknown there or come twice, and takes back all of them", () => {
  const whole = '{"time":1,"a":{"x":2,"b":"s"}}\n';
  const refused = [
    ...'{"time":1,"a":{"y":1}} {"time":1,"a":{"time":1}} {"time":1,"x":1} {"time":1,"b":{"x":1}}'.split(
      " ",
    ),
    ...'{"time":1,"a":{"x":1},"a":{"b":"s"}} {"time":1,"a":{},"a":1} {"time":1,"b":{},"b":{}}'.split(
      " ",
    ),
    ...'{"time":1,"a":{"x":1,"x":1}} {"time":1,"a":{"x":1},"a":{"x":1}} {"time":1,"a":1,"a":{}}'.split(
      " ",
    ),
    ...'{"time":1,"a":{"x":1}} {"time":1,"a":{"x":1},} {"time":1,"a":{"x":1,}} {"time":1,"a":{,}}'
      .split(" ")
      .slice(1),
    ...'{"a":{"x":1}} {"b":{"time":1}} {"time":1,"a":{"x":1}}} {"time":1,"a":{"x":1} {"time":{}}'.split(
      " ",
    ),
    ...'{"time":1,"a":{"b":{"x":1,"b":1}}} {"time":1,"a":{"b":{"x":{}}}} {"time":1,"a":{"b":[]}}'.split(
      " ",
    ),
    '{"time":1,"a":{"x":2.12345,"b":"t"},"b":{"time":1.5},"c":1}',
    '{"time":1,"a":{"$set":["s"]}}',
    '{"time":1,"a":{ }}',
  ];
  for (const line of refused) {
    const lines = encoder.encode(`${whole}${line}\n${whole}`);
    const [rows, count] = readRowsWithin(nestedPlaces, new Random(1), lines, 9);
    expect([line, count, rows.next]).toEqual([line, 1, whole.length]);
    expect(rows.cells.map(({ missing }) => missing)).toEqual([0, 1, 1, 0, 0, 1, 1]);
    expect(rows.cells.map(({ fractions }) => fractions)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(rows.cells.map(({ textCount }) => textCount)).toEqual([0, 0, 0, 0, 1, 0, 0]);
  }
});

import { expect, it } from "vitest";
import { jsonPlace, readJsonLine, readRowsWithin, textsAt } from "../testing/jsonReading.js";
import { Random } from "../testing/random.js";
import { accepts, cell } from "./jsonCells.js";
import type { JsonRows } from "./jsonRows.js";

const encoder = new TextEncoder();
const number = accepts.integer | accepts.fraction | accepts.null;
const places = [
  jsonPlace("time", accepts.integer | accepts.time),
  jsonPlace("n", number),
  jsonPlace("text", accepts.string | accepts.null),
  jsonPlace("set", accepts.set),
  jsonPlace("list", accepts.vector),
];

/** How many rows are read of a line and the end of it, whatever the next one holds. */
function readLine(line: string): number {
  return readJsonLine(places, line)[1];
}

/** Reads rows of a name with these values, as they are written. */
function readValues(name: string, values: readonly string[]): JsonRows {
  const lines = values.map((value) => `{"time":1,"${name}":${value}}\n`).join("");
  const random = new Random(values.length);
  const [rows, count] = readRowsWithin(places, random, encoder.encode(lines), values.length);
  expect(count).toBe(values.length);
  return rows;
}

it("ends strings, alone and in lists and sets, at their quotes only", () => {
  const ways = [
    (value: string) => `{"time":1,"text":"${value}`,
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

/** What the kernel makes of strings as they are written, row by row. */
function textsOf(written: readonly string[]): string[] {
  const rows = readValues(
    "text",
    written.map((string) => `"${string}"`),
  );
  return textsAt(rows, 2, written.length);
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
    for (const string of wrong) expect(readLine(`{"time":1,"text":"${before}${string}"}`)).toBe(0);
  }
});

it("takes back a row that breaks off behind an escaped text, and reads such texts behind it", () => {
  const lines = encoder.encode(
    `{"time":1,"text":"a\\tb"}\n{"time":2,"text":"c\\td","n":x}\n{"time":3,"text":"e\\tf"}\n`,
  );
  const [rows, count] = readRowsWithin(places, new Random(3), lines, 9);
  expect([count, rows.cells[2]!.textCount]).toEqual([1, 1]);
  const third = lines.lastIndexOf(0x7b);
  expect(rows.read(third, 0, 9)).toBe(1);
  expect(Buffer.from(rows.packTexts(2, 1).bytes).toString()).toBe("a\tbe\tf");
});

it("reads integers up to the ends of 64 bits, and no farther", () => {
  const kept = [
    ..."9223372036854775807 -9223372036854775808 1000000000000000000 -1000000000000000000".split(
      " ",
    ),
    ..."999999999999999999 9223372036854775799 -9223372036854775807".split(" "),
  ];
  const lines = kept.map((value) => `{"time":1,"n":${value}}\n`).join("");
  const [rows, count] = readRowsWithin(places, new Random(4), encoder.encode(lines), 99);
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

it("reads times as RFC 3339 writes them, of every day there is", () => {
  const random = new Random(12);
  const times = Array.from({ length: 4_000 }, (_, i) => {
    const ms =
      i < 8 ? 0 : random.below(2 ** 30) * 300_000 - 62_135_596_800_000 + random.below(1_000);
    return Math.min(ms, 253_402_300_799_999);
  });
  const zones = [0, 1, 59, 60, 330, 23 * 60 + 59].flatMap((minutes) => [minutes, -minutes]);
  const written = times.map((time, i) => {
    const zone = zones[i % zones.length]!;
    const local = new Date(time + zone * 60_000).toISOString();
    if (local.length > 24) return { time, text: new Date(time).toISOString() };
    const digits = local.slice(20, 23) + "9".repeat(i % 7);
    const fraction = local.endsWith(".000Z") && i % 2 === 0 ? "" : `.${digits}`;
    const hours = String(Math.floor(Math.abs(zone) / 60)).padStart(2, "0");
    const minutes = String(Math.abs(zone) % 60).padStart(2, "0");
    const sign = zone < 0 ? "-" : "+";
    const offset = zone === 0 && i % 3 > 0 ? "Z" : `${sign}${hours}:${minutes}`;
    return { time, text: `${local.slice(0, 19)}${fraction}${offset}` };
  });
  const lines = written.map(({ text }) => `{"time":"${text}"}\n`).join("");
  const [rows, count] = readRowsWithin(places, random, encoder.encode(lines), 9_999);
  expect(count).toBe(times.length);
  expect(Array.from(rows.cells[0]!.numbers.subarray(0, count), Number)).toEqual(times);
});

it("reads times of the ends of months, and gives up leap seconds and those that are none", () => {
  const kept = [
    ..."2000-02-29T00:00:00Z 2024-02-29T23:59:59Z 1900-02-28T00:00:00Z 2025-12-31T00:00:00Z".split(
      " ",
    ),
    ..."2025-01-31T00:00:00Z 2025-04-30T00:00:00Z 2025-07-31T00:00:00Z 2025-08-31T00:00:00Z".split(
      " ",
    ),
    ..."2025-06-21T10:00:00.1Z 2025-06-21T10:00:00.12Z 2025-06-21T10:00:00.0129999999Z".split(" "),
  ];
  const rows = kept.map((text) => readJsonLine(places, `{"time":"${text}"}`));
  expect(rows.map(([, count]) => count)).toEqual(kept.map(() => 1));
  for (const text of kept) {
    const [read] = readJsonLine(places, `{"time":"${text}"}`);
    expect(Number(read.cells[0]!.numbers[0])).toBe(Date.parse(text.replace(/(\.\d{3})\d*/, "$1")));
  }
  const refused = [
    ..."1900-02-29T00:00:00Z 2023-02-29T00:00:00Z 2024-02-30T00:00:00Z 2025-04-31T00:00:00Z".split(
      " ",
    ),
    ..."2025-06-31T00:00:00Z 2025-09-31T00:00:00Z 2025-11-31T00:00:00Z 2025-01-32T00:00:00Z".split(
      " ",
    ),
    ..."2025-00-01T00:00:00Z 2025-13-01T00:00:00Z 2025-01-00T00:00:00Z 2025-01-01T24:00:00Z".split(
      " ",
    ),
    ..."2025-01-01T00:60:00Z 2025-01-01T00:00:61Z 2025-01-01T00:00:00 2025-01-01T00:00:00.Z".split(
      " ",
    ),
    ..."2025-01-01T00:00:00+24:00 2025-01-01T00:00:00+00:60 2025-01-01T00:00:00+0000".split(" "),
    ..."2016-12-31T23:59:60Z 2016-12-31T12:00:60Z 2016-12-31T15:59:60-08:00".split(" "),
    ..."2025-01-01T00:00:00+00:0 2025-01-01T00:00:00x 2025-01-01T00:00:00ZZ 2025-01-01T00:00Z".split(
      " ",
    ),
    ..."2025-01-01T00:00:00+0x:00 2025-01-01T00:00:00+00:x0 2025-01-01T00:00:00+00-00".split(" "),
  ];
  for (const text of refused) expect([text, readLine(`{"time":"${text}"}`)]).toEqual([text, 0]);
  // Any digit that is none, and any sign that is another.
  const time = "2025-06-21T10:00:00Z";
  for (let i = 0; i < time.length; i++) {
    for (const other of [":", "/", "x", " ", "é"]) {
      const wrong = `{"time":"${time.slice(0, i)}${other}${time.slice(i + 1)}"}`;
      if (wrong !== `{"time":"${time}"}`) expect([wrong, readLine(wrong)]).toEqual([wrong, 0]);
    }
  }
});

it("takes no time out of bounds, and none where there is none", () => {
  const bounded = [{ ...places[0]!, min: 0n, max: 999n }, ...places.slice(1)];
  const read = (line: string) => readJsonLine(bounded, line)[1];
  expect(read('{"time":"1970-01-01T00:00:00.999Z"}')).toBe(1);
  expect(read('{"time":"1970-01-01T00:00:01Z"}')).toBe(0);
  expect(read('{"time":"1969-12-31T23:59:59.999Z"}')).toBe(0);
  expect(readLine('{"time":1,"n":"1970-01-01T00:00:00Z"}')).toBe(0);
  expect(readLine('{"time":1,"list":"1970-01-01T00:00:00Z"}')).toBe(0);
});

it("cuts fractions behind their place's digits", () => {
  const cut = {
    "0.1234": 123n,
    "-0.1234": -123n,
    "1.0005": 1_000n,
    "7.00000001": 7_000n,
    "0.00012": 0n,
    "-0.00099": 0n,
    "1234567890123.5": 1_234_567_890_123_500n,
    "-123456789012.25": -123_456_789_012_250n,
    "999999999999999.125": 999_999_999_999_999_125n,
    "1690000000.123450": 1_690_000_000_123n,
    "0.00000000000000001": 0n,
    "0.12340": 123n,
    "-0.12340": -123n,
    "0.0000001": 0n,
  };
  const exact = {
    "0.5": 500n,
    "-1.25": -1_250n,
    "12345678.125": 12_345_678_125n,
    "123456789012.25": 123_456_789_012_250n,
    "0.100": 100n,
  };
  const whole = { "7.0": 7n, "7.000000": 7n, "7.00000000000000000": 7n, "-0.0000": 0n };
  const rows = readValues("n", [cut, exact, whole].flatMap(Object.keys));
  const { numbers, kinds, fractions, textCount } = rows.cells[1]!;
  const values = [cut, exact, whole].flatMap((part) => Object.values<bigint>(part));
  expect([...numbers.subarray(0, values.length)]).toEqual(values);
  const fractionCount = Object.keys({ ...cut, ...exact }).length;
  expect([...kinds.subarray(0, values.length)]).toEqual(
    values.map((_, i) => (i < fractionCount ? cell.fraction : cell.integer)),
  );
  expect([fractions, textCount]).toEqual([fractionCount, 0]);
});

it("gives up fractions that are none, or that 64 bits may not hold", () => {
  const refused = [
    ..."1234567890123456.5 0.1234e1 0.1234E1 0.1234x 1. 1.x".split(" "),
    ..."1.12345.6 -.5 -1. 01.5".split(" "),
  ];
  for (const value of refused)
    expect([value, readLine(`{"time":1,"n":${value}}`)]).toEqual([value, 0]);
  expect(readLine('{"time":1.5}')).toBe(0);
});

it("takes back the fraction of a row that breaks off", () => {
  const lines = '{"time":1,"n":0.12345}\n{"time":2,"n":0.54321,"text":x}\n';
  const [rows, count] = readRowsWithin(places, new Random(2), encoder.encode(lines), 9);
  expect([count, rows.cells[1]!.textCount, rows.cells[1]!.fractions]).toEqual([1, 0, 1]);
});

it("takes true and false as strings where strings are expected, and leaves numbers to the exact reader", () => {
  const kept = ["true", "false"];
  const rows = readValues("text", kept);
  expect(textsAt(rows, 2, kept.length)).toEqual(kept);
  const refused = "0 7 -7 123456789012345 0.5 -0.5 1e3 1.5e3 0x1 tru truex falsy nul".split(" ");
  for (const value of refused)
    expect([value, readLine(`{"time":1,"text":${value}}`)]).toEqual([value, 0]);
  for (const name of ["set", "list"]) expect(readLine(`{"time":1,"${name}":5}`)).toBe(0);
});

it("has bounds for fractions: those of their scale", () => {
  const wide = places.map((place) => ({ ...place, decimals: 12 }));
  expect(readJsonLine(wide, '{"time":1,"n":123456.5}')[1]).toBe(1);
  expect(readJsonLine(wide, '{"time":1,"n":1234567.5}')[1]).toBe(0);
});

it("passes over lists and sets of anything, and gives up those that are no JSON", () => {
  const elements = [
    ...'"a" 1 -1.5 true false null [] {} [1,[2]] {"a":1} {"a":{"b":[]},"c":"d"} "\\n" ""'.split(
      " ",
    ),
    ...'{"\\u00e9":"\\ud83d\\ude00"} [[[[[[[[1]]]]]]]]'.split(" "),
  ];
  const kept = [
    ...elements.map((element) => `[${element}]`),
    `[${elements}]`,
    `[${elements.join(", ")}]`,
    '[ {"a": 1, "b": [ 2, "c"]}]',
  ];
  expect(textsAt(readValues("list", kept), 4, kept.length)).toEqual(kept);
  const sets = kept.map((list) => `{"$set":${list}}`);
  expect(textsAt(readValues("set", sets), 3, sets.length)).toEqual(sets);
  const refused = [
    ...'[ [1 [1,] [,1] [1,,2] [1}  {1] [01] [1e3] [1.0] [-0] [1.] [tru] [nul] ["a] ["\\x"] [a]'.split(
      " ",
    ),
    ...'[{"a"}] [{"a":}] [{"a":1,}] [{,}] [{a:1}] [{1:1}] [{"a" :1}] [{"a":1] [{"\\x":1}]'.split(
      " ",
    ),
    ...'[[[[[[[[[[1]]]]]]]]]] [{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":{"a":1}}}}}}}}}]'.split(" "),
    ...'[1]] ["\\ud800"] [1234567890123456] [1;2] [{"a":1;"b":2}] [{"a";1}]'.split(" "),
  ];
  for (const list of refused) {
    expect([list, readLine(`{"time":1,"list":${list}}`)]).toEqual([list, 0]);
    expect([list, readLine(`{"time":1,"set":{"$set":${list}}}`)]).toEqual([list, 0]);
  }
});

it("keeps what is escaped within lists apart from what is escaped in texts", () => {
  const line =
    '{"time":1,"list":["a\\tb"],"text":"c\\td"}\n{"time":1,"text":"e\\tf","list":["g\\th"]}\n';
  const [rows, count] = readRowsWithin(places, new Random(1), encoder.encode(line), 9);
  expect(count).toBe(2);
  expect(textsAt(rows, 2, 2)).toEqual(["c\td", "e\tf"]);
  expect(textsAt(rows, 4, 2)).toEqual(['["a\\tb"]', '["g\\th"]']);
});

import { JsonRows, loadKernelModuleSync } from "@hadal/kernel-wasm";
import type { ColumnSetting } from "@hadal/sdk";
import fc from "fast-check";
import { expect, it } from "vitest";
import { rulesOf } from "./columnRule.js";
import { createNdjsonReader } from "./ndjsonReader.js";
import { RowCollector } from "./rowCollector.js";

const module = loadKernelModuleSync();
const windows = [150, 700, 262_144, 3_145_728].map((windowBytes) => ({
  windowBytes,
  json: new JsonRows(module, { seed: 11n, windowBytes }),
}));

const noPlaces = { placeCount: { value: 0 } };
/** The same reader with a kernel that can read nothing: every row goes the way that has the last word. */
const noKernel = Object.assign(Object.create(JsonRows.prototype, noPlaces) as JsonRows, {
  windowBytesMax: 262_144,
  join: (parts: readonly Uint8Array[]) => Buffer.concat(parts),
  load: () => undefined,
  setPlaces: () => false,
});

interface Reading {
  readonly json: JsonRows;
  readonly pieceBytes: number;
  readonly timeName?: string | undefined;
  readonly columns?: readonly ColumnSetting[];
}

function read(body: Buffer, { json, pieceBytes, timeName, columns = [] }: Reading) {
  const collector = new RowCollector(timeName, rulesOf(columns));
  const reader = createNdjsonReader(collector, json);
  for (let at = 0; at < body.length; at += pieceBytes)
    reader.push(body.subarray(at, at + pieceBytes));
  reader.end();
  return collector.finish();
}

/** Rows that were read without the general parsers. */
function countKernelRows<Result>(run: () => Result): { readonly result: Result; rows: number } {
  const counted = RowCollector.prototype.addLines;
  let rows = 0;
  RowCollector.prototype.addLines = function (...parameters) {
    const added = counted.apply(this, parameters);
    rows += added;
    return added;
  };
  try {
    return { result: run(), rows };
  } finally {
    RowCollector.prototype.addLines = counted;
  }
}

const texts = fc.oneof(
  fc.constantFrom(
    ..."|a|b|ab|true|null|0|7 letter|8 letters|15 letters long|16 letters, long|17 letters, long".split(
      "|",
    ),
    ..."one text of more than 32 bytes, or so|one text of more than 32 bytes, or no|é|日本🜂|\u007f".split(
      "|",
    ),
  ),
  fc.string({ maxLength: 40 }),
  fc.string({ maxLength: 20, unit: fc.constantFrom(...'ab"\\\n\u0001é日🜂') }),
);
/** A string as another writer may write it: with escapes where none are needed. */
const written = fc.tuple(texts, fc.nat(9)).map(([text, which]) => {
  const string = JSON.stringify(text);
  if (which < 7) return string;
  if (which === 7) return string.replaceAll(/[^ -~]/g, (unit) => inHex(unit));
  return string.replaceAll(/[a-f](?!\w)/g, (unit) => inHex(unit));
});

function inHex(units: string): string {
  return Array.from(
    { length: units.length },
    (_, i) => `\\u${units.charCodeAt(i).toString(16).padStart(4, "0")}`,
  ).join("");
}

const objects = fc
  .array(
    fc.tuple(written, fc.oneof(written, fc.constantFrom(..."1 -0 01 1e3 null {} [{}]".split(" ")))),
    {
      maxLength: 3,
    },
  )
  .map((members) => `{${members.map(([name, value]) => `${name}:${value}`)}}`);
const anything = fc.oneof(
  { weight: 3, arbitrary: written },
  objects,
  fc.json(),
  fc.integer().map(String),
  fc.constantFrom(
    ..."true false null 0 -0 1.5 -0.25 1.50 0.000001 0.0000001 01 1e3 -123456789012345".split(" "),
    ..."123456789012345 1234567890123456 -1234567.1234567 [1] {} - . tru [[],[1,[]]]".split(" "),
    ..."[[[[[[[[9]]]]]]]] [[[[[[[[[9]]]]]]]]] [[[[[[[[[[[9]]]]]]]]]]] [,] [1,] {,} [1e1]".split(
      " ",
    ),
  ),
);
const lists = fc.oneof(
  { weight: 3, arbitrary: fc.array(texts, { maxLength: 3 }).map((list) => JSON.stringify(list)) },
  { weight: 1, arbitrary: fc.array(anything, { maxLength: 3 }).map((list) => `[${list}]`) },
);
const kinds = {
  int: fc.oneof(
    fc.constantFrom(
      ..."0 -0 7 -7 10 1234567 12345678 123456789 1234567890123456 12345678901234567".split(" "),
      ..."999999999999999999 -999999999999999999 9223372036854775807 1.0 -2.50 0.000001".split(" "),
      ..."123456789.123456 0.1234567 1.5 -0.0 1e3 100000000000000 9223372036854775808".split(" "),
      ..."1234567890123456789 -9223372036854775808 -9223372036854775809".split(" "),
      ..."1.00000000 0.0000001 0.000001 -0.0000010 9999999999999.5 1690000000.1234567".split(" "),
      ..."1690000000.123450 0.00000000000000000 -0.00000000000000001 123456789012.5".split(" "),
      ..."-12345678.123450 -12345678.123456 1234567890123456.5 999999999999.9999999".split(" "),
    ),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => value.toFixed(9)),
    fc.integer().map(String),
    fc.maxSafeInteger().map(String),
    fc.integer().map((value) => (value / 1000).toFixed(3)),
  ),
  text: written,
  flag: fc.constantFrom("true", "false"),
  set: lists.map((list) => `{"$set":${list}}`),
  list: lists,
  none: fc.constantFrom("null", "null", "null", "{}"),
};
/** A column whose values are now of one kind, now of another. */
const mixed = fc.oneof(kinds.int, kinds.text, kinds.flag, kinds.none);
/** Objects within objects, of mostly the same names. */
const nested = fc
  .record({
    a: fc.oneof({ weight: 9, arbitrary: kinds.int }, fc.constantFrom("{}", '{"b":1}', "null")),
    inner: fc.oneof(
      { weight: 9, arbitrary: kinds.text.map((text) => `{"é":${text},"n":null}`) },
      fc.constantFrom("{}", '{"new":1}', "7", '{"$set":["a"]}', '{"é":1,"é":2}', '{"n":{}} '),
    ),
    has: fc.tuple(fc.boolean(), fc.boolean(), fc.nat(9)),
  })
  .map(({ a, inner, has: [hasA, hasInner, turn] }) => {
    const members = [
      ...(hasA ? [`"a":${a}`] : []),
      ...(hasInner ? [`"in ner":${inner}`] : []),
      ...(turn === 0 ? ['"x.y":"z"'] : []),
      ...(turn < 3 ? [`"y":${turn}`] : []),
    ];
    return `{${(turn > 7 ? members.reverse() : members).join(",")}}`;
  });
const columnKinds = { ...kinds, mixed, nested };
const odd = fc.constantFrom(
  ...'null null null "a\\nb" "\\u00e9" "\\ud800" {} {"x":1} [] [1] ["a",1] [["a"]] ["a"'.split(" "),
  ...'{"$set":["a"],"x":1} {"$set":1} tru nul 01 - -a 1. .5 1e400 1.e1 1.5e1 12E2 "open'.split(" "),
  ...'"a\tb" 0x1 +1 NaN'.split(" "),
  '["b" , "a"]',
  '[ "b"]',
  '["b", "a"]',
  '{"$set": ["b", "a"]}',
  "18446744073709551616",
);
const names = fc.constantFrom(
  "a",
  "b",
  "long_name.of.more.than.16.bytes",
  "é",
  'q"x',
  "__proto__",
  "x.y",
  "x",
);
const isoTimes = [
  ..."2025-06-21T10:00:00.5Z 2024-02-29T23:59:60+05:30 1969-12-31T23:59:59.9999-14:00".split(" "),
  ..."2023-02-29T00:00:00Z 2025-06-21T10:00:00 2025-06-21T10:00Z 2025-06-21T24:00:00Z".split(" "),
  ..."2025-06-21T10:00:00.Z 0000-01-01T00:00:00Z 2025-06-21T10:00:00+0200 x".split(" "),
].map((text) => JSON.stringify(text));
const times = fc.constantFrom(
  "1",
  "2",
  "1750464000000",
  "-5",
  '"2025-06-21T10:00:00Z"',
  "1.5",
  "null",
  "-0",
  "9e99",
  ...isoTimes,
);

/** Null, and once in so many times something else. */
const seldom = <Value>(times: number, value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: times, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

const moments = fc.date({ noInvalidDate: true }).map((date) => JSON.stringify(date));

/** A table's rows, mostly alike; each cell may be left out, or be something else. */
const bodies = fc
  .record({
    columns: fc.uniqueArray(fc.tuple(names, fc.constantFrom(...Object.keys(columnKinds))), {
      minLength: 1,
      maxLength: 5,
      selector: ([name]) => name,
    }),
    isRated: fc.boolean(),
    isIso: fc.boolean(),
  })
  .chain(({ columns, isRated, isIso }) => {
    const cell = ([name, kind]: readonly [string, string]) =>
      fc
        .oneof(
          { weight: 60, arbitrary: columnKinds[kind as keyof typeof columnKinds] },
          { weight: 1, arbitrary: odd },
          { weight: 2, arbitrary: fc.constant("") },
        )
        .map((text) => (text === "" ? "" : `${JSON.stringify(name)}:${text}`));
    const rates = fc.constantFrom("1", "1", "2", "2147483647", "0", "null", "1.0", "2147483648");
    const rare = <Value>(usual: Value, ...others: Value[]) =>
      fc.oneof(
        { weight: 100, arbitrary: fc.constant(usual) },
        { weight: 1, arbitrary: fc.constantFrom(...others) },
      );
    const row = fc
      .record({
        time: fc.oneof(
          { weight: 50, arbitrary: isIso ? moments : fc.integer().map(String) },
          { weight: 1, arbitrary: times },
        ),
        cells: fc.tuple(...columns.map(cell)),
        rate: isRated
          ? fc.oneof({ weight: 20, arbitrary: fc.constant("3") }, rates)
          : fc.constant(""),
        comma: rare(",", ", ", " ,", ",,", ",  "),
        isTurned: rare(false, true),
        twice: rare(false, true),
        slip: seldom(
          100,
          fc.tuple(fc.nat(80), fc.constantFrom(...'{}[]",: \\x0\t\n\r', "", "\ud800")),
        ),
        end: rare("\n", "\r\n", "\n\n", " \n", "x\n", "\r\r\n", "\n \n", "\u0000\n"),
      })
      .map(({ time, cells, rate, comma, isTurned, twice, slip, end }) => {
        const parts = [`"time":${time}`, ...cells, rate === "" ? "" : `"sample_rate":${rate}`];
        const kept = parts.filter((part) => part !== "");
        if (isTurned) kept.reverse();
        if (twice) kept.push(kept[kept.length - 1]!);
        const text = `{${kept.join(comma)}}`;
        const slipped =
          slip === null ? text : text.slice(0, slip[0]) + slip[1] + text.slice(slip[0] + 1);
        return slipped + end;
      });
    return fc.array(row, { minLength: 2, maxLength: 60, size: "max" });
  })
  .map((rows) => rows.join(""));
const rules = fc.constantFrom<readonly ColumnSetting[]>(
  [],
  [],
  [],
  [
    { name: "a", type: "string" },
    { name: "b", decimals: 2 },
  ],
  [
    { name: "a", type: "int" },
    { name: "b", type: "set" },
  ],
  [
    { name: "a.a", type: "string" },
    { name: "a.in ner", type: "vector" },
    { name: "b.a", decimals: 1 },
    { name: "x.in ner.é", type: "int" },
  ],
  [
    { name: "a", type: "int", decimals: 3 },
    { name: "b", type: "vector" },
  ],
);

it("reads with the kernel what it reads without, to the byte, however a body comes", () => {
  const { rows } = countKernelRows(() =>
    fc.assert(
      fc.property(
        fc.record({
          text: bodies,
          isCut: fc.boolean(),
          broken: seldom(20, fc.nat()),
          pieceBytes: fc.oneof(fc.integer({ min: 1, max: 80 }), fc.constant(1 << 20)),
          window: fc.constantFrom(...windows),
          columns: rules,
          timeName: fc.oneof(
            { weight: 12, arbitrary: fc.constant(undefined) },
            fc.constantFrom("a.a", "x.y"),
          ),
          isSpaced: fc.boolean(),
        }),
        ({ text, isCut, broken, pieceBytes, window, columns, timeName, isSpaced }) => {
          // As Python writes it; spaces within strings change too, which is as good.
          const spaced = isSpaced ? text.replaceAll(":", ": ").replaceAll(",", ", ") : text;
          const body = Buffer.from(isCut ? spaced.slice(0, -1) : spaced);
          if (broken !== null) body[broken % body.length] = 0xff;
          const reading = { pieceBytes, columns, timeName };
          const with_ = read(body, { ...reading, json: window.json });
          expect(with_).toEqual(read(body, { ...reading, json: noKernel }));
        },
      ),
      { numRuns: 600 },
    ),
  );
  expect(rows).toBeGreaterThan(2_000);
});

it("reads rows of many batches and columns that come late with the kernel", () => {
  const lines = Array.from({ length: 40_000 }, (_, i) => {
    const late = i > 20_000 ? `,"late_${i % 3}":"x${i % 7}"` : "";
    const often = i % 500 === 0 ? `"a\\t${i}"` : `"text ${i % 4_000}"`;
    return `{"time":${i},"n":${i % 9 === 0 ? "null" : i},"s":${often}${late}}`;
  });
  const body = Buffer.from(lines.join("\n"));
  const json = new JsonRows(module, { seed: 3n });
  const { result, rows } = countKernelRows(() => read(body, { json, pieceBytes: 65_536 }));
  // Those without are the first, the first with late columns, and what is read before the kernel is asked again.
  expect(rows).toBeGreaterThan(39_950);
  expect(result).toEqual(read(body, { json: noKernel, pieceBytes: 65_536 }));
});

it("reads rows of names within each other as deep as rows may be, and no deeper", () => {
  const row = (depth: number, value: string, rest = "") =>
    `{"time":1,${'"a":{'.repeat(depth)}"a":${value}${"}".repeat(depth)}${rest}}`;
  for (const depth of [1, 14, 15, 16, 62, 63]) {
    const values = ["1", "{}", '{"a":2}', "[[[[[1]]]]]", "3", "{}"];
    const exact = ',"b":12345678901234567';
    const lines = values.flatMap((value) => [row(depth, value), row(depth, value, exact)]);
    const body = Buffer.from([...lines, ...lines].join("\n"));
    const reading = { pieceBytes: 65_536 };
    const json = new JsonRows(module, { seed: 3n });
    expect(read(body, { ...reading, json })).toEqual(read(body, { ...reading, json: noKernel }));
  }
});

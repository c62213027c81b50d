import type { ColumnSetting } from "@hadal/sdk";
import fc from "fast-check";

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

/** Null, and a value about once in `times`. */
export const seldom = <Value>(
  times: number,
  value: fc.Arbitrary<Value>,
): fc.Arbitrary<Value | null> =>
  fc.oneof({ weight: times, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: value });

const moments = fc.date({ noInvalidDate: true }).map((date) => JSON.stringify(date));

/** Lines of a table's rows, mostly alike; each cell may be left out, or be something else. */
export const jsonLines = fc
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
/** Settings of some of their columns. */
export const columnSettings = fc.constantFrom<readonly ColumnSetting[]>(
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

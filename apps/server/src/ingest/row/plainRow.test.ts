import fc from "fast-check";
import { expect, it } from "vitest";
import { trials } from "../../../test/oracle/seed/seed.js";
import { viewOf } from "../../base/bytes/byteView.js";
import { RowBatchBuilder } from "./rowBatchBuilder.js";
import { RowCollector } from "./rowCollector.js";

const fine = fc.oneof(
  fc.constantFrom(
    ..."0 1 -1 1.5 -0.25 1e3 1E-2 123456789012345 1234567890123456 0.1234567890123456 -0".split(
      " ",
    ),
    ...'null true false "" "a" "b" "a]b" "é" "a\\tb" [] ["a"] ["a","b"] ["a]"] [1] [1.0] ["b","a"] ["é",1] ["é"] "日本🜂" "日本🜂b"'.split(
      " ",
    ),
    ...'{"$set":["a"]} {"$set":["b","a","b"]} {"$set":[]} {"$set":[1]} {"$set":["a"],"x":1} {} {"x":1}'.split(
      " ",
    ),
  ),
  fc.constant('{"$set": ["b", "a"]}'),
  fc.integer().map(String),
  fc.double({ noDefaultInfinity: true, noNaN: true, min: -1e9, max: 1e9 }).map(String),
  fc.string({ maxLength: 12 }).map((text) => JSON.stringify(text)),
);
const faulty = fc.constantFrom(
  ...'01 - 1. .5 1e400 tru "a\tb" "\\ud800" [[]] [null] ["a] "a'.split(" "),
  '"a\tb"',
  '["\t"]',
);
const value = fc.oneof({ weight: 20, arbitrary: fine }, { weight: 1, arbitrary: faulty });
const name = fc.constantFrom("a", "b", "a.b", "é", "__proto__");

/** Rows that are mostly alike, mostly JSON, in the two common ways of writing it. */
const row = fc
  .record({
    time: fc.constantFrom("1", "2", "3", '"2025-06-21T10:00:00Z"', "1.5"),
    cells: fc.array(fc.tuple(name, value), { maxLength: 4 }),
    rate: fc.constantFrom("", "", ',"sample_rate":2', ',"sample_rate":0'),
    style: fc.constantFrom<[string, string][]>([":", ","], [": ", ", "], [" :", " ,"]),
    slip: fc.option(fc.tuple(fc.nat(60), fc.constantFrom(...'{}[]",: \\x0\t', "")), { freq: 1 }),
    tail: fc.constantFrom("", "", "", "", "", "", " ", "x"),
  })
  .map(({ time, cells, rate, style: [colon, comma], slip, tail }) => {
    const parts = [["time", time] as const, ...cells].map(
      ([key, text]) => `${JSON.stringify(key)}${colon}${text}`,
    );
    const text = `{${parts.join(comma)}${rate}}${tail}`;
    return slip === null ? text : text.slice(0, slip[0]) + slip[1] + text.slice(slip[0] + 1);
  });

/** What was collected; in which order columns were met is of no account. */
function tell(collector: RowCollector) {
  const { batches, ...verdicts } = collector.finish();
  return {
    ...verdicts,
    batches: batches.map((batch) => ({
      ...batch,
      columns: [...batch.columns].sort((a, b) => (a.name < b.name ? -1 : 1)),
    })),
  };
}

/** Names are known from the second row on. */
const names =
  '{"time":1,"a":null,"b":null,"a.b":null,"é":null,"__proto__":null,"sample_rate":null}';

it("reads every row as the general parser does, or leaves it to that", () => {
  const numRuns = trials(500, 1_500);
  let plainCount = 0;
  const counted = RowBatchBuilder.prototype.addPlain;
  RowBatchBuilder.prototype.addPlain = function (...parameters) {
    const added = counted.apply(this, parameters);
    if (added > 0) plainCount++;
    return added;
  };
  try {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
        const [general, plain] = [new RowCollector(), new RowCollector()];
        [names, ...rows].forEach((text, line) => {
          general.addJson(text, line);
          // Within a longer block, as lines stand there.
          const block = Buffer.from(`{"time":9}\n${text}\n{"time":9}\n`);
          const next = text.includes("\n") ? -1 : plain.addPlain(viewOf(block), 11, line);
          if (next < 0) plain.addJson(text, line);
          else expect(next).toBe(block.length - 11);
        });
        expect(tell(plain)).toEqual(tell(general));
      }),
      { numRuns },
    );
  } finally {
    RowBatchBuilder.prototype.addPlain = counted;
  }
  expect(plainCount).toBeGreaterThan(numRuns / 3);
});

import { Readable } from "node:stream";
import { functionSourceMax, HadalError } from "@hadal/sdk";
import { checkFacets, checkLink, checkQuery, checkWhatChanged } from "@hadal/sdk/checks";
import { readSql, sqlUnitsMax } from "@hadal/sdk/sql";
import {
  Float64,
  Int32,
  Table,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from "apache-arrow";
import { describe, expect, test } from "vitest";
import { parseJson } from "../src/api/body/jsonBody.js";
import { functionKindOf, readRowFunction } from "../src/function/compile/functionSource.js";
import { readRows } from "../src/ingest/format/readRows.js";
import { rowValuesMax } from "../src/ingest/row/checkRowText.js";
import type { CollectedRows } from "../src/ingest/row/rowCollector.js";
import { rowBytesMax } from "../src/ingest/row/rowReader.js";
import { kernelRows } from "../src/ingest/testing/kernelRows.js";
import { parseExactJson } from "../src/ingest/value/exactJson.js";
import { RowRejected } from "../src/ingest/value/rowRejected.js";
import { readRowTime } from "../src/ingest/value/rowTime.js";
import { anyMs } from "../src/ingest/value/timeRule.js";
import { checkLike, groupsOfPattern } from "../src/plan/filter/checkPattern.js";
import { costOf } from "./parsing/costOf.js";
import {
  csvBodies,
  functionSources,
  type GrowingText,
  jsonBodies,
  jsonValues,
  ndjsonBodies,
  patterns,
  sqlConditions,
  timeTexts,
} from "./parsing/growingInputs.js";
import { longestTurn } from "./parsing/longestTurn.js";

type Parse = (text: string) => unknown;

/** Work that grows with the square takes 64 times as long for eight times as much. */
const growth = 8;
const costGrowthMax = 20;
/** Less than this says nothing: the collector comes and goes. */
const noiseMs = 30;

async function expectLinear(parse: Parse, { make }: GrowingText, units: number): Promise<void> {
  const cost = (factor: number, runs: number) => {
    const text = make(units * factor);
    return costOf(() => refusing(parse, text), runs);
  };
  const mostFor = (factor: number, before: number) =>
    (costGrowthMax * before * factor) / growth + noiseMs;
  const first = await cost(1, 1);
  // Step by step: what grows with the square would take minutes at the end.
  for (const factor of [growth / 2, growth]) {
    if ((await cost(factor, 1)) < mostFor(factor, first)) continue;
    // Code that was never run is slow, and others may be in the way: what is slow once is looked at again.
    const before = await cost(1, 3);
    expect(await cost(factor, 3)).toBeLessThan(mostFor(factor, before));
  }
}

/** What is wrong is refused, as whoever sent it may hear. */
async function refusing(parse: Parse, text: string): Promise<void> {
  try {
    await parse(text);
  } catch (error) {
    if (error instanceof RowRejected) return;
    if (!(error instanceof HadalError) || error.status >= 500) throw error;
  }
}

const reading =
  (contentType: string): Parse =>
  (text) => {
    const options = { contentType, timeName: undefined, timeRule: anyMs, json: kernelRows };
    return readRows(blocksOf(Buffer.from(text)), options);
  };

/** As they come from a socket. */
function blocksOf(bytes: Uint8Array): Readable {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += 65_536) blocks.push(bytes.subarray(at, at + 65_536));
  return Readable.from(blocks);
}

const namesOf = (inputs: readonly GrowingText[]) =>
  inputs.map((input) => [input.name, input] as const);

/** Eight times as much is an eighth of a megabyte: work that grows with its square takes seconds for it. */
const bodyUnits = 16_384;

describe("bodies of rows", () => {
  test.each(namesOf(ndjsonBodies))("NDJSON: %s", (_, input) =>
    expectLinear(reading("application/x-ndjson"), input, bodyUnits),
  );
  test.each(namesOf(jsonBodies))("JSON: %s", (_, input) =>
    expectLinear(reading("application/json"), input, bodyUnits),
  );
  test.each(namesOf(csvBodies))("CSV: %s", (_, input) =>
    expectLinear(reading("text/csv"), input, bodyUnits),
  );
  test.each(namesOf(jsonValues))("exact JSON: %s", (_, input) =>
    expectLinear(parseExactJson, input, bodyUnits),
  );
  test.each(namesOf(timeTexts))("times: %s", (_, input) =>
    expectLinear((text) => readRowTime(text, "time", anyMs), input, bodyUnits),
  );
});

/** A body of this size takes half a second where each row is refused: others have their turn meanwhile. */
const turnUnits = 500_000;
/** It is less than 50 on a machine of its own; here others have part of the processor's caches. */
const turnMsMax = 100;
const longTurns: readonly (readonly [contentType: string, name: string, input: GrowingText])[] = [
  ...pick("application/x-ndjson", ndjsonBodies, [
    ...["rows of quotes", "rows without a time", "rows of other names each", "rows of texts"],
    ...["a row with a string", "a row with names of an object", "a row with brackets that close"],
    ...["a row with digits", "a row with a set", "a row of many names", "a time", "line ends"],
  ]),
  ...pick("application/json", jsonBodies, [
    ...["rows that are numbers", "rows of other names each", "a list with names of an object"],
    ...["a list with a string", "commas"],
  ]),
  ...pick("text/csv", csvBodies, [
    ...["missing values", "texts", "lines without a time", "commas of a header", "commas of a row"],
    ...["quotes of a value", "a value without an end", "a text"],
  ]),
];

function pick(contentType: string, inputs: readonly GrowingText[], names: readonly string[]) {
  return names.map((name) => {
    const input = inputs.find((one) => one.name === name);
    if (input === undefined) throw new Error(`no input is called ${name}`);
    return [contentType, name, input] as const;
  });
}

describe("the event loop goes round while a body is read", () => {
  test.each(longTurns)("%s: %s", async (contentType, _, { make }) => {
    const text = make(turnUnits);
    const turn = () => longestTurn(() => refusing(reading(contentType), text));
    const longest = (await turn()) < turnMsMax ? 0 : Math.min(await turn(), await turn());
    expect(longest).toBeLessThan(turnMsMax);
  });

  test("Arrow of many columns", async () => {
    const count = 30_000;
    const values = Array.from({ length: count }, (_, i) => i);
    const numbers = () => vectorFromArray(values, new Int32());
    const texts = () =>
      vectorFromArray(
        values.map((i) => `text ${i}`),
        new Utf8(),
      );
    const columns: Record<string, Vector> = { time: vectorFromArray(values, new Float64()) };
    for (let i = 0; i < 150; i++) columns[`c${i}`] = i % 10 === 0 ? texts() : numbers();
    const bytes = tableToIPC(new Table(columns), "stream");
    const contentType = "application/vnd.apache.arrow.stream";
    const options = { contentType, timeName: undefined, timeRule: anyMs, json: kernelRows };
    const turn = () => longestTurn(() => readRows(blocksOf(bytes), options));
    const longest = (await turn()) < turnMsMax ? 0 : Math.min(await turn(), await turn());
    expect(longest).toBeLessThan(turnMsMax);
  });
});

test.each([
  [
    "application/x-ndjson",
    (value: string) => `{"time":1}\n{"time":2,"s":"${value}"}\n{"time":3}\n`,
  ],
  ["application/json", (value: string) => `[{"time":1},\n{"time":2,"s":"${value}"},\n{"time":3}]`],
  ["text/csv", (value: string) => `time,s\n1,a\n2,${value}\n3,b\n`],
])("a row of %s that is too long is refused alone, with its line", async (contentType, body) => {
  const first = contentType === "text/csv" ? 2 : 1;
  for (const bytes of [rowBytesMax, 5 * rowBytesMax]) {
    const read = (await reading(contentType)(body("x".repeat(bytes)))) as CollectedRows;
    expect(read).toMatchObject({ accepted: 2, rejected: 1 });
    expect(read.problems).toMatchObject([{ line: first + 1, code: "row-too-long" }]);
  }
  const fits = (await reading(contentType)(body("x".repeat(rowBytesMax - 100)))) as CollectedRows;
  expect(fits).toMatchObject({ accepted: 3, rejected: 0 });
});

describe("questions", () => {
  const frame = (condition: string) =>
    `SELECT count(*) FROM t WHERE time >= now() - INTERVAL '1 hour' AND time < now() AND ${condition}`;
  test.each(namesOf(sqlConditions))("SQL: %s", (_, input) =>
    expectLinear((text) => readSql(frame(text)), input, (sqlUnitsMax - 1_000) / growth),
  );
  test.each(namesOf(jsonValues))("JSON of a query: %s", (_, input) => {
    const parse: Parse = async (text) => {
      const asked = parseJson(text);
      for (const check of [checkQuery, checkFacets, checkWhatChanged, checkLink])
        await refusing(() => check(asked), text);
    };
    return expectLinear(parse, input, bodyUnits * 8);
  });
  test.each(namesOf(patterns))("patterns: %s", (_, input) =>
    expectLinear((text) => groupsOfPattern(text, "value"), input, 1_200),
  );
  test.each(namesOf(patterns))("LIKE: %s", (_, input) =>
    expectLinear((text) => checkLike(text, "value"), input, 1_200),
  );
  const find = (name: string) => ({ name, type: "int", decimals: 0 }) as const;
  test.each(namesOf(functionSources))("functions: %s", (_, input) =>
    expectLinear(
      (text) => {
        functionKindOf(text, "js");
        readRowFunction(text, "js", find);
      },
      input,
      functionSourceMax / growth,
    ),
  );
});

describe("bounds are reported with their names, and what they allow is read", () => {
  const list = (count: number) => `{"time":1,"s":[${'"a",'.repeat(count - 1)}"a"]}\n{"time":2}`;
  test("values of a row", async () => {
    const ndjson = reading("application/x-ndjson");
    expect(await ndjson(list(rowValuesMax - 1))).toMatchObject({ accepted: 2 });
    const refused = (await ndjson(list(rowValuesMax + 1))) as CollectedRows;
    expect(refused).toMatchObject({ accepted: 1, problems: [{ line: 1, code: "row-too-long" }] });
    expect(refused.problems[0]?.detail).toContain("rowValuesMax");
  });

  test("values of a list in SQL", () => {
    const sql = (count: number) =>
      `SELECT count(*) FROM t WHERE time >= 0 AND time < 9 AND a IN (${"1,".repeat(count - 1)}1)`;
    expect(readSql(sql(9_990)).query.table).toBe("t");
    expect(() => readSql(sql(12_001))).toThrow("sqlValuesMax");
  });

  test.each([
    ["members", `(row) => row${".a".repeat(20_000)}`, "functionDepthMax"],
    ["additions", `(row) => 1${" + 1".repeat(2_000)}`, "functionDepthMax"],
    ["statements", `(row) => { ${"f();".repeat(10_000)} }`, "functionNodesMax"],
  ])("a function of many %s", (_, source, limit) => {
    expect(() => functionKindOf(source, "js")).toThrow(limit);
  });

  test("classes of Unicode in a pattern", () => {
    expect(groupsOfPattern("\\pL".repeat(1_000), "value")).toBe(0);
    expect(() => groupsOfPattern("\\pL".repeat(1_001), "value")).toThrow("unicodeClassesMax");
  });
});

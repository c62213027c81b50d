import { Float64, RecordBatchStreamWriter, Table, vectorFromArray } from "apache-arrow";
import { describe, expect, it } from "vitest";
import { type CollectOptions, collect } from "../testing/collect.js";

const rowCount = 4_000;
const indexes = Array.from({ length: rowCount }, (_, i) => i);

function arrowOf(times: readonly (number | null)[]): Uint8Array {
  const table = new Table({ time: vectorFromArray(times, new Float64()) });
  return RecordBatchStreamWriter.writeAll(table).toUint8Array(true);
}

const arrow = { contentType: "application/vnd.apache.arrow.stream" };
const csv = { contentType: "text/csv" };
/** With ten digits behind the point 64 bits hold no billion. */
const ruled = { columns: [{ name: "n", decimals: 10 }] };

type Body = readonly [name: string, body: string | Uint8Array, options: CollectOptions];

describe("more than a thousand wrong rows", () => {
  it.each<Body>([
    ["rows of Arrow without a time", arrowOf(indexes.map((i) => (i % 2 === 0 ? null : i))), arrow],
    [
      "short rows of CSV",
      `time,n\n${indexes.map((i) => (i % 2 === 0 ? i : `${i},1`)).join("\n")}`,
      csv,
    ],
    [
      "rows of CSV of which some wait for their types",
      `time,n\n${indexes.map((i) => (i % 2 === 0 ? "x,1" : `${i},1`)).join("\n")}`,
      csv,
    ],
    [
      "rows that do not fit the decimals set",
      indexes.map((i) => `{"time":${i},"n":${i % 2 === 0 ? 10 ** 9 : 1}}`).join("\n"),
      ruled,
    ],
    [
      "lines that are none",
      indexes.map((i) => (i % 2 === 0 ? "{" : `{"time":${i}}`)).join("\n"),
      {},
    ],
  ])("cost no right row beside them: %s", async (_name, body, options) => {
    const { accepted, rejected, problems } = await collect(body, options);
    expect([accepted, rejected]).toEqual([rowCount / 2, rowCount / 2]);
    const first = problems[0]!.line;
    expect(problems.map(({ line }) => line)).toEqual(
      Array.from({ length: 100 }, (_, i) => first + 2 * i),
    );
  });

  it.each<Body>([
    ["rows of Arrow", arrowOf(indexes.map(() => null)), arrow],
    ["short rows of CSV", `time,n\n${indexes.map(() => "1").join("\n")}`, csv],
    ["rows of CSV without a time", `time,n\n${indexes.map(() => "x,1").join("\n")}`, csv],
    [
      "short rows of CSV, and such without a time",
      `time,n\n${indexes.map((i) => (i % 2 === 0 ? "1" : "x,1")).join("\n")}`,
      csv,
    ],
    [
      "rows that do not fit the decimals set",
      indexes.map((i) => `{"time":${i},"n":${10 ** 9}}`).join("\n"),
      ruled,
    ],
    ["lines that are none", "{\n".repeat(rowCount), {}],
  ])("and no right one refuse the body: %s", async (_name, body, options) => {
    await expect(collect(body, options)).rejects.toMatchObject({
      code: "rows-rejected",
      message: expect.stringMatching(/was not read/),
    });
  });
});

it("the reported problems are those of the first lines, whichever were found first", async () => {
  const lines = indexes.map((i) => (i < 500 ? "x,1" : i < 3_000 ? `${i},1` : `${i}`));
  const { problems, accepted } = await collect(`time,n\n${lines.join("\n")}`, csv);
  expect(accepted).toBe(2_500);
  expect(problems.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, i) => i + 2));
});

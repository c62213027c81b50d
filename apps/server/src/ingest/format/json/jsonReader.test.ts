import { HadalError, type Problem } from "@hadal/sdk";
import fc from "fast-check";
import { expect, it } from "vitest";
import { RowCollector } from "../../row/rowCollector.js";
import { columnSettings, jsonLines, seldom } from "../../testing/jsonLines.js";
import { countKernelRows, noKernel, readBody, windows } from "../../testing/kernelReading.js";
import { createJsonReader as open } from "./jsonReader.js";

/** What stands between two rows: mostly the same, now and then something else. */
const betweens = fc.constantFrom(",", ", ", ",\n", ",\r\n  ", ",\n\t", "\n,", ",\n\n");
const slips = ["", ";", ",,", ",\r", " , ", "]", ",\n ,"];

/** What is read, or why nothing of it is. */
function outcomeOf<Read>(read: () => Read): Read | Problem {
  try {
    return read();
  } catch (error) {
    if (error instanceof HadalError) return error.toProblem();
    throw error;
  }
}

it("reads a list of rows with the kernel as without, to the byte, however a body comes", () => {
  const { rows } = countKernelRows(() =>
    fc.assert(
      fc.property(
        fc.record({
          text: jsonLines,
          between: betweens,
          slip: seldom(5, fc.tuple(fc.nat(99), betweens, fc.constantFrom(...slips))),
          start: fc.constantFrom("[", "[\n", " [ "),
          end: fc.constantFrom("]", "\n]\n", "", ",]", "]]"),
          isSpaced: fc.boolean(),
          broken: seldom(20, fc.nat()),
          pieceBytes: fc.oneof(fc.integer({ min: 1, max: 80 }), fc.constant(1 << 20)),
          window: fc.constantFrom(...windows),
          columns: columnSettings,
        }),
        ({ text, between, slip, start, end, isSpaced, broken, pieceBytes, window, columns }) => {
          const spaced = isSpaced ? text.replaceAll(":", ": ").replaceAll(",", ", ") : text;
          const lines = spaced.split("\n").slice(0, -1);
          const joined = lines.map((line, i) => {
            if (i === 0) return line;
            const isSlip = slip !== null && i === slip[0] % lines.length;
            return (isSlip ? (slip[0] % 2 === 0 ? slip[1] : slip[2]) : between) + line;
          });
          const body = Buffer.from(start + joined.join("") + end);
          if (broken !== null) body[broken % body.length] = 0xff;
          const reading = { open, pieceBytes, columns };
          const with_ = outcomeOf(() => readBody(body, { ...reading, json: window.json }));
          expect(with_).toEqual(outcomeOf(() => readBody(body, { ...reading, json: noKernel })));
        },
      ),
      { numRuns: 300 },
    ),
  );
  expect(rows).toBeGreaterThan(400);
});

it("reads long lists with the kernel, and names the line of each row that it refuses", () => {
  const { json } = windows.at(-1)!;
  for (const [between, lineOf] of [
    [",", () => 1],
    [",\n  ", (row: number) => row + 1],
  ] as const) {
    const lines = Array.from({ length: 20_000 }, (_, i) =>
      i % 5_000 === 4_999 ? '{"n":1}' : `{"time":${i},"n":${i % 9},"s":"text ${i % 400}"}`,
    );
    const body = Buffer.from(`[${lines.join(between)}]`);
    const reading = { open, json, pieceBytes: 65_536 };
    const { result, rows } = countKernelRows(() => readBody(body, reading));
    expect(rows).toBeGreaterThan(19_900);
    expect([result.accepted, result.rejected]).toEqual([19_996, 4]);
    expect(result.problems.map(({ line }) => line)).toEqual(
      [4_999, 9_999, 14_999, 19_999].map(lineOf),
    );
    expect(result).toEqual(readBody(body, { ...reading, json: noKernel }));
  }
});

it("refuses rows that are not UTF-8 alone, and reads the rows before and after with the kernel", () => {
  const { json } = windows[1]!;
  const list = Array.from({ length: 400 }, (_, i) => `{"time":${i},"s":"日本 ${i}~"}`);
  const body = Buffer.from(`[${list.join(",")}]`);
  for (const row of [50, 399]) body[body.indexOf(` ${row}~`) + ` ${row}`.length] = 0xff;
  for (const pieceBytes of [1 << 20, 61, 62, 63]) {
    const { result, rows } = countKernelRows(() => readBody(body, { open, json, pieceBytes }));
    expect(result.accepted).toBe(398);
    expect(result.problems.map(({ code }) => code)).toEqual(["invalid-unicode", "invalid-unicode"]);
    // Of some 20 blocks two are no text; letters are cut at the ends of many.
    expect(rows).toBeGreaterThan(280);
  }
});

it("takes turns with other readers of the same kernel", () => {
  const { json } = windows[1]!;
  const bodies = [0, 1, 2].map((k) => {
    const rows = Array.from({ length: 200 }, (_, i) => `{"time":${i},"n${k}":"${k} of ${i}"}`);
    return Buffer.from(`[${rows.join(",")}]`);
  });
  const alone = bodies.map((body) => readBody(body, { open, json, pieceBytes: 50 }));
  const collectors = bodies.map(() => new RowCollector());
  const readers = collectors.map((collector) => open(collector, json));
  for (let at = 0; at < bodies[0]!.length; at += 50)
    for (const [k, reader] of readers.entries()) reader.push(bodies[k]!.subarray(at, at + 50));
  for (const reader of readers) reader.end();
  expect(collectors.map((collector) => collector.finish())).toEqual(alone);
});

it.each([",\n", ",\r\n ", ", "])(
  "counts lines wherever a block ends, between rows %j",
  (between) => {
    const { json } = windows[0]!;
    for (let length = 0; length < json.windowBytesMax; length++) {
      const first = `{"time":0,"s":"${"x".repeat(length)}"}`;
      const lines = Array.from({ length: 60 }, (_, i) => (i % 20 === 19 ? "{}" : `{"time":${i}}`));
      const body = Buffer.from(`[${[first, ...lines].join(between)}]`);
      // Blocks of many sizes: rows of one before lie behind the end.
      const pieceBytes = 1 + ((37 * length) % 101);
      const { problems } = readBody(body, { open, json, pieceBytes });
      const isLines = between.includes("\n");
      expect(problems.map(({ line }) => line)).toEqual(isLines ? [21, 41, 61] : [1, 1, 1]);
    }
  },
);

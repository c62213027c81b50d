import { JsonRows, loadJsonModuleSync } from "@hadal/kernel-wasm";
import { HadalError, type Problem } from "@hadal/sdk";
import fc from "fast-check";
import { expect, it } from "vitest";
import { columnSettings, jsonLines, seldom } from "../../testing/jsonLines.js";
import { countKernelRows, noKernel, readBody, windows } from "../../testing/kernelReading.js";
import { createNdjsonReader as open } from "./ndjsonReader.js";

it("reads the same rows with the kernel and without, to the byte, for any pieces of a body", () => {
  const { rows } = countKernelRows(() =>
    fc.assert(
      fc.property(
        fc.record({
          text: jsonLines,
          isCut: fc.boolean(),
          broken: seldom(20, fc.nat()),
          pieceBytes: fc.oneof(fc.integer({ min: 1, max: 80 }), fc.constant(1 << 20)),
          window: fc.constantFrom(...windows),
          columns: columnSettings,
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
          const reading = { open, pieceBytes, columns, timeName };
          const read = (json: JsonRows) => outcomeOf(() => readBody(body, { ...reading, json }));
          expect(read(window.json)).toEqual(read(noKernel));
        },
      ),
      { numRuns: 300 },
    ),
  );
  expect(rows).toBeGreaterThan(900);
});

/** A body whose first row goes on over more lines is refused as a whole. */
function outcomeOf<Value>(read: () => Value): Value | Problem {
  try {
    return read();
  } catch (error) {
    if (error instanceof HadalError) return error.toProblem();
    throw error;
  }
}

it("reads rows of many batches and columns that come late with the kernel", () => {
  const lines = Array.from({ length: 40_000 }, (_, i) => {
    const late = i > 20_000 ? `,"late_${i % 3}":"x${i % 7}"` : "";
    const often = i % 500 === 0 ? `"a\\t${i}"` : `"text ${i % 4_000}"`;
    return `{"time":${i},"n":${i % 9 === 0 ? "null" : i},"s":${often}${late}}`;
  });
  const body = Buffer.from(lines.join("\n"));
  const json = new JsonRows(loadJsonModuleSync(), { seed: 3n });
  const { result, rows } = countKernelRows(() =>
    readBody(body, { open, json, pieceBytes: 65_536 }),
  );
  // Those without are the first, the first with late columns, and what is read before the kernel is
  // asked again.
  expect(rows).toBeGreaterThan(39_950);
  expect(result).toEqual(readBody(body, { open, json: noKernel, pieceBytes: 65_536 }));
});

it("keeps long strings with escapes, as many as are read at once, before a name that some rows lack", () => {
  const textOf = (i: number) => `${i}\n${"y".repeat(990)}`;
  const lines = Array.from({ length: 7_000 }, (_, i) =>
    JSON.stringify({ time: i, s: textOf(i), [i % 10 < 5 ? "a" : "b"]: 1 }),
  );
  const json = new JsonRows(loadJsonModuleSync(), { seed: 3n });
  const body = Buffer.from(lines.join("\n"));
  const { batches } = readBody(body, { open, json, pieceBytes: 65_536 });
  const texts = batches.flatMap(({ columns }) => {
    const s = columns.find(({ name }) => name === "s");
    if (s === undefined || s.type === "int" || s.type === "sparse")
      throw new Error("s is a column of strings");
    return Array.from(s.codes, (code) => s.dictionary[code - 1]);
  });
  expect(texts).toEqual(lines.map((_, i) => textOf(i)));
});

it("reads rows of names within each other as deep as rows may be, and no deeper", () => {
  const row = (depth: number, value: string, rest = "") =>
    `{"time":1,${'"a":{'.repeat(depth)}"a":${value}${"}".repeat(depth)}${rest}}`;
  for (const depth of [1, 14, 15, 16, 62, 63]) {
    const values = ["1", "{}", '{"a":2}', "[[[[[1]]]]]", "3", "{}"];
    const exact = ',"b":12345678901234567';
    const lines = values.flatMap((value) => [row(depth, value), row(depth, value, exact)]);
    const body = Buffer.from([...lines, ...lines].join("\n"));
    const reading = { open, pieceBytes: 65_536 };
    const json = new JsonRows(loadJsonModuleSync(), { seed: 3n });
    expect(readBody(body, { ...reading, json })).toEqual(
      readBody(body, { ...reading, json: noKernel }),
    );
  }
});

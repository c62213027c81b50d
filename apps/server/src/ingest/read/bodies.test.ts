import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { deflateSync, gzipSync } from "node:zlib";
import { parse as parseCsv } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchRows, type StoredCell } from "../../base/testing/batchRows.js";
import { bodyBytesMax, readBody } from "../body/bodyStream.js";
import { collect } from "../testing/collect.js";

const int = (value: number): StoredCell => ({ int: BigInt(value), decimals: 0 });
const codes = (rows: Awaited<ReturnType<typeof collect>>) =>
  rows.problems.map(({ line, code }) => [line, code]);

describe("NDJSON", () => {
  it("numbers its lines, blank ones too, whatever ends them", async () => {
    const body = '\uFEFF{"time":1}\r\n\r\n  \n{"time":}\n[1]\n"x"\n{"time":2}';
    for (const pieceBytes of [1, 3, 7, 1000]) {
      const rows = await collect(body, { pieceBytes });
      expect([...rows.batches[0]!.times]).toEqual([1, 2]);
      expect(codes(rows)).toEqual([
        [4, "invalid-json"],
        [5, "row-not-object"],
        [6, "row-not-object"],
      ]);
      expect(rows.problems[0]).toMatchObject({ column: 9 });
    }
  });

  it("refuses only the lines that are not UTF-8", async () => {
    const body = Buffer.concat([
      Buffer.from('{"time":1,"x":"é"}\n{"time":2,"x":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}\n{"time":3}\n'),
    ]);
    const rows = await collect(body);
    expect([...rows.batches[0]!.times]).toEqual([1, 3]);
    expect(codes(rows)).toEqual([[2, "invalid-unicode"]]);
  });

  it("refuses UTF-16 as a whole", async () => {
    await expect(collect(Buffer.from('\uFEFF{"time":1}', "utf16le"))).rejects.toMatchObject({
      code: "body-undecodable",
    });
  });

  it("cuts batches of at most 16,384 rows and lists the first 100 problems", async () => {
    const lines = Array.from({ length: 40_000 }, (_, i) =>
      i % 100 === 7 ? "bad" : `{"time":${i}}`,
    );
    const rows = await collect(lines.join("\n"), { pieceBytes: 10_000 });
    expect(rows.batches.map(({ rowCount }) => rowCount)).toEqual([16_384, 16_384, 6_832]);
    expect([rows.accepted, rows.rejected, rows.problems.length]).toEqual([39_600, 400, 100]);
    expect(rows.problems[99]!.line).toBe(9_908);
  });
});

/** Rows as people send them, and the cells that should come out. */
const name = fc
  .string({ minLength: 1, maxLength: 8 })
  .filter((text) => !/[.$]|^time$|^sample_rate$/.test(text));
const scalar = fc.oneof(
  fc
    .string({ unit: "grapheme", maxLength: 12 })
    .map((text) => ({ json: JSON.stringify(text), text })),
);
const wholeNumber = fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n);

describe("any rows", () => {
  const table = fc.uniqueArray(name, { minLength: 1, maxLength: 4 }).chain((names) =>
    fc.tuple(
      fc.constant(names),
      fc.array(fc.constantFrom("int", "string", "vector"), {
        minLength: names.length,
        maxLength: names.length,
      }),
      fc.array(
        fc.array(fc.option(fc.tuple(wholeNumber, scalar, fc.array(fc.string()))), {
          minLength: names.length,
          maxLength: names.length,
        }),
        { maxLength: 30 },
      ),
    ),
  );
  it("come back from a batch as they were, over NDJSON and over a JSON array, in any pieces", async () => {
    await fc.assert(
      fc.asyncProperty(
        table,
        fc.integer({ min: 1, max: 200 }),
        async ([names, types, rows], pieceBytes) => {
          const expected: Record<string, StoredCell>[] = [];
          const texts = rows.map((row, r) => {
            const cells: Record<string, StoredCell> = Object.create(null);
            const parts = [`"time":${r}`];
            row.forEach((cell, i) => {
              const key = JSON.stringify(names[i]);
              if (cell === null) {
                if (r % 2 === 0) parts.push(`${key}:null`);
                return;
              }
              const [whole, text, list] = cell;
              if (types[i] === "int") parts.push(`${key}:${whole}`);
              else parts.push(`${key}:${types[i] === "string" ? text.json : JSON.stringify(list)}`);
              cells[names[i]!] =
                types[i] === "int"
                  ? { int: whole, decimals: 0 }
                  : types[i] === "string"
                    ? text.text
                    : list;
            });
            expected.push(cells);
            return `{${parts.join(",")}}`;
          });
          const ndjson = await collect(texts.join("\n"), { pieceBytes });
          const json = await collect(`[${texts.join(" ,\n ")}]`, {
            pieceBytes,
            contentType: "application/json",
          });
          for (const found of [ndjson, json]) {
            expect(found.problems).toEqual([]);
            expect(found.batches.flatMap(batchRows)).toEqual(expected);
            expect(found.batches.flatMap(({ times }) => [...times])).toEqual(rows.map((_, r) => r));
          }
        },
      ),
      { numRuns: 80 },
    );
  });
});

describe("JSON", () => {
  const contentType = "application/json; charset=utf-8";
  it("takes one object", async () => {
    const rows = await collect('\n {"time":1,"s":"]},{\\"","o":{"p":[]}} \n', { contentType });
    expect(rows.problems).toEqual([]);
    expect(batchRows(rows.batches[0]!)).toEqual([{ s: ']},{"', "o.p": [] }]);
  });

  it.each<[string, number[], [number, string][]]>([
    ['[{"time":1},\n{"time":x},\n{"time":3}]', [1, 3], [[2, "invalid-json"]]],
    [
      '[{"time":1},\n5,\n"a",[{}],null,\n{"time":3}]',
      [1, 3],
      [
        [2, "row-not-object"],
        [3, "row-not-object"],
        [3, "row-not-object"],
        [3, "row-not-object"],
      ],
    ],
    [
      '[{"time":1},,{"time":2},]',
      [1, 2],
      [
        [1, "invalid-json"],
        [1, "invalid-json"],
      ],
    ],
    ['[{"time":1},\n{"time":2', [1], [[2, "invalid-json"]]],
    ['[{"time":1}\n', [1], [[2, "invalid-json"]]],
    ['{"time":1}{"time":2}', [1, 2], []],
    ["[]", [], []],
    ["true", [], [[1, "invalid-json"]]],
    ['[{"time":1}}},{"time":2}]', [2], [[1, "invalid-json"]]],
  ])("%s", async (body, times, problems) => {
    for (const pieceBytes of [1, 5, 1000]) {
      const rows = await collect(body, { contentType, pieceBytes });
      expect(rows.batches.flatMap((batch) => [...batch.times])).toEqual(times);
      expect(codes(rows)).toEqual(problems);
    }
  });
});

describe("text after the end of a JSON document", () => {
  it.each([
    ['[{"time":1}] x', 1],
    ['{"time":1}}', 1],
    ['[{"time":1},\n{"time":2}]\n]', 3],
  ])("%s: nothing is taken", async (body, line) => {
    for (const pieceBytes of [1, 5, 1000]) {
      await expect(
        collect(body, { contentType: "application/json", pieceBytes }),
      ).rejects.toMatchObject({ code: "bad-request", errors: [{ line, code: "invalid-json" }] });
    }
  });
});

describe("CSV", () => {
  const contentType = "text/csv";
  it("recognises integers and fractions; empty is missing; the rest is text, as it is written", async () => {
    const body =
      'time,i,f,b,s,q\r\n2025-06-21T10:00:00Z,5,0.5,true,007,"a ""b"", c"\r\n1,-0,,,,\n2,12345678901234567890,1,x,1e5,"line\nbreak"\n';
    const rows = await collect(body, { contentType });
    expect(rows.problems).toEqual([]);
    expect(batchRows(rows.batches[0]!)).toEqual([
      { i: "5", f: { int: 500000n, decimals: 6 }, b: "true", s: "007", q: 'a "b", c' },
      { i: "-0" },
      {
        i: "12345678901234567890",
        f: { int: 1000000n, decimals: 6 },
        b: "x",
        s: "1e5",
        q: "line\nbreak",
      },
    ]);
  });

  it("refuses a broken row alone, by its first line", async () => {
    const body = 'time,x\n1,a\n2\n3,"a"b\n4,"c\nd"\n\n5,e,f\n6,g\nx,h\n7,"open\n8,i\n';
    for (const pieceBytes of [1, 4, 1000]) {
      const rows = await collect(body, { contentType, pieceBytes });
      expect([...rows.batches[0]!.times]).toEqual([1, 4, 6, 8]);
      expect(codes(rows)).toEqual([
        [3, "invalid-csv"],
        [4, "invalid-csv"],
        [8, "invalid-csv"],
        [10, "time-invalid"],
        [11, "invalid-csv"],
      ]);
    }
  });

  it("reads what a widely used library reads", async () => {
    const cell = fc.string({ unit: fc.constantFrom(..."ab ,\"\n\ré😀#'"), maxLength: 6 });
    const quoteCell = (text: string) =>
      /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(cell, cell), { maxLength: 20 }),
        fc.constantFrom("\n", "\r\n"),
        fc.integer({ min: 1, max: 50 }),
        fc.boolean(),
        async (cells, newline, pieceBytes, last) => {
          const lines = cells.map(([a, b], i) => [String(i), a, b].map(quoteCell).join(","));
          const body = ["time,a,b", ...lines].join(newline) + (last ? newline : "");
          const library = parseCsv(body, { columns: true }) as Record<string, string>[];
          const rows = await collect(body, { contentType, pieceBytes });
          expect(rows.problems).toEqual([]);
          const found = rows.batches
            .flatMap(batchRows)
            .map((row) => ({ a: row.a ?? "", b: row.b ?? "" }));
          expect(found).toEqual(library.map(({ a, b }) => ({ a, b })));
        },
      ),
    );
  });

  it.each(["time,,x\n1,2,3", "time,a,a\n1,2,3", "time,\u0007\n1,2", 'time,"a"b\n1,2'])(
    "refuses the header of %j",
    async (body) => {
      await expect(collect(body, { contentType })).rejects.toMatchObject({ code: "invalid-name" });
    },
  );

  it.each([1, 3, 1_000])(
    "refuses rows that are not UTF-8 alone, in pieces of %d",
    async (pieceBytes) => {
      const body = Buffer.concat([
        Buffer.from("time,x\n1,é\n2,"),
        Buffer.from([0xff]),
        Buffer.from("\n3,\ufffd\n4,"),
        Buffer.from("😀").subarray(0, 3),
        Buffer.from("\n5,😀\n6,"),
        Buffer.from([0xc3]),
      ]);
      const rows = await collect(body, { contentType, pieceBytes });
      expect(rows.batches.flatMap(batchRows).map(({ x }) => x)).toEqual(["é", "\ufffd", "😀"]);
      expect(rows.problems.map(({ line, code }) => [line, code])).toEqual([
        [3, "invalid-unicode"],
        [5, "invalid-unicode"],
        [7, "invalid-unicode"],
      ]);
      const header = Buffer.from([0x74, 0xff, 0x0a]);
      await expect(collect(header, { contentType })).rejects.toMatchObject({
        code: "invalid-name",
      });
    },
  );

  it("refuses the line of a quote that is never closed, and no other", async () => {
    const body = 'time,x\n1,a\n2,"b\n3,c\n4,d\n';
    const rows = await collect(body, { contentType });
    expect(rows.batches.flatMap(batchRows).map(({ x }) => x)).toEqual(["a", "c", "d"]);
    expect(rows.problems).toMatchObject([{ line: 3, code: "invalid-csv" }]);
  });

  it("refuses a broken row whole, wherever the text is cut", async () => {
    const long = "b".repeat(300_000);
    const body = `time,x\n1,a\n2,"q"${long},9\n3,c\n`;
    for (const pieceBytes of [1_000, 262_144, 1_000_000]) {
      const rows = await collect(body, { contentType, pieceBytes });
      expect(rows.batches.flatMap(batchRows).map(({ x }) => x)).toEqual(["a", "c"]);
      expect(rows.problems).toMatchObject([{ line: 3, code: "invalid-csv" }]);
    }
  });
});

describe("media types", () => {
  it.each(["application/xml", "", "text/csv; charset=latin1"])(
    "%j is refused",
    async (contentType) => {
      await expect(collect("", { contentType })).rejects.toMatchObject({
        code: "unsupported-media-type",
      });
    },
  );
  it("takes rows of any case and parameter", async () => {
    const rows = await collect('{"time":1,"x":1}', {
      contentType: 'Application/X-NDJSON;charset="UTF-8"',
    });
    expect(batchRows(rows.batches[0]!)).toEqual([{ x: int(1) }]);
  });
});

describe("compressed bodies", () => {
  const read = async (bytes: Uint8Array, encoding?: string) => {
    let length = 0;
    const pieces = [];
    for (let at = 0; at < bytes.length; at += 50_000) pieces.push(bytes.subarray(at, at + 50_000));
    for await (const chunk of readBody(Readable.from(pieces), encoding)) length += chunk.length;
    return length;
  };

  it("are inflated", async () => {
    const bytes = randomBytes(300_000);
    expect(await read(bytes)).toBe(300_000);
    expect(await read(gzipSync(bytes), "gzip")).toBe(300_000);
    expect(await read(deflateSync(bytes), "Deflate")).toBe(300_000);
    expect(await read(Buffer.concat([gzipSync("a"), gzipSync("b")]), "gzip")).toBe(2);
  });

  it("that are bombs are refused before they burst", async () => {
    const bomb = gzipSync(Buffer.alloc(300_000_000));
    expect(bomb.length).toBeLessThan(400_000);
    const before = process.memoryUsage().rss;
    await expect(read(bomb, "gzip")).rejects.toMatchObject({
      code: "body-too-large",
      message: /inflateRatioMax/,
    });
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  it("that pass the bound without being bombs are refused too", async () => {
    const block = randomBytes(30_000);
    const parts = Array.from({ length: 2_300 }, () => block);
    await expect(read(gzipSync(Buffer.concat(parts)), "gzip")).rejects.toMatchObject({
      code: "body-too-large",
      message: /after decompression/,
    });
    await expect(read(Buffer.alloc(bodyBytesMax + 1))).rejects.toMatchObject({
      code: "body-too-large",
    });
    expect(await read(Buffer.alloc(bodyBytesMax))).toBe(bodyBytesMax);
  });

  it.each<[string, Uint8Array, string]>([
    ["cut off", gzipSync(randomBytes(10_000)).subarray(0, 5_000), "gzip"],
    ["no gzip at all", Buffer.from("time,x"), "gzip"],
    ["gzip with a wrong checksum", brokenChecksum(), "gzip"],
    ["empty", Buffer.alloc(0), "deflate"],
  ])("that are %s are refused", async (_what, bytes, encoding) => {
    await expect(read(bytes, encoding)).rejects.toMatchObject({ code: "body-undecodable" });
  });

  it("in unknown encodings are refused", async () => {
    await expect(read(Buffer.alloc(1), "br")).rejects.toMatchObject({
      code: "unsupported-media-type",
    });
  });
});

function brokenChecksum(): Uint8Array {
  const bytes = gzipSync("hello world");
  return bytes.fill(0, bytes.length - 8, bytes.length - 4);
}

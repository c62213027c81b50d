import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bodyRowsMax, type CutBody, createBodyCutter, recordBytesMax } from "./bodyCutter.js";
import type { BodyFormat } from "./recordScanner.js";

/** Cuts `text` handed over in pieces of the given sizes (the last one repeats). */
function cutAll(text: string, format: BodyFormat, sizes: readonly number[] = [65_536]): CutBody[] {
  const bytes = Buffer.from(text);
  const cutter = createBodyCutter(format);
  const bodies: CutBody[] = [];
  let from = 0;
  for (let i = 0; from < bytes.length; i++) {
    const size = sizes[Math.min(i, sizes.length - 1)] ?? 1;
    bodies.push(...cutter.push(bytes.subarray(from, from + size)));
    from += size;
  }
  bodies.push(...cutter.finish());
  return bodies;
}

const textOf = (bodies: readonly CutBody[]): string[] =>
  bodies.map((body) => body.bytes.toString());

describe("cut", () => {
  test.each<[string, BodyFormat, string, string[], number]>([
    ["lines", "ndjson", '{"a":1}\n{"a":2}\n', ['{"a":1}\n{"a":2}\n'], 2],
    ["a last line without its end", "ndjson", '{"a":1}\n{"a":2}', ['{"a":1}\n{"a":2}'], 2],
    ["a byte order mark", "ndjson", '\ufeff{"a":1}\n', ['{"a":1}\n'], 1],
    ["an empty file", "ndjson", "", [], 0],
    ["blank lines only", "ndjson", "\n \r\n", [], 0],
    ["CSV", "csv", "a,b\n1,2\n3,4\n", ["a,b\n1,2\n3,4\n"], 2],
    ["CSV with newlines in quotes", "csv", 'a,b\r\n"1\n2",3\r\n', ['a,b\r\n"1\n2",3\r\n'], 1],
    ["CSV by semicolons", "csv", 'a;b\n1;"2\n,"\n', ['a;b\n1;"2\n,"\n'], 1],
    ["CSV with Excel's line", "csv", "sep=;\na;b\n1;2\n", ["sep=;\na;b\n1;2\n"], 1],
    ["Excel's line and a header alone", "csv", "sep=;\na;b\n", [], 0],
    ["a header alone", "csv", "a,b\n", [], 0],
    ["an array", "json", ' [{"a":1} ,\n{"a":[2,"]"]}]\n', ['[{"a":1} ,\n{"a":[2,"]"]}]'], 2],
    ["an array with text like brackets", "json", '[{"a":"x\\"],{"}]', ['[{"a":"x\\"],{"}]'], 1],
    ["one object", "json", '\n{"a":{"b":1}}\n', ['\n{"a":{"b":1}}'], 1],
    ["objects", "json", '{"a":1}\n{\n"a":"}{"\n}{}', ['{"a":1}\n{\n"a":"}{"\n}{}'], 3],
    ["an empty array", "json", "[ ]", [], 0],
  ])("%s, however the bytes arrive", (_, format, text, expected, rows) => {
    for (const sizes of [[65_536], [1], [2], [3, 1, 7]]) {
      const bodies = cutAll(text, format, sizes);
      expect(textOf(bodies)).toEqual(expected);
      expect(bodies.reduce((sum, body) => sum + body.rows, 0)).toBe(rows);
    }
  });

  test.each<[string, BodyFormat, string, string]>([
    ["a truncated array", "json", '[{"a":1},{"a', "middle of the value that begins at line 1"],
    ["an array without its end", "json", '[{"a":1}', "middle"],
    ["a truncated object", "json", '{"a":', "middle"],
    ["text behind the array", "json", "[1] 2", "--format ndjson"],
    ["a comma between objects", "json", '{"a":1},\n{"a":2}', "something that is no row"],
    ["an object cut off behind others", "json", '{"a":1}\n{"a":2', "middle of the value"],
    ["no rows at all", "json", "5", "array of rows"],
    ["a bracket too many", "json", "[1}]", "never opened"],
    ["an open quote", "csv", 'a\n1\n"2\n', "middle of the value that begins at line 3"],
  ])("%s is refused", (_, format, text, expected) => {
    expect(() => cutAll(text, format)).toThrow(expected);
  });

  test("the good rows before a truncated end are still sent", () => {
    const cutter = createBodyCutter("json");
    expect([...cutter.push(Buffer.from('[{"a":1},{"a":2},{"a'))]).toEqual([]);
    const bodies: CutBody[] = [];
    expect(() => {
      for (const body of cutter.finish()) bodies.push(body);
    }).toThrow("middle");
    expect(textOf(bodies)).toEqual(['[{"a":1},{"a":2}]']);
  });

  test.each<BodyFormat>(["ndjson", "json", "csv"])(
    "a record of %s that does not end is refused, not held",
    (format) => {
      const cutter = createBodyCutter(format);
      const start = format === "json" ? '[{"a":1},"' : format === "csv" ? 'a\n1\n"' : '{"a":1}\n"';
      const bodies = [...cutter.push(Buffer.from(start))];
      expect(() => {
        for (const body of cutter.push(Buffer.alloc(recordBytesMax + 1, "x"))) bodies.push(body);
      }).toThrow("recordBytesMax");
      expect(bodies).toHaveLength(1);
    },
  );

  test("bodies have at most bodyRowsMax rows, each CSV body its header", () => {
    const text = `a,b\n${"1,2\n".repeat(bodyRowsMax * 2 + 1)}`;
    const bodies = cutAll(text, "csv");
    expect(bodies.map((body) => body.rows)).toEqual([bodyRowsMax, bodyRowsMax, 1]);
    expect(textOf(bodies).every((body) => body.startsWith("a,b\n1,2\n"))).toBe(true);
    expect(bodies[1]?.fileLine(2)).toBe(bodyRowsMax + 2);
    expect(bodies[2]?.fileLine(2)).toBe(bodyRowsMax * 2 + 2);
    expect(bodies[2]?.fileLine(1)).toBe(1);
  });

  test("every line of every body points at its own line of the file", () => {
    const long = "x".repeat(200_000);
    const rowText = fc.record({ a: fc.string(), big: fc.boolean() });
    fc.assert(
      fc.property(
        fc.constantFrom<BodyFormat>("ndjson", "json", "csv"),
        fc.array(rowText, { minLength: 1, maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 1, maxLength: 4 }),
        (format, rows, sizes) => {
          const rowTexts = rows.map(({ a, big }, i) => {
            const text = a + (big ? long : "");
            return format === "csv"
              ? `${i},"${text.replaceAll('"', '""')}"\n`
              : JSON.stringify({ i, text });
          });
          const file =
            format === "json"
              ? `[\n${rowTexts.join(",\n")}\n]\n`
              : format === "csv"
                ? `i,text\n${rowTexts.join("")}`
                : `${rowTexts.join("\n")}\n`;
          const fileLines = file.split("\n");
          const bodies = cutAll(file, format, sizes);
          expect(bodies.reduce((sum, body) => sum + body.rows, 0)).toBe(rows.length);
          for (const body of bodies) {
            const lines = body.bytes.toString().split("\n");
            if (format === "json") JSON.parse(body.bytes.toString());
            lines.forEach((line, l) => {
              const bare = line.replace(/^\[|[\],]+$/g, "");
              if (bare !== "") expect(fileLines[body.fileLine(l + 1) - 1]).toContain(bare);
            });
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

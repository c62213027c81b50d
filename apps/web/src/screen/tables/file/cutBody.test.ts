import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutBody } from "./cutBody.js";
import { rowFile } from "./rowFile.js";

describe("files in parts", () => {
  const partsOf = async (text: string, format: "ndjson" | "csv", partBytes: number) => {
    const parts = [];
    const file = await rowFile(new Blob([text]), "x");
    for await (const part of cutBody(file, { format, partBytes })) parts.push(part);
    return parts.map(({ bytes, ...part }) => ({ text: new TextDecoder().decode(bytes), ...part }));
  };

  test("JSON lines: every line is in one part, with its number", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({ maxLength: 12 }).map((s) => JSON.stringify(s)),
          { minLength: 1 },
        ),
        fc.integer({ min: 1, max: 40 }),
        async (lines, partBytes) => {
          const parts = await partsOf(lines.join("\n"), "ndjson", partBytes);
          expect(parts.map(({ text }) => text).join("")).toBe(lines.join("\n"));
          for (const { text, linesBefore } of parts) {
            expect(text.split("\n")[0]).toBe(lines[linesBefore]);
          }
        },
      ),
    ));

  test("CSV: a quote within a value does not start a quoted value, and a doubled quote does not end one", async () => {
    const text = 'a;b\n5" wide;x\n"6""\n";"y"\n777;z\n';
    const parts = await partsOf(text, "csv", 15);
    expect(parts.map((part) => part.text)).toEqual([
      'a;b\n5" wide;x\n',
      'a;b\n"6""\n";"y"\n',
      "a;b\n777;z\n",
    ]);
  });

  test("CSV: Excel's line sep= is part of the header", async () => {
    const parts = await partsOf("sep=;\na;b\n1;2\n3;4\n", "csv", 14);
    expect(parts.map((part) => part.text)).toEqual(["sep=;\na;b\n1;2\n", "sep=;\na;b\n3;4\n"]);
    expect(parts.map(({ headerLines }) => headerLines)).toEqual([0, 2]);
  });

  test("CSV: comments after the last row join its part", async () => {
    const rows = `time,n\n${"1,2\n".repeat(400)}`;
    const parts = await partsOf(`${rows}# completeness: 1\n`, "csv", rows.length - 1);
    expect(parts).toHaveLength(1);
  });

  test("CSV: every part has the header, and no cut is at a quoted line end", async () => {
    const text = 'a,b\n1,"x\ny"\n2,z\n3,w\n';
    const parts = await partsOf(text, "csv", 9);
    expect(parts.map((part) => part.text)).toEqual(['a,b\n1,"x\ny"\n2,z\n', "a,b\n3,w\n"]);
    expect(parts.map(({ linesBefore, headerLines }) => [linesBefore, headerLines])).toEqual([
      [0, 0],
      [4, 1],
    ]);
  });
});

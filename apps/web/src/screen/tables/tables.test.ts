import { gzipSync } from "node:zlib";
import { HadalError, type IngestReply } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutBody } from "./file/cutBody.js";
import { lookAtFile } from "./file/lookAtFile.js";
import { readPreview } from "./file/readPreview.js";
import { FileFault, type RowFile, rowFile } from "./file/rowFile.js";
import { uploadFile } from "./file/uploadFile.js";
import { timesInWords } from "./import/TimeFields.js";
import { keptText, type ListedTable, lagText, sortTables } from "./list/tableColumns.js";
import { snippetsOf } from "./send/snippets.js";
import { readSettings, writtenSetting } from "./settings/columnSettingText.js";
import { ageUnits, byteUnits, readRetention, writtenBound } from "./settings/retentionText.js";
import { nextStep, readThinning, thinnedText, writtenStep } from "./settings/thinningText.js";

describe("preview", () => {
  const typesOf = (text: string) => {
    const { format, columns, timeColumn, rows } = readPreview(text);
    const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]));
    return { format, types, timeColumn, rowCount: rows.length };
  };
  test.each([
    [
      '{"time":1795254000000,"service":"cart","ms":1}\n{"time":1795254000001,"ms":1.5}',
      {
        format: "ndjson",
        types: { time: "integer", service: "string", ms: "decimal" },
        timeColumn: "time",
        rowCount: 2,
      },
    ],
    [
      '[{"at":"2026-11-21T09:00:00Z","a":{"b":["x"]},"c":{"$set":["y"]}}]',
      {
        format: "json",
        types: { at: "moment", "a.b": "vector", c: "set" },
        timeColumn: "at",
        rowCount: 1,
      },
    ],
    [
      'ts,name,n\n2026-11-21T09:00:00+01:00,"a, ""b""\nc",5\n\n2026-11-21T09:00:01Z,,7\n',
      {
        format: "csv",
        types: { ts: "moment", name: "string", n: "integer" },
        timeColumn: "ts",
        rowCount: 2,
      },
    ],
    [
      '{\n "time": 1795254000000\n}',
      { format: "json", types: { time: "integer" }, timeColumn: "time", rowCount: 1 },
    ],
    [
      '{"when":"yesterday"}',
      { format: "ndjson", types: { when: "string" }, timeColumn: null, rowCount: 1 },
    ],
    // Of several times the best known name; no unit puts a small number near now.
    [
      '{"created_at":1795254000000,"timestamp":1795254000000,"time":1795254}',
      {
        format: "ndjson",
        types: { created_at: "integer", timestamp: "integer", time: "integer" },
        timeColumn: "timestamp",
        rowCount: 1,
      },
    ],
  ])("%s", (text, expected) => expect(typesOf(text)).toEqual(expected));

  test.each<[string, string | null]>([
    // One bad cell does not disqualify the name.
    [
      '{"time":"2026-11-20T10:00:00Z","a":1}\n{"time":"2026-11-20T10:00:02","id":1844674407370955}',
      "time",
    ],
    ['{"at":"2026-11-20T10:00:00Z","date":"20 Nov"}', "at"],
    // As the server reads them.
    ['{"ts":"2026-11-20 10:00:00,5 +02"}', "ts"],
    // Without a zone it is read in the one that is chosen.
    ['{"timestamp":"2026-11-20 10:00:00","order_id":1700000000123,"v":1}', "timestamp"],
    ['{"departed":"2001/01/14 21:55","order_id":1700000000123}', "departed"],
    ['{"day":"2026-11-20","n":1}', "day"],
    // Of unknown names a number may be an id, as text too.
    ['{"session":"1700000000"}', null],
    ['{"ts":"1700000000.5"}', "ts"],
    ['{"order_id":1700000000123}', null],
    ['{"seen":"2026-11-20T10:00:00Z","order_id":1700000000123}', "seen"],
    ['{"seen":"2026-11-20T10:00:00Z","eventTime":1795254000000}', "eventTime"],
    ['{"seen":"2026-11-20T10:00:00Z","EVENT_TIME":1795254000000}', "EVENT_TIME"],
    ['{"order_id":1700000000123,"event_ts_ms":1795254000000}', "event_ts_ms"],
    // Seconds to nanoseconds, as the server finds them.
    ['{"time":1795254000}', "time"],
    ['{"time":1795254000000000}', "time"],
    ['{"time":1795254000000000000}', "time"],
    ['{"time":17}', null],
    ['{"uptime":1795254000000,"format":1795254000000}', null],
  ])("the time of %s is %s", (text, column) => expect(readPreview(text).timeColumn).toBe(column));

  test("the beginning of a long list is enough", () =>
    expect(typesOf('[{"time":1795254000000,"a":"x}"},{"time":17952540').rowCount).toBe(1));
  test("names that objects have of their own are ordinary", () => {
    const { columns } = readPreview('{"time":1795254000000,"__proto__":1,"constructor":2}');
    expect(columns.map(({ name }) => name)).toEqual(["time", "__proto__", "constructor"]);
  });
  test.each(["", "  \n", "[]", "a,b,c"])("%j holds no rows", (text) =>
    expect(() => readPreview(text)).toThrow("no row"),
  );
});

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

  test("CSV: a quote within a value opens nothing; a doubled one neither", async () => {
    const text = 'a;b\n5" wide;x\n"6""\n";"y"\n777;z\n';
    const parts = await partsOf(text, "csv", 15);
    expect(parts.map((part) => part.text)).toEqual([
      'a;b\n5" wide;x\n',
      'a;b\n"6""\n";"y"\n',
      "a;b\n777;z\n",
    ]);
  });

  test("CSV: Excel's line goes with the header", async () => {
    const parts = await partsOf("sep=;\na;b\n1;2\n3;4\n", "csv", 14);
    expect(parts.map((part) => part.text)).toEqual(["sep=;\na;b\n1;2\n", "sep=;\na;b\n3;4\n"]);
    expect(parts.map(({ headerLines }) => headerLines)).toEqual([0, 2]);
  });

  test("CSV: comments behind the last row are no part of their own", async () => {
    const rows = `time,n\n${"1,2\n".repeat(400)}`;
    const parts = await partsOf(`${rows}# completeness: 1\n`, "csv", rows.length - 1);
    expect(parts).toHaveLength(1);
  });

  test("CSV: the header goes with every part, quoted line ends do not cut", async () => {
    const text = 'a,b\n1,"x\ny"\n2,z\n3,w\n';
    const parts = await partsOf(text, "csv", 9);
    expect(parts.map((part) => part.text)).toEqual(['a,b\n1,"x\ny"\n2,z\n', "a,b\n3,w\n"]);
    expect(parts.map(({ linesBefore, headerLines }) => [linesBefore, headerLines])).toEqual([
      [0, 0],
      [4, 1],
    ]);
  });
});

describe("packed files", () => {
  const text = Array.from({ length: 5_000 }, (_, i) => `{"time":${1795254000000 + i}}`).join("\n");
  const all = async (file: RowFile): Promise<string> => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of file.open().pieces) parts.push(piece.slice());
    return new Blob(parts).text();
  };
  /** A frame of blocks that are not packed, of which the first is whole. */
  const zstdOf = (content: string): Uint8Array => {
    const bytes = new TextEncoder().encode(content);
    const size = new Uint8Array(Uint32Array.of(bytes.length).buffer);
    const blocks = [...Array(Math.ceil(bytes.length / 65_536)).keys()].flatMap((i) => {
      const block = bytes.subarray(i * 65_536, (i + 1) * 65_536);
      const isLast = (i + 1) * 65_536 >= bytes.length;
      const head = (block.length << 3) | (isLast ? 1 : 0);
      return [head & 255, (head >> 8) & 255, head >> 16, ...block];
    });
    return Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, ...size, ...blocks]);
  };
  const gzipped = gzipSync(text);
  const packed = { gzip: gzipped, zstd: zstdOf(text) };

  test.each(Object.entries(packed))(
    "%s is unpacked, by what it is and not by its name",
    async (_, bytes) => {
      const file = await rowFile(new Blob([new Uint8Array(bytes)]), "rows");
      expect(file.isPacked).toBe(true);
      expect(await all(file)).toBe(text);
      const { bytes: start, isWhole } = await file.start(100);
      expect([new TextDecoder().decode(start), isWhole]).toEqual([text.slice(0, 100), false]);
    },
  );

  test.each([
    ["gzip that breaks off", gzipped.subarray(0, gzipped.length - 20), "is not whole gzip"],
    [
      "gzip that was damaged",
      gzipped.map((byte, i) => (i === 900 ? byte ^ 255 : byte)),
      "is not whole gzip",
    ],
    ["zstd that breaks off", packed.zstd.subarray(0, 70_000), "is not whole zstd: unexpected EOF"],
  ])("%s is told with its place", async (_, bytes, words) => {
    const file = await rowFile(new Blob([new Uint8Array(bytes)]), "rows.bin");
    const error: unknown = await all(file).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(FileFault);
    expect((error as Error).message).toContain("“rows.bin”, within its first");
    expect((error as Error).message).toContain(words);
  });
});

describe("files of other kinds", () => {
  const look = async (bytes: Uint8Array<ArrayBuffer>) => {
    const client = { previewBody: () => Promise.reject(new Error("not asked")) };
    return lookAtFile(client, await rowFile(new Blob([bytes]), "x"), "t");
  };
  test.each<[string, readonly number[], string]>([
    ["a workbook", [0x50, 0x4b, 3, 4, 20], "save the sheet as CSV"],
    ["a picture", [0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0], "no text: byte 9 is zero"],
    ["UTF-16", [0xff, 0xfe, 0x74, 0], "save it as UTF-8"],
    ["nothing", [], "“x” is empty"],
    ["a text without rows", [0x61, 0x2c, 0x62], "no row in it"],
  ])("%s is named", async (_, bytes, words) => {
    await expect(look(Uint8Array.from(bytes))).rejects.toThrow(words);
    await expect(look(Uint8Array.from(bytes))).rejects.toBeInstanceOf(FileFault);
  });
});

test.each([
  [[{ form: "s", rows: 5 }], 0, "Times are numbers of seconds since 1970."],
  [[{ form: "local", rows: 1 }], 0, "Times are dates without a zone, read in Europe/Berlin."],
  [
    [
      { form: "ms", rows: 1_200 },
      { form: "text", rows: 1 },
    ],
    0,
    /^Times: 1.200 rows with numbers of milliseconds since 1970, 1 row with dates that name their zone\.$/,
  ],
  [[{ form: "local", rows: 3 }], 2, "2 rows in the hour that Europe/Berlin has twice"],
  [[], 0, ""],
] as const)("how times were read, in words: %j", (forms, repeated, words) => {
  expect(timesInWords({ forms, repeated }, "Europe/Berlin")).toMatch(words);
});

describe("upload", () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, i) => `{"i":${i},"pad":"${"x".repeat(1_000)}"}`).join("\n");
  const reply = (accepted: number, problems: IngestReply["problems"] = []): IngestReply => ({
    ...{ batchId: "b", accepted, problems, ack: "durable" },
    rejected: problems.length,
  });

  test("rejected lines are those of the file, whichever part they were in", async () => {
    const keys = new Set<string>();
    const bad = { line: 2, code: "no-time", detail: "no time" };
    const answers = [
      reply(10, [bad]),
      new HadalError("rows-rejected", { rejected: 1, detail: "" }, [bad]),
    ];
    const state = await uploadFile(
      {
        async ingestBody(_table, _body, { idempotencyKey = "" }) {
          keys.add(idempotencyKey);
          const answer = answers[keys.size - 1];
          if (answer instanceof Error) throw answer;
          return answer ?? reply(1);
        },
      },
      {
        file: await rowFile(new Blob([lines(4_000)]), "x.ndjson"),
        table: "t",
        format: "ndjson",
        how: { timeColumn: "time", timeUnit: "auto", timeZone: "UTC", csv: {} },
      },
      () => {},
      new AbortController().signal,
    );
    expect(keys.size).toBeGreaterThanOrEqual(2);
    expect(state).toMatchObject({
      accepted: 10,
      rejected: 2,
      bytesSent: new Blob([lines(4_000)]).size,
    });
    expect(state.problems[0]?.line).toBe(2);
    expect(state.problems[1]?.line).toBeGreaterThan(1_900);
  });
});

describe("retention", () => {
  test.each([
    [
      { text: "7", unit: "days" },
      { text: "1.5", unit: "GiB" },
      { maxAgeMs: 604_800_000, maxBytes: 1_610_612_736 },
    ],
    [
      { text: "x", unit: null },
      { text: "", unit: null },
      { maxAgeMs: null, maxBytes: null },
    ],
    [
      { text: " 90 ", unit: "minutes" },
      { text: "1,5", unit: "MiB" },
      { maxAgeMs: 5_400_000, maxBytes: 1_572_864 },
    ],
  ])("%o and %o", (age, bytes, retention) =>
    expect(readRetention(age, bytes)).toEqual({ ok: true, retention }),
  );
  test.each(["", "seven", "-1", "0", "1e9"])("%j days are refused", (text) =>
    expect(readRetention({ text, unit: "days" }, { text: "", unit: null })).toMatchObject({
      ok: false,
    }),
  );
  test("what is set is shown in its largest whole unit", () => {
    expect(writtenBound(604_800_000, ageUnits)).toEqual({ text: "7", unit: "days" });
    expect(writtenBound(5_400_000, ageUnits)).toEqual({ text: "90", unit: "minutes" });
    expect(writtenBound(2 ** 31, byteUnits)).toEqual({ text: "2", unit: "GiB" });
    expect(keptText({ maxAgeMs: 604_800_000, maxBytes: 2 ** 31 })).toBe("7 days, 2 GiB");
    expect(keptText({ maxAgeMs: null, maxBytes: null })).toBe("for ever");
  });
});

test("thinning is read as it is written, and the next step is a tenth of it", () => {
  const steps = [
    { afterMs: 86_400_000, keepOneIn: 10 },
    { afterMs: 604_800_000, keepOneIn: 100 },
  ];
  expect(readThinning(steps.map(writtenStep))).toEqual({ ok: true, thinning: steps });
  expect(thinnedText(steps)).toBe("1 in 10 after 1 day, 1 in 100 after 7 days");
  expect(nextStep([])).toEqual({ age: { text: "1", unit: "days" }, keepOneIn: "10" });
  expect(nextStep(steps.map(writtenStep)).keepOneIn).toBe("1000");
  for (const keepOneIn of ["", "1", "x", "2.5"]) {
    const age = { text: "1", unit: "days" };
    expect(readThinning([{ age, keepOneIn }])).toMatchObject({ ok: false });
  }
});

test("settings of columns are read as they are written", () => {
  const columns = [
    { name: "price", decimals: 2 },
    { name: "zip", type: "string" },
    { name: "id", type: "int", decimals: 0 },
  ] as const;
  const written = columns.map(writtenSetting);
  expect(readSettings(written)).toEqual({ ok: true, columns });
  // Decimals that no longer show are not sent.
  expect(readSettings([{ name: "a", type: "set", decimals: "2" }])).toEqual({
    ok: true,
    columns: [{ name: "a", type: "set" }],
  });
  for (const wrong of [{ name: "" }, { decimals: "x" }, { decimals: "" }]) {
    const setting = { name: "a", type: "", decimals: "1", ...wrong } as const;
    expect(readSettings([setting])).toMatchObject({ ok: false });
  }
});

test("snippets take any name as it is", () => {
  const [curl, file, js] = snippetsOf("http://127.0.0.1:7400", 'it\'s `a`/"b"', 1);
  expect(curl?.text).toContain("tables/it's%20%60a%60%2F%22b%22/rows".replace("'", "'\\''"));
  expect(file?.text).toContain(`--table 'it'\\''s \`a\`/"b"' `);
  expect(js?.text).toContain('client.ingest("it\'s `a`/\\"b\\"")');
});

test.each([
  [-120_000, "in 2 min"],
  [-300, "now"],
  [3_400, "3 s ago"],
  [90_000_000, "1 d ago"],
  [null, "–"],
])("lag of %s ms is %s", (lagMs, text) => expect(lagText(lagMs)).toBe(text));

test("tables sort by any column; what has no value comes last either way", () => {
  const table = (name: string, rate: number | null) => ({ name, rate }) as ListedTable;
  const all = [table("b", null), table("a", 5), table("c", 50)];
  const names = (desc: boolean) => sortTables(all, "rate", desc).map(({ name }) => name);
  expect([names(true), names(false)]).toEqual([
    ["c", "a", "b"],
    ["a", "c", "b"],
  ]);
});

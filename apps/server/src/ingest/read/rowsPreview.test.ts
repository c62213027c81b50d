import { Readable } from "node:stream";
import type { RowsPreview } from "@hadal/sdk";
import { expect, test } from "vitest";
import type { PreviewRequest } from "../ingestRequest.js";
import { startGateway, withFolder } from "../testing/gateway.js";

async function preview(body: string, asked: Partial<PreviewRequest> = {}): Promise<RowsPreview> {
  let answer: RowsPreview | null = null;
  await withFolder(async (folder) => {
    const gateway = await startGateway(folder, []);
    answer = await gateway.ingest.preview({
      ...{ table: "t", body: Readable.from([Buffer.from(body)]), contentEncoding: undefined },
      ...{ contentType: "application/x-ndjson", timeName: undefined, ...asked },
    });
    await gateway.stop();
  });
  return answer!;
}

const lines = (...times: readonly (string | number)[]): string =>
  times.map((time) => `${JSON.stringify({ time, n: 1 })}\n`).join("");

test("a preview reports how the times of its rows were read", async () => {
  const body = lines(1750500000, 1750500000123, 1750500001, "2025-06-21T10:00:00Z", "2025-06-21");
  const asked = { timeUnit: "auto", timeZone: "Europe/Berlin" } as const;
  const { times, rejected } = await preview(body, asked);
  expect(rejected).toBe(0);
  expect(times).toEqual({
    forms: [
      { form: "s", rows: 2 },
      { form: "ms", rows: 1 },
      { form: "text", rows: 1 },
      { form: "local", rows: 1 },
    ],
    repeated: 0,
  });
});

test.each([
  ["us", "1750500000123456"],
  ["ns", "1750500000123456789"],
  ["s", "1750500000.123"],
  ["ms", "1750500000123.9"],
])("a number in %s is recognised, and read digit by digit", async (form, text) => {
  const body = `{"time":${text}}\n{"time":"${text}"}\n`;
  const { times, rows } = await preview(body, { timeUnit: "auto" });
  expect(times.forms).toEqual([{ form, rows: 2 }]);
  expect(rows).toEqual([[1750500000123], [1750500000123]]);
});

test("rows that are refused are not counted, and an hour that comes twice is named", async () => {
  const body = [
    '{"time":"2025-10-26 02:30:00"}',
    '{"time":"2025-10-26 12:00:00","sample_rate":0}',
    '{"time":"2025-10-26 12:00:00"}',
  ].join("\n");
  const { times, rejected } = await preview(body, { timeZone: "Europe/Berlin" });
  expect(rejected).toBe(1);
  expect(times).toEqual({ forms: [{ form: "local", rows: 2 }], repeated: 1 });
});

test("CSV and JSON report the same about their times", async () => {
  const csv = "time,n\n1750500000,1\n1750500001,2\n";
  const json = '[{"time":1750500000,"n":1},{"time":1750500001,"n":2}]';
  for (const [contentType, body] of [
    ["text/csv", csv],
    ["application/json", json],
  ] as const) {
    const { times } = await preview(body, { contentType, timeUnit: "auto" });
    expect(times.forms).toEqual([{ form: "s", rows: 2 }]);
  }
});

test("a zone that there is none of is refused by its name", async () => {
  await expect(preview(lines(1750500000123), { timeZone: "Mars/Olympus" })).rejects.toThrow(
    'no time zone is called "Mars/Olympus"',
  );
});

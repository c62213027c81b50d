import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { RowsPreview } from "@hadal/sdk";
import type { FileMetaData } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkParquetPages } from "../src/ingest/format/parquet/parquetPages.js";
import type { PreviewRequest } from "../src/ingest/ingestRequest.js";
import { startGateway, type TestGateway } from "../src/ingest/testing/gateway.js";
import { MemoryLeaf } from "../src/ingest/testing/memoryLeaf.js";

let folder: string;
let connection: DuckDBConnection;
let gateway: TestGateway;
let leaf: MemoryLeaf;
let files = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-parquet-"));
  connection = await (await DuckDBInstance.create()).connect();
  leaf = new MemoryLeaf("leaf-1");
  gateway = await startGateway(folder, [leaf]);
});

afterAll(async () => {
  await gateway.stop();
  connection.closeSync();
  await rm(folder, { recursive: true, force: true });
});

async function fileOf(sql: string): Promise<Buffer> {
  const path = join(folder, `${files++}.parquet`);
  await connection.run(`COPY (${sql}) TO '${path}' (FORMAT parquet)`);
  return readFile(path);
}

type Asked = Partial<PreviewRequest>;

const requestOf = (bytes: Uint8Array, asked: Asked): PreviewRequest => ({
  ...{ table: "t", body: Readable.from([bytes]), contentEncoding: undefined },
  ...{ contentType: "application/vnd.apache.parquet", timeName: undefined, ...asked },
});
const preview = (bytes: Uint8Array, asked: Asked = {}): Promise<RowsPreview> =>
  gateway.ingest.preview(requestOf(bytes, asked));

describe("a body of Parquet", () => {
  test("is shown as it will be stored, with what the file says of itself", async () => {
    const bytes = await fileOf(
      "SELECT TIMESTAMP '2026-07-01 12:00:00' AS at, 9007199254740993 AS n, 1.25::DECIMAL(9,2) AS d, ['a', 'b'] AS tags",
    );
    const shown = await preview(bytes, { timeName: "at", timeZone: "Europe/Berlin" });
    expect(shown.rows).toEqual([
      [Date.UTC(2026, 6, 1, 10), "9007199254740993", "1.25", ["a", "b"]],
    ]);
    expect(shown.times).toEqual({ forms: [{ form: "local", rows: 1 }], repeated: 0 });
    expect(shown.parquet).toEqual({
      rows: 1,
      columns: [
        { name: "at", type: "TIMESTAMP(MICROS)" },
        { name: "n", type: "INTEGER" },
        { name: "d", type: "DECIMAL" },
        { name: "tags", type: "LIST" },
      ],
    });
    const utc = await preview(bytes, { timeName: "at" });
    expect(utc.rows[0]?.[0]).toBe(Date.UTC(2026, 6, 1, 12));
  });

  test("lists its columns when none has the name of the time", async () => {
    const bytes = await fileOf("SELECT 1 AS n, DATE '2026-07-01' AS day");
    const shown = await preview(bytes);
    expect(shown).toMatchObject({ accepted: 0, rejected: 0, rows: [] });
    expect(shown.parquet?.columns.map(({ name }) => name)).toEqual(["n", "day"]);
    const request = { ...requestOf(bytes, {}), ack: "durable", idempotencyKey: undefined } as const;
    await expect(gateway.ingest.rows(request)).rejects.toMatchObject({
      code: "body-undecodable",
      message: expect.stringContaining('its columns are "n", "day". Name the column of the time'),
    });
  });

  test("is stored whole, many rows of it too, and once by its key", async () => {
    const bytes = await fileOf(
      "SELECT range AS i, 1750500000 + range AS at, 'name ' || range % 7 AS s FROM range(25_000)",
    );
    const request = () => ({
      ...requestOf(bytes, { timeName: "at", timeUnit: "auto" }),
      ...({ ack: "durable", idempotencyKey: "k1" } as const),
    });
    const first = await gateway.ingest.rows(request());
    expect(first).toMatchObject({ accepted: 25_000, rejected: 0 });
    expect(await gateway.ingest.rows(request())).toMatchObject({ accepted: 25_000 });
    expect(gateway.ledger.tables()).toContain("t");
    expect(leaf.rowCount("t")).toBe(25_000);
  });

  test("names the row that is refused", async () => {
    const bytes = await fileOf(
      "SELECT CASE WHEN range = 2 THEN NULL ELSE 1750500000000 + range END AS time FROM range(4)",
    );
    const { accepted, problems } = await preview(bytes);
    expect(accepted).toBe(3);
    expect(problems).toMatchObject([{ line: 3, code: "time-missing" }]);
  });

  test.each<[what: string, spoil: (bytes: Buffer) => Buffer, words: string]>([
    ["text", () => Buffer.from("time,n\n1,2\n"), "does not begin with PAR1"],
    ["a start", (bytes) => bytes.subarray(0, 200), "cut off: its 200 bytes"],
    ["a broken footer", (bytes) => filled(bytes, bytes.length - 8, 4, 0x7f), "cannot be read"],
    ["broken pages", (bytes) => filled(bytes, 4, 30, 0), "cannot be read as Parquet"],
  ])("%s is refused in words", async (_, spoil, words) => {
    const whole = await fileOf("SELECT 1750500000000 + range AS time FROM range(100)");
    await expect(preview(spoil(whole))).rejects.toMatchObject({
      code: "body-undecodable",
      message: expect.stringContaining(words),
    });
  });
});

describe("what would take too much memory is refused before it is unpacked", () => {
  const chunk = (over: object) => ({
    num_rows: 1n,
    row_groups: [
      { columns: [{ meta_data: { data_page_offset: 4n, total_compressed_size: 10n, ...over } }] },
    ],
  });
  test.each<[what: string, metadata: object, words: string]>([
    ["rows", { num_rows: 10_000_000n, row_groups: [] }, "rows of a Parquet body"],
    ["a column beyond the file", chunk({ total_compressed_size: 10_000n }), "outside of the file"],
    ["a column before it", chunk({ data_page_offset: -4n }), "outside of the file"],
  ])("%s", (_, metadata, words) => {
    const check = () => checkParquetPages(Buffer.alloc(100), metadata as FileMetaData);
    expect(check).toThrow(words);
  });

  test("a page that says that it holds a billion values", () => {
    // Thrift: type 0, unpacked 8, packed 8, data page header with 2^30 values.
    const header = [0x15, 0, 0x15, 16, 0x15, 16, 0x2c, 0x15, 0x80, 0x80, 0x80, 0x80, 0x08, 0, 0];
    const bytes = Buffer.from([...[0, 0, 0, 0], ...header, ...new Array(8).fill(0)]);
    const metadata = chunk({ total_compressed_size: BigInt(bytes.length - 4) });
    expect(() => checkParquetPages(bytes, metadata as unknown as FileMetaData)).toThrow(
      "values of one row group",
    );
  });
});

function filled(bytes: Buffer, at: number, length: number, value: number): Buffer {
  return Buffer.from(bytes).fill(value, at, at + length);
}

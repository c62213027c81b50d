import { HadalError } from "@hadal/sdk";
import {
  Binary,
  BinaryView,
  CompressionType,
  compressionRegistry,
  type DataType,
  Dictionary,
  Field,
  FixedSizeBinary,
  Float64,
  Int32,
  Int64,
  LargeBinary,
  List,
  makeData,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  SparseUnion,
  Table,
  TimeMicrosecond,
  TimestampSecond,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import { compressFrameSync } from "lz4-napi";
import { beforeAll, describe, expect, it } from "vitest";
import { lz4ContentBytes } from "../../../base/compress/lz4Frame.js";
import { zstdContentBytes } from "../../../base/compress/zstdContent.js";
import { loadArrow } from "../../../base/format/arrowLibrary.js";
import { batchRows } from "../../../base/testing/batchRows.js";
import { rawZstd } from "../../../base/testing/rawZstd.js";
import { collect } from "../../testing/collect.js";

const streamType = "application/vnd.apache.arrow.stream";
const fileType = "application/vnd.apache.arrow.file";
const rowCount = 3_000;

beforeAll(async () => {
  await loadArrow();
  // Writing is the tests' own: Hadal answers without compression.
  const { LZ4_FRAME: lz4, ZSTD: zstd } = CompressionType;
  const packLz4 = (bytes: Uint8Array) => new Uint8Array(compressFrameSync(Buffer.from(bytes)));
  compressionRegistry.set(lz4, { ...compressionRegistry.get(lz4), encode: packLz4 });
  compressionRegistry.set(zstd, { ...compressionRegistry.get(zstd), encode: rawZstd });
});

const measures: ReadonlyMap<number, (frame: Uint8Array) => number> = new Map([
  [0x184d2204, lz4ContentBytes],
  [0xfd2fb528, zstdContentBytes],
]);

const numbers = Array.from({ length: rowCount }, (_, i) => i);
const table = (): Table =>
  new Table({
    time: vectorFromArray(numbers.map(BigInt), new Int64()),
    n: vectorFromArray(
      numbers.map((i) => (i % 3 === 0 ? null : 2n ** 60n + BigInt(i))),
      new Int64(),
    ),
    x: vectorFromArray(
      numbers.map((i) => i / 4),
      new Float64(),
    ),
    z: vectorFromArray(
      numbers.map(() => 0),
      new Float64(),
    ),
    s: vectorFromArray(
      numbers.map((i) => `text ${i % 700}`),
      new Utf8(),
    ),
    k: vectorFromArray(
      numbers.map((i) => `key ${i % 7}`),
      new Dictionary(new Utf8(), new Int32()),
    ),
    v: vectorFromArray(
      numbers.map((i) => (i % 5 === 0 ? null : ["x", `y${i % 4}`])),
      new List(new Field("item", new Utf8(), true)),
    ),
  });

const packed = (rows: Table, compressionType: CompressionType | null): Uint8Array =>
  RecordBatchStreamWriter.writeAll(rows, { compressionType } as never).toUint8Array(true);
const fileOf = (rows: Table, compressionType: CompressionType | null): Uint8Array =>
  RecordBatchFileWriter.writeAll(rows, { compressionType } as never).toUint8Array(true);

/** Packed buffers as other libraries write them: the length in front is that of the content. */
function withContentLengths(body: Uint8Array): Uint8Array {
  const bytes = body.slice();
  for (const [at, contentBytes] of packedBuffers(bytes))
    new DataView(bytes.buffer).setBigInt64(at, BigInt(contentBytes), true);
  return bytes;
}

/** Where the lengths of the packed buffers stand, and how long their contents are. */
function packedBuffers(bytes: Uint8Array): [at: number, contentBytes: number][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: [number, number][] = [];
  for (let at = 8; at < bytes.length - 4; at++) {
    const measure = measures.get(view.getUint32(at, true));
    if (measure === undefined) continue;
    const frameBytes = Number(view.getBigInt64(at - 8, true));
    found.push([at - 8, measure(bytes.subarray(at, at + frameBytes))]);
  }
  return found;
}

async function refusalOf(body: Uint8Array, contentType = streamType): Promise<HadalError> {
  const error: unknown = await collect(body, { contentType }).catch((reason: unknown) => reason);
  if (error instanceof HadalError) return error;
  throw new Error("it was taken");
}

describe("Arrow files, and compressed buffers", () => {
  it.each([
    ["LZ4", CompressionType.LZ4_FRAME],
    ["Zstandard", CompressionType.ZSTD],
    ["nothing", null],
  ] as const)("are read as a plain stream is: %s", async (_, compression) => {
    const plain = await collect(packed(table(), null), { contentType: streamType });
    expect(plain).toMatchObject({ accepted: rowCount, problems: [] });
    const rows = plain.batches.flatMap(batchRows);
    expect(rows[4]).toMatchObject({ n: { int: 2n ** 60n + 4n, decimals: 0 }, s: "text 4" });
    const bodies = [packed(table(), compression), fileOf(table(), compression)];
    for (const contentType of [streamType, fileType]) {
      for (const body of [...bodies, ...bodies.map(withContentLengths)]) {
        const read = await collect(body, { contentType, pieceBytes: 1_000 });
        expect(read).toMatchObject({ accepted: rowCount, problems: [] });
        expect(read.batches.flatMap(batchRows)).toEqual(rows);
      }
    }
  });

  it("a file that is cut off anywhere is refused", async () => {
    const file = fileOf(table(), CompressionType.LZ4_FRAME);
    for (const bytes of [6, 8, 17, 1_000, file.length - 1]) {
      const { code } = await refusalOf(file.subarray(0, bytes), fileType);
      expect(code).toBe("body-undecodable");
    }
    const bent = file.slice();
    new DataView(bent.buffer).setInt32(bent.length - 10, -5, true);
    expect((await refusalOf(bent)).message).toContain("without a footer");
  });

  it("flipped bytes of compressed buffers are refused, or other values, and never a crash", async () => {
    for (const compression of [CompressionType.LZ4_FRAME, CompressionType.ZSTD]) {
      const body = packed(table(), compression);
      for (let at = 500; at < body.length; at += 2_111) {
        const bent = body.slice();
        bent[at]! ^= 0x55;
        const outcome = await collect(bent, { contentType: streamType }).catch((error) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(HadalError);
      }
    }
  });

  it("no more is inflated than a body may have, whatever lengths are stated", async () => {
    const zeros = new Table({
      time: vectorFromArray([1n, 2n], new Int64()),
      s: vectorFromArray(["a".repeat(30_000_000), "a".repeat(40_000_000)], new Utf8()),
    });
    const bomb = packed(zeros, CompressionType.LZ4_FRAME);
    expect(bomb.length).toBeLessThan(1_000_000);
    expect(await refusalOf(bomb)).toMatchObject({ code: "body-too-large" });
  });

  it("a buffer that inflates to another length than stated is refused", async () => {
    for (const compression of [CompressionType.LZ4_FRAME, CompressionType.ZSTD]) {
      const body = packed(table(), compression);
      const [[at, contentBytes]] = packedBuffers(body) as [[number, number]];
      for (const other of [contentBytes + 8, contentBytes - 8, 0, -2, 2 ** 40]) {
        const bent = body.slice();
        new DataView(bent.buffer).setBigInt64(at, BigInt(other), true);
        expect(["body-undecodable", "body-too-large"]).toContain((await refusalOf(bent)).code);
      }
    }
  });
});

describe("Arrow columns of bytes", () => {
  const values = [[0xff, 0x01], [0xfe, 0x01], [0x61, 0x62], null].map((bytes) =>
    bytes === null ? null : Uint8Array.from(bytes),
  );
  const types: readonly (readonly [string, DataType])[] = [
    ["Binary", new Binary()],
    ["LargeBinary", new LargeBinary()],
    ["FixedSizeBinary", new FixedSizeBinary(2)],
  ];
  const body = (type: DataType, cells: readonly (Uint8Array | null)[] = values): Uint8Array =>
    packed(
      new Table({
        time: vectorFromArray(
          cells.map((_, i) => BigInt(i)),
          new Int64(),
        ),
        b: vectorFromArray(cells, type as never),
      }),
      null,
    );

  it.each(types)("%s: text where it is UTF-8, else the row is refused by name", async (_, type) => {
    const { accepted, batches, problems } = await collect(body(type), { contentType: streamType });
    expect(accepted).toBe(2);
    expect(batches.flatMap(batchRows)).toEqual([{ b: "ab" }, {}]);
    expect(problems).toMatchObject([
      { line: 1, code: "invalid-unicode", detail: expect.stringMatching(/`b`.*binary=hex/) },
      { line: 2, code: "invalid-unicode" },
    ]);
  });

  it.each(types)("%s: hexadecimal by setting", async (_, type) => {
    const rows = await collect(body(type), { contentType: streamType, binary: "hex" });
    expect(rows.problems).toEqual([]);
    expect(rows.batches.flatMap(batchRows)).toEqual([
      { b: "ff01" },
      { b: "fe01" },
      { b: "6162" },
      {},
    ]);
  });

  it("views, dictionaries and lists of bytes are read so too; strings stay strings", async () => {
    const view = Uint8Array.from([2, 0, 0, 0, 0xff, 0x01, ...Array.from({ length: 10 }, () => 0)]);
    const time = vectorFromArray([1n], new Int64());
    const list = new List(new Field("item", new Binary(), true));
    const rows = new Table({
      time,
      view: new Vector([makeData({ type: new BinaryView(), length: 1, views: view } as never)]),
      list: vectorFromArray([values.slice(0, 3)], list as never),
      keyed: vectorFromArray([values[0]], new Dictionary(new Binary(), new Int32()) as never),
      s: vectorFromArray(["ab"], new Utf8()),
    });
    const hex = await collect(packed(rows, null), { contentType: streamType, binary: "hex" });
    expect(hex.problems).toEqual([]);
    expect(hex.batches.flatMap(batchRows)).toMatchObject([
      {
        view: "ff01",
        keyed: "ff01",
        s: "ab",
        list: ["ff01", "fe01", "6162"],
      },
    ]);
  });
});

describe("refusals of Arrow columns", () => {
  const time = () => vectorFromArray([1n], new Int64());
  it("name the column and its type", async () => {
    const union = new SparseUnion([0], [new Field("a", new Int32())]);
    const bad: readonly (readonly [Vector, RegExp])[] = [
      [vectorFromArray([1n], new TimeMicrosecond()), /Column "c" has the Arrow type Time64/],
      [
        new Vector([
          makeData({
            type: union,
            length: 1,
            typeIds: Int8Array.of(0),
            children: [vectorFromArray([1], new Int32()).data[0]!],
          } as never),
        ]),
        /Column "c" has the Arrow type Union/,
      ],
    ];
    for (const [column, message] of bad) {
      const body = packed(new Table({ time: time(), c: column }), null);
      expect((await refusalOf(body)).message).toMatch(message);
    }
  });

  it("take event times of a time type unchanged, and numbers by the rule of the request", async () => {
    const timeUnit = { unit: null, nowMs: Date.UTC(2026, 10, 27) };
    const seconds = vectorFromArray([new Date(5_000)], new TimestampSecond());
    const old = await collect(packed(new Table({ time: seconds }), null), {
      contentType: streamType,
      timeUnit,
    });
    expect([...old.batches[0]!.times]).toEqual([5_000]);
    const numbers = packed(
      new Table({ time: vectorFromArray([1763632800n], new Int64()), n: time() }),
      null,
    );
    const refused = await collect(numbers, { contentType: streamType, timeUnit });
    expect(refused.problems[0]?.detail).toContain("timeUnit=s.");
    const read = await collect(numbers, {
      contentType: streamType,
      timeUnit: { ...timeUnit, unit: "s" },
    });
    expect([...read.batches[0]!.times]).toEqual([1763632800000]);
  });
});

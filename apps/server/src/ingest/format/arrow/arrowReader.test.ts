import { HadalError } from "@hadal/sdk";
import {
  Bool,
  DateDay,
  Decimal,
  Dictionary,
  Field,
  Float64,
  Int8,
  Int32,
  Int64,
  List,
  makeData,
  Null,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  Table,
  TimeSecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint64,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { batchRows } from "../../../base/testing/batchRows.js";
import { collect } from "../../testing/collect.js";

const contentType = "application/vnd.apache.arrow.stream";

function stream(columns: Readonly<Record<string, Vector>>): Uint8Array {
  const table = new Table(columns);
  return RecordBatchStreamWriter.writeAll(table).toUint8Array(true);
}

const read = (body: Uint8Array, timeName?: string) =>
  collect(body, { contentType, ...(timeName === undefined ? {} : { timeName }) });

async function rowsOf(columns: Readonly<Record<string, Vector>>) {
  const { batches, problems } = await read(stream(columns));
  expect(problems).toEqual([]);
  return batches.flatMap(batchRows);
}

const times = (count: number): Vector =>
  vectorFromArray(
    Array.from({ length: count }, (_, i) => BigInt(i)),
    new Int64(),
  );

const int = (value: bigint, decimals = 0) => ({ int: value, decimals });

describe("rows of an Arrow stream", () => {
  /** Arbitrary cells of one column: how Arrow holds them, and how a row of JSON would. */
  const kinds: readonly {
    type: () => Vector["type"];
    cell: fc.Arbitrary<unknown>;
    json: (cell: never) => string;
  }[] = [
    {
      type: () => new Int64(),
      cell: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      json: (cell: bigint) => String(cell),
    },
    { type: () => new Int8(), cell: fc.integer({ min: -128, max: 127 }), json: String },
    {
      type: () => new Float64(),
      cell: fc.double({ noNaN: true, min: -1e12, max: 1e12 }),
      json: (cell: number) => JSON.stringify(cell),
    },
    { type: () => new Bool(), cell: fc.boolean(), json: String },
    { type: () => new Utf8(), cell: fc.string({ unit: "grapheme" }), json: JSON.stringify },
    {
      type: () => new Dictionary(new Utf8(), new Int32()),
      cell: fc.constantFrom("", "a", "ü", "b\u0000"),
      json: JSON.stringify,
    },
    {
      type: () => new List(new Field("item", new Utf8(), true)),
      // Some differ only in where one element ends and the next begins.
      cell: fc.array(fc.constantFrom("a", "b", "ü", "ab", "")),
      json: JSON.stringify,
    },
  ];

  it("are stored as rows of JSON with the same values are", async () => {
    const column = fc.constantFrom(...kinds).chain((kind) =>
      fc.record({
        kind: fc.constant(kind),
        cells: fc.array(fc.option(kind.cell, { freq: 4 }), { minLength: 1, maxLength: 40 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(column, { minLength: 1, maxLength: 4 }), async (columns) => {
        const count = Math.min(...columns.map(({ cells }) => cells.length));
        const vectors = columns.map(({ kind, cells }, i): [string, Vector] => [
          `c${i}`,
          vectorFromArray(cells.slice(0, count), kind.type()),
        ]);
        const lines = Array.from({ length: count }, (_, row) => {
          const cells = columns.map(({ kind, cells: own }, i) => {
            const cell = own[row] ?? null;
            return `"c${i}":${cell === null ? "null" : kind.json(cell as never)}`;
          });
          return `{"time":${row},${cells.join(",")}}`;
        });
        const expected = await collect(lines.join("\n"));
        const found = await read(stream({ time: times(count), ...Object.fromEntries(vectors) }));
        expect(found.accepted).toBe(expected.accepted);
        expect(found.batches.flatMap(batchRows)).toEqual(expected.batches.flatMap(batchRows));
        expect(found.batches.map((batch) => [...batch.times])).toEqual(
          expected.batches.map((batch) => [...batch.times]),
        );
      }),
      { numRuns: 150 },
    );
  });

  it("are exact where doubles are not any more", async () => {
    const near = 2n ** 53n;
    const whole = [near - 1n, near, near + 1n, 1n - near, -near, -near - 1n, -(2n ** 63n), -1n];
    const count = whole.length;
    const moments = (type: TimestampSecond | TimestampMillisecond, values: readonly bigint[]) => {
      const data = BigInt64Array.from(values);
      return new Vector([makeData({ type: type as TimestampMillisecond, length: count, data })]);
    };
    const seconds = whole.map((_, i) => BigInt(i - 4) * 2_000_000_000_000n);
    const rows = await rowsOf({
      time: times(count),
      n: vectorFromArray(whole, new Int64()),
      millis: moments(new TimestampMillisecond(), whole),
      seconds: moments(new TimestampSecond(), seconds),
    });
    expect(rows).toEqual(
      whole.map((n, i) => ({ n: int(n), millis: int(n), seconds: int(seconds[i]! * 1_000n) })),
    );
  });

  it("keep decimals and timestamps to the digit that is stored", async () => {
    const words = new Uint32Array(new BigInt64Array([-1234567n, -1n, 5n, 0n]).buffer);
    const decimals = new Vector([
      makeData({ type: new Decimal(4, 38, 128), length: 2, nullCount: 0, data: words }),
    ]);
    const whole = new Uint32Array(new BigInt64Array([-(2n ** 63n), -1n, 7n, 0n]).buffer);
    const moments = (type: TimestampMicrosecond | TimestampNanosecond, values: bigint[]) =>
      new Vector([
        makeData({
          type: type as TimestampMicrosecond,
          length: 2,
          nullCount: 0,
          data: new BigInt64Array(values),
        }),
      ]);
    const rows = await rowsOf({
      time: moments(new TimestampMicrosecond(), [-1n, 1_999n]),
      d: decimals,
      w: new Vector([
        makeData({ type: new Decimal(0, 38, 128), length: 2, nullCount: 0, data: whole }),
      ]),
      micros: moments(new TimestampMicrosecond(), [1_500n, -1n]),
      nanos: moments(new TimestampNanosecond(), [1_000_000n, 9_223_372_036_854_775_807n]),
      millis: vectorFromArray([1, 2], new TimestampMillisecond()),
      day: vectorFromArray([new Date(0), new Date(86_400_000)], new DateDay()),
    });
    expect(rows[0]).toEqual({
      d: int(-123_456_700n, 6),
      w: int(-(2n ** 63n)),
      micros: int(1_500_000n, 6),
      nanos: int(1_000_000n, 6),
      millis: int(1n),
      day: int(0n),
    });
    expect(rows[1]).toEqual({
      d: int(500n, 6),
      w: int(7n),
      micros: int(-1_000n, 6),
      nanos: int(9_223_372_036_854_775_807n, 6),
      millis: int(2n),
      day: int(86_400_000n),
    });
    const { batches } = await read(
      stream({ time: moments(new TimestampMicrosecond(), [-1n, 1_999n]) }),
    );
    expect([...batches[0]!.times]).toEqual([-1, 1]);
  });

  it("of no type are missing, and cost nothing else", async () => {
    const rows = await rowsOf({
      time: vectorFromArray([1n, 2n], new Int64()),
      nothing: vectorFromArray([null, null], new Null()),
      n: vectorFromArray([5, 6], new Int32()),
    });
    expect(rows).toEqual([{ n: int(5n) }, { n: int(6n) }]);
  });

  it("are refused one by one, and leave nothing behind", async () => {
    const columns = {
      time: vectorFromArray([1n, null, 3n, 4n, 5n, 2n ** 60n], new Int64()),
      sample_rate: vectorFromArray([1, 1, 0, 1, 1, 1], new Int32()),
      u: vectorFromArray([0n, 1n, 2n, 2n ** 64n - 1n, 4n, 5n], new Uint64()),
      x: vectorFromArray([0.5, 1, 2, 3, Number.POSITIVE_INFINITY, 4], new Float64()),
      s: vectorFromArray(["kept", "b", "c", "d", "e", "f"], new Utf8()),
    };
    const { batches, accepted, rejected, problems } = await read(stream(columns));
    expect([accepted, rejected]).toEqual([1, 5]);
    expect(problems.map(({ line, code }) => [line, code])).toEqual([
      [2, "time-missing"],
      [3, "sample-rate-invalid"],
      [4, "number-out-of-range"],
      [5, "number-out-of-range"],
      [6, "time-invalid"],
    ]);
    expect(batches.flatMap(batchRows)).toEqual([
      { sample_rate: int(1n), u: int(0n), x: int(500_000n, 6), s: "kept" },
    ]);
    expect(batches[0]!.columns.find(({ name }) => name === "s")).toMatchObject({
      dictionary: ["kept"],
    });
  });

  it("flatten structs, and take lists marked as sets as sets", async () => {
    const tags = new Field(
      "tags",
      new List(new Field("item", new Utf8())),
      true,
      new Map([["hadal.type", "set"]]),
    );
    const actor = new Field("actor", new Struct([new Field("login", new Utf8()), tags]));
    const time = new Field("at", new Int64());
    const lists = vectorFromArray([["b", "a", "b"]], tags.type).data[0]!;
    const logins = vectorFromArray(["ann"], new Utf8()).data[0]!;
    const children = [
      makeData({ type: actor.type, length: 1, nullCount: 0, children: [logins, lists] }),
      times(1).data[0]!,
    ];
    const schema = new Schema([actor, time]);
    const data = makeData({ type: new Struct(schema.fields), length: 1, nullCount: 0, children });
    const bytes = RecordBatchStreamWriter.writeAll([new RecordBatch(schema, data)]).toUint8Array(
      true,
    );
    const { batches } = await read(bytes, "at");
    expect(batches.flatMap(batchRows)).toEqual([
      { "actor.login": "ann", "actor.tags": ["a", "b"] },
    ]);
    expect(batches[0]!.columns.find(({ name }) => name === "actor.tags")?.type).toBe("set");
  });

  it("are cut into batches that a leaf takes", async () => {
    const count = 40_000;
    const { batches, accepted } = await read(stream({ time: times(count), n: times(count) }));
    expect(accepted).toBe(count);
    expect(batches.map(({ rowCount }) => rowCount)).toEqual([16_384, 16_384, 7_232]);
  });
});

describe("an Arrow stream that is none", () => {
  it.each<[string, () => Uint8Array]>([
    ["no bytes of Arrow", () => Buffer.from("hello, Arrow stream")],
    ["a file instead of a stream", () => Buffer.from("ARROW1\0\0 and more of it")],
    ["cut in the schema", () => stream({ time: times(3) }).slice(0, 40)],
    ["cut in the rows", () => stream({ time: times(3_000) }).slice(0, -4_000)],
    ["without a time", () => stream({ n: times(3) })],
    [
      "a column of times of day",
      () => stream({ time: times(1), t: vectorFromArray([1], new TimeSecond()) }),
    ],
  ])("%s is refused with a reason", async (_what, body) => {
    const refusal = await read(body()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(HadalError);
    expect((refusal as HadalError).status).toBe(400);
  });

  it("with one long text many times is refused before it fills the memory", async () => {
    const count = 40 * 16_384;
    const keys = makeData({
      type: new Dictionary(new Utf8(), new Int8()),
      length: count,
      nullCount: 0,
      data: new Int8Array(count),
      dictionary: vectorFromArray(["x".repeat(10_000_000)], new Utf8()),
    });
    const body = stream({ time: times(count), s: new Vector([keys]) });
    expect(body.length).toBeLessThan(20_000_000);
    const limitName = expect.stringContaining("readBytesMax");
    await expect(read(body)).rejects.toMatchObject({ code: "body-too-large", message: limitName });
  });

  it("broken anywhere, ends with rows or a reason, at once", async () => {
    const body = stream({
      time: times(50),
      k: vectorFromArray(
        Array.from({ length: 50 }, (_, i) => `key ${i % 3}`),
        new Dictionary(new Utf8(), new Int32()),
      ),
      s: vectorFromArray(Array.from({ length: 50 }, (_, i) => `text ${i % 7}`)),
      v: vectorFromArray(
        Array.from({ length: 50 }, (_, i) => ["a", `b${i}`]),
        new List(new Field("item", new Utf8())),
      ),
      f: vectorFromArray(Array.from({ length: 50 }, (_, i) => i / 3)),
    });
    // Lengths and places are words of two and four bytes: the extremes of those are what a reader
    // trips over.
    const extremes = [0, 1, 8, 14, 0x7fff, 0xffff, 0x01_00_00_00, 0x3f_ff_ff_ff, 0xff_ff_ff_ff];
    const change = fc.oneof(
      fc.tuple(fc.nat(body.length - 1), fc.nat(255), fc.constant(1)),
      fc.tuple(
        fc.nat(body.length / 2 - 2).map((at) => 2 * at),
        fc.constantFrom(...extremes),
        fc.constantFrom(2, 4),
      ),
    );
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const broken = body.slice();
        for (const [at, word, bytes] of changes) {
          for (let i = 0; i < bytes; i++) broken[at + i] = word >>> (8 * i);
        }
        const startedMs = performance.now();
        const outcome = await read(broken).catch((error: unknown) => error);
        expect(performance.now() - startedMs).toBeLessThan(2_000);
        if (!(outcome instanceof Error)) return;
        refused += 1;
        expect(outcome).toBeInstanceOf(HadalError);
        expect((outcome as HadalError).status).toBeLessThan(500);
      }),
      {
        numRuns: 1_200,
        examples: [
          [
            [
              [455, 10, 1],
              [597, 0, 1],
            ],
          ],
        ],
      },
    );
    expect(refused).toBeGreaterThan(35);
  });
});

import {
  Binary,
  Bool,
  DateDay,
  DateMillisecond,
  Dictionary,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  LargeUtf8,
  makeData,
  RecordBatchStreamWriter,
  Table,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
  Vector,
  vectorFromArray,
} from "apache-arrow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { collect } from "../../testing/collect.js";

const contentType = "application/vnd.apache.arrow.stream";
const nowMs = Date.UTC(2025, 5, 1);
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
const texts = fc.oneof(
  fc.constantFrom("", "a", "b", "ü", "\u0000", "🙂", "long enough to be hashed by words"),
  fc.string({ unit: "grapheme" }),
);

/** A type, and cells of it: those that a column has, and those that are rare. */
interface Kind {
  readonly type: () => Vector["type"];
  readonly cell: fc.Arbitrary<unknown>;
}

const numbers: readonly Kind[] = [
  { type: () => new Int8(), cell: fc.integer({ min: -128, max: 127 }) },
  { type: () => new Int16(), cell: fc.integer({ min: -32_768, max: 32_767 }) },
  { type: () => new Int32(), cell: fc.integer() },
  { type: () => new Uint8(), cell: fc.integer({ min: 0, max: 255 }) },
  { type: () => new Uint16(), cell: fc.integer({ min: 0, max: 65_535 }) },
  { type: () => new Uint32(), cell: fc.integer({ min: 0, max: 4_294_967_295 }) },
  { type: () => new Int64(), cell: fc.oneof(int64, fc.bigInt({ min: -9n, max: 9n })) },
  { type: () => new Uint64(), cell: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }) },
  { type: () => new Uint64(), cell: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) },
  { type: () => new Float32(), cell: fc.float() },
  { type: () => new Float64(), cell: fc.double() },
  { type: () => new Float64(), cell: fc.integer({ min: -1_000, max: 1_000 }) },
  { type: () => new Float64(), cell: fc.integer().map((n) => n / 1_000) },
  { type: () => new Float64(), cell: fc.constantFrom(-0, 0.5, 2 ** 53 - 1, 2 ** 53, Number.NaN) },
];
const moments: readonly Kind[] = [
  {
    type: () => new TimestampSecond(),
    cell: fc.integer({ min: -1e9, max: 1e9 }).map((s) => s * 1_000),
  },
  { type: () => new TimestampMillisecond(), cell: fc.integer({ min: -1e14, max: 1e14 }) },
  { type: () => new DateDay(), cell: fc.date({ noInvalidDate: true }) },
  { type: () => new DateMillisecond(), cell: fc.date({ noInvalidDate: true }) },
];
const others: readonly Kind[] = [
  { type: () => new Bool(), cell: fc.boolean() },
  { type: () => new Utf8(), cell: texts },
  { type: () => new LargeUtf8(), cell: texts },
  { type: () => new Binary(), cell: fc.uint8Array({ maxLength: 3 }) },
  { type: () => new Dictionary(new Utf8(), new Int32()), cell: texts },
  { type: () => new Dictionary(new Utf8(), new Int8()), cell: fc.constantFrom("x", "y", "ü") },
  { type: () => new Dictionary(new LargeUtf8(), new Uint16()), cell: texts },
];

const rowCounts = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 64, max: 150 }));

/**
 * The cells of a column, and one more: many or few are present, as what few rows have is kept in
 * another form.
 */
function columnOf(count: number, { type, cell }: Kind): fc.Arbitrary<Vector> {
  return fc
    .constantFrom(0, 0.2, 0.9)
    .chain((missing) =>
      fc.array(
        fc
          .tuple(fc.double({ min: 0, max: 1, noNaN: true }), cell)
          .map(([chance, value]) => (chance < missing ? null : value)),
        { minLength: count, maxLength: count },
      ),
    )
    .map((cells) => vectorFromArray([...cells, null], type()));
}

function stream(columns: Readonly<Record<string, Vector>>): Uint8Array {
  return RecordBatchStreamWriter.writeAll(new Table(columns)).toUint8Array(true);
}

const read = (columns: Readonly<Record<string, Vector>>) =>
  collect(stream(columns), { contentType, timeUnit: { unit: null, nowMs, futureMaxMs: 600_000 } });

/** The last row has no time and is refused: the others are then read cell by cell. */
async function expectSameByCell(columns: Readonly<Record<string, Vector>>): Promise<void> {
  const wanted = Object.entries(columns).map(([name, vector]) => [name, vector.slice(0, -1)]);
  const whole = await read(Object.fromEntries(wanted));
  const byCell = await read(columns);
  expect(byCell.rejected).toBe(whole.rejected + 1);
  const rowCount = columns.time!.length;
  expect(byCell.problems.filter(({ line }) => line < rowCount)).toEqual(whole.problems);
  expect(byCell.batches).toEqual(whole.batches);
}

/** All but the last one are present. */
function timesOf(type: Vector["type"], values: readonly bigint[]): Vector {
  const nullBitmap = new Uint8Array(Math.ceil((values.length + 1) / 8));
  for (let i = 0; i < values.length; i++) nullBitmap[i >> 3]! |= 1 << (i & 7);
  const data = BigInt64Array.from([...values, 0n]);
  const made = { type: type as TimestampMillisecond, length: data.length, nullCount: 1 };
  return new Vector([makeData({ ...made, data, nullBitmap })]) as Vector;
}

const plainTimes = (count: number): Vector =>
  timesOf(
    new Int64(),
    Array.from({ length: count }, (_, i) => BigInt(nowMs - i)),
  );

describe("columns that are built whole", () => {
  it("are those that are written cell by cell", async () => {
    const tables = rowCounts.chain((count) =>
      fc
        .array(
          fc.constantFrom(...numbers, ...moments, ...others).chain((kind) => columnOf(count, kind)),
          {
            minLength: 1,
            maxLength: 4,
          },
        )
        .map((vectors) => ({
          time: plainTimes(count),
          ...Object.fromEntries(vectors.map((vector, i) => [`c${i}`, vector])),
        })),
    );
    await fc.assert(fc.asyncProperty(tables, expectSameByCell), { numRuns: 150 });
  });

  it("have the same event times and sample rates", async () => {
    const near = (unitsPerMs: number) =>
      fc.oneof(
        int64,
        fc
          .integer({ min: -100_000, max: 1_000_000 })
          .map((ms) => BigInt(Math.trunc((nowMs + ms) * unitsPerMs)) + (unitsPerMs > 1 ? 1n : 0n)),
        fc.bigInt({ min: -63_000_000_000_000_000_000n / 1000n, max: 9n ** 18n }),
      );
    const times: readonly (readonly [() => Vector["type"], number])[] = [
      [() => new Int64(), 1],
      [() => new TimestampSecond(), 0.001],
      [() => new TimestampMillisecond(), 1],
      [() => new TimestampMicrosecond(), 1_000],
      [() => new TimestampNanosecond(), 1_000_000],
    ];
    const tables = fc
      .tuple(fc.constantFrom(...times), rowCounts)
      .chain(([[type, unitsPerMs], count]) =>
        fc.record({
          time: fc.array(near(unitsPerMs), { minLength: count, maxLength: count }).map((values) =>
            timesOf(
              type(),
              values.map((value) => BigInt.asIntN(64, value)),
            ),
          ),
          sample_rate: columnOf(count, {
            type: () => new Int64(),
            cell: fc.constantFrom(0n, 1n, 7n, 2n ** 31n - 1n, 2n ** 31n),
          }),
        }),
      );
    await fc.assert(fc.asyncProperty(tables, expectSameByCell), { numRuns: 100 });
  });

  it.each([
    ["twice", ["a", "b", "a"]],
    ["and one is missing", ["a", null, "b"]],
    ["and one is no UTF-8", ["a", "\ufffd", "b"]],
  ])("have dictionaries with a value %s", async (_, values) => {
    const dictionary = vectorFromArray([...values], new Utf8());
    if (values.includes("\ufffd")) (dictionary.data[0]!.values as Uint8Array)[1] = 0xff;
    const [first] = dictionary.data;
    const type = new Dictionary(first!.type as Utf8, new Int32());
    const data = Int32Array.from([0, 2, 1, 2, 0]);
    const c = new Vector([makeData({ type, length: data.length, data, dictionary })]) as Vector;
    await expectSameByCell({ time: plainTimes(data.length - 1), c });
  });
});

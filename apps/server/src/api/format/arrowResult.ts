import type { HistogramBucket, Result, ResultColumn, ResultValue } from "@hadal/sdk";
import type { Data, DataType, Int64, TimestampMillisecond, Utf8 } from "apache-arrow";
import type { ArrowLibrary } from "../../base/format/arrowLibrary.js";
import { decimalText, scaledDecimal } from "./decimalText.js";

/** All that 128 bits hold. */
const decimalPrecision = 38;
const bucketFields = ["low", "high", "count"] as const;

/**
 * A result as an Arrow stream: times are Timestamp(ms, UTC), integers Int64, decimals Decimal128, strings
 * coded by a dictionary each, sets and vectors lists, histograms lists of {low, high, count}. All else of
 * the result is in the schema's metadata, as JSON under `hadal.completeness`, `hadal.intervals`,
 * `hadal.coverage` and so on; a field's metadata has its role, and its unit.
 */
export function encodeArrow(result: Result, arrow: ArrowLibrary): Uint8Array {
  const { Field, makeData, RecordBatch, RecordBatchStreamWriter, Schema, Struct } = arrow;
  const { columns, rows } = result;
  const children = columns.map((column, i) =>
    encodeColumn(
      arrow,
      column,
      rows.map((row) => row[i] ?? null),
      i,
    ),
  );
  const fields = columns.map(
    (column, i) => new Field(column.name, children[i]!.type, true, fieldMetadata(column)),
  );
  const schema = new Schema(fields, schemaMetadata(result));
  const data = makeData({ type: new Struct(fields), length: rows.length, nullCount: 0, children });
  const batch = new RecordBatch(schema, data);
  return RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true);
}

function schemaMetadata(result: Result): Map<string, string> {
  const { columns: _columns, rows: _rows, final: _final, ...parts } = result;
  return new Map(
    Object.entries(parts).flatMap(([key, part]) =>
      part === undefined ? [] : [[`hadal.${key}`, JSON.stringify(part)] as const],
    ),
  );
}

function fieldMetadata({ role, type, unit }: ResultColumn): Map<string, string> {
  return new Map([
    ["hadal.role", role],
    ["hadal.type", type],
    ...(unit === undefined ? [] : ([["hadal.unit", unit]] as const)),
  ]);
}

function encodeColumn(
  arrow: ArrowLibrary,
  column: ResultColumn,
  values: readonly ResultValue[],
  dictionaryId: number,
): Data<DataType> {
  switch (column.type) {
    case "time":
      return encodeInt64(arrow, new arrow.TimestampMillisecond("UTC"), values);
    case "int":
      return encodeInt64(arrow, new arrow.Int64(), values);
    case "decimal":
      return encodeDecimals(arrow, values, column.decimals ?? 0);
    case "float":
      return encodeFloats(arrow, values);
    case "string":
      return encodeDictionary(arrow, values, dictionaryId);
    case "set":
    case "vector":
      return encodeLists(arrow, values as readonly (readonly string[] | null)[], encodeStrings);
    case "histogram":
      return encodeLists(
        arrow,
        values as readonly (readonly HistogramBucket[] | null)[],
        encodeHistogramBuckets,
      );
  }
}

/** A bit for each value that is present, and the number of missing ones. */
function encodePresence(values: readonly unknown[]): {
  readonly nullBitmap: Uint8Array;
  readonly nullCount: number;
  readonly length: number;
} {
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8));
  let nullCount = 0;
  values.forEach((value, i) => {
    if (value === null) nullCount += 1;
    else nullBitmap[i >> 3]! |= 1 << (i & 7);
  });
  return { nullBitmap, nullCount, length: values.length };
}

function encodeInt64(
  arrow: ArrowLibrary,
  type: Int64 | TimestampMillisecond,
  values: readonly ResultValue[],
): Data<DataType> {
  const data = new BigInt64Array(values.length);
  for (const [i, value] of values.entries()) {
    if (value === null) continue;
    const integer = BigInt(value as number | bigint | string);
    data[i] = integer;
    // The difference of two integers may take 65 bits: then the whole column is one of decimals.
    if (data[i] !== integer) return encodeDecimals(arrow, values, 0);
  }
  return arrow.makeData<DataType>({ type, ...encodePresence(values), data } as never);
}

function encodeFloats(arrow: ArrowLibrary, values: readonly ResultValue[]): Data<DataType> {
  const data = Float64Array.from(values, (value) => Number(value ?? 0));
  return arrow.makeData({ type: new arrow.Float64(), ...encodePresence(values), data });
}

/** Two's complement in four words of 32 bits, the lowest first. */
function encodeDecimals(
  arrow: ArrowLibrary,
  values: readonly ResultValue[],
  decimals: number,
): Data<DataType> {
  const type = new arrow.Decimal(decimals, decimalPrecision, 128);
  const data = new Uint32Array(4 * values.length);
  const words = new BigInt64Array(data.buffer);
  values.forEach((value, i) => {
    if (value === null) return;
    const scaled =
      typeof value === "bigint"
        ? value
        : scaledDecimal(decimalText(value as number | string, decimals), decimals);
    words[2 * i] = BigInt.asIntN(64, scaled);
    words[2 * i + 1] = scaled >> 64n;
  });
  return arrow.makeData({ type, ...encodePresence(values), data });
}

function encodeDictionary(
  arrow: ArrowLibrary,
  values: readonly ResultValue[],
  id: number,
): Data<DataType> {
  const codes = new Map<string, number>();
  const data = Int32Array.from(values, (value) => {
    if (value === null) return 0;
    const text = String(value);
    const known = codes.get(text);
    if (known !== undefined) return known;
    codes.set(text, codes.size);
    return codes.size - 1;
  });
  const dictionary = new arrow.Vector([encodeStrings(arrow, [...codes.keys()])]);
  const type = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32(), id);
  return arrow.makeData({ type, ...encodePresence(values), data, dictionary });
}

function encodeStrings(arrow: ArrowLibrary, texts: readonly string[]): Data<Utf8> {
  const encoded = texts.map((text) => Buffer.from(text));
  const valueOffsets = new Int32Array(texts.length + 1);
  encoded.forEach((bytes, i) => {
    valueOffsets[i + 1] = valueOffsets[i]! + bytes.length;
  });
  const data = Buffer.concat(encoded);
  return arrow.makeData({
    type: new arrow.Utf8(),
    length: texts.length,
    nullCount: 0,
    valueOffsets,
    data,
  });
}

function encodeLists<Element>(
  arrow: ArrowLibrary,
  lists: readonly (readonly Element[] | null)[],
  encodeElements: (arrow: ArrowLibrary, elements: readonly Element[]) => Data<DataType>,
): Data<DataType> {
  const valueOffsets = new Int32Array(lists.length + 1);
  lists.forEach((list, i) => {
    valueOffsets[i + 1] = valueOffsets[i]! + (list?.length ?? 0);
  });
  const child = encodeElements(
    arrow,
    lists.flatMap((list) => list ?? []),
  );
  const type = new arrow.List(new arrow.Field("item", child.type, false));
  return arrow.makeData({ type, ...encodePresence(lists), valueOffsets, child });
}

function encodeHistogramBuckets(
  arrow: ArrowLibrary,
  buckets: readonly HistogramBucket[],
): Data<DataType> {
  const fields = bucketFields.map((name) => new arrow.Field(name, new arrow.Float64(), false));
  const children = bucketFields.map((_, i) =>
    encodeFloats(
      arrow,
      // Arrow has floats here: beyond 2^53 the nearest.
      buckets.map((bucket) => Number(bucket[i])),
    ),
  );
  return arrow.makeData({
    type: new arrow.Struct(fields),
    length: buckets.length,
    nullCount: 0,
    children,
  });
}

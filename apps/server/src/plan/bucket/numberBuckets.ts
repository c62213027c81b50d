import type { BucketBound, NumberBucket } from "@hadal/sdk";
import { floorScaled, parseExactDecimal } from "../../base/number/decimalText.js";
import type { NumberBuckets } from "../query/resolvedQuery.js";
import { describeColumn, type SchemaColumn, typeMismatch } from "../schema/tableSchema.js";

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** Buckets of a column in units of its last digit. Checked by the SDK: one of scale "log", width and edges says how. */
export function resolveNumberBuckets(
  column: SchemaColumn,
  bucket: NumberBucket,
  path: string,
): NumberBuckets {
  if (bucket.edges !== undefined) {
    const bounds = bucket.edges.map((edge, i) => scaled(edge, column, `${path}.edges[${i}]`));
    return { kind: "edges", bounds: bounds.map(String) };
  }
  if (bucket.width !== undefined) {
    const step = scaled(bucket.width, column, `${path}.width`);
    return { kind: "steps", step: step.toString() };
  }
  return { kind: "edges", bounds: logBounds };
}

/** 1, 2, 5, 10, 20, 50 … to either side of 0, in units of the column's last digit: all of int64, and the same on every leaf and in every query. */
const logBounds: readonly string[] = createLogBounds().map(String);

function createLogBounds(): bigint[] {
  const positive: bigint[] = [];
  for (let unit = 1n; unit <= int64Max; unit *= 10n) {
    for (const digit of [1n, 2n, 5n]) if (digit * unit <= int64Max) positive.push(digit * unit);
  }
  return [int64Min, ...positive.toReversed().map((bound) => -bound), 0n, ...positive];
}

function scaled(value: BucketBound, column: SchemaColumn, path: string): bigint {
  const exact = parseExactDecimal(String(value));
  const found = exact === null ? null : floorScaled(exact, column.decimals);
  if (found?.exact === true && found.floor >= int64Min && found.floor <= int64Max)
    return found.floor;
  throw typeMismatch(
    path,
    `${value} is no value that column ${describeColumn(column)} can hold, so it cannot bound its buckets.`,
  );
}

import { sampleRateColumn } from "@hadal/sdk";
import { fieldsOf, listOf, type Row, storedValue, textOf } from "./otlpValue.js";

/** What all records of a scope have in common, as columns. */
export function contextOf(resource: unknown, scope: unknown): Row {
  const row: Row = Object.create(null);
  for (const [key, value] of attributesOf(resource)) row[`resource.${key}`] = value;
  const service = row["resource.service.name"];
  if (typeof service === "string") row.service = service;
  const { name, version } = fieldsOf(scope);
  put(row, "scope.name", textOf(name));
  put(row, "scope.version", textOf(version));
  for (const [key, value] of attributesOf(scope)) row[`scope.${key}`] = value;
  return row;
}

/**
 * A row with its attributes under their own names. Where a name is taken by a column of OTLP, the
 * attribute is `attributes.<name>`. `sample_rate` is the row's where it is a whole number from 1 on.
 */
export function rowOf(context: Row, own: Row, record: unknown, taken: ReadonlySet<string>): Row {
  const row: Row = Object.assign(Object.create(null), context, own);
  for (const [key, value] of attributesOf(record)) {
    const isTaken = taken.has(key) || key in row || isWrongRate(key, value);
    row[isTaken ? `attributes.${key}` : key] = value;
  }
  return row;
}

/** Leaves out what is missing. */
export function put(row: Row, name: string, value: unknown): void {
  if (value !== null && value !== undefined) row[name] = value;
}

export function* attributesOf(record: unknown): Generator<readonly [key: string, value: unknown]> {
  for (const entry of listOf(fieldsOf(record).attributes)) {
    const { key, value } = fieldsOf(entry);
    const stored = storedValue(value);
    if (stored !== null) yield [String(key ?? ""), stored];
  }
}

function isWrongRate(key: string, value: unknown): boolean {
  return key === sampleRateColumn && !(Number.isSafeInteger(value) && (value as number) >= 1);
}

import { NumberText } from "../../value/numberText.js";
import { quote, RowRejected } from "../../value/rowRejected.js";

/** A row as the collector takes it. Without a prototype: every name is ordinary. */
export type Row = Record<string, unknown>;

/** As deep as rows may be nested. */
const depthMax = 64;
const nanosPerMs = 1_000_000n;

export type Fields = Readonly<Record<string, unknown>>;

/** What is no object counts as an empty one, as absent fields do. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text with content; null where it is empty or absent. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** A 64-bit integer: in JSON a text or a number, in protobuf a bigint. Throws RowRejected. */
export function integerOf(value: unknown): bigint | null {
  if (typeof value === "bigint") return value;
  if (value === undefined || value === null || value === "") return null;
  const text = value instanceof NumberText ? value.text : String(value);
  if (/^-?\d{1,20}$/.test(text)) return BigInt(text);
  throw new RowRejected("type-mismatch", `${quote(value)} is no integer.`);
}

/** In JSON `NaN` and the infinities are texts. Those are missing values. */
export function doubleOf(value: unknown): number | NumberText | null {
  if (value instanceof NumberText) return value;
  const isText = typeof value === "string" && value.trim() !== "";
  const number = isText ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** Milliseconds of nanoseconds since 1970; null where they are 0 or absent: that means unknown. */
export function timeMsOf(nanos: unknown): number | null {
  const value = integerOf(nanos);
  return value === null || value === 0n ? null : Number(value / nanosPerMs);
}

/** An integer as rows have it. */
export function storedInteger(value: bigint): number | NumberText {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : new NumberText(String(value));
}

/** The value of an attribute or a body as a row has it: key-value lists are objects, other lists are vectors of texts. */
export function storedValue(value: unknown, depth = 0): unknown {
  if (depth > depthMax) {
    throw new RowRejected("too-deep", `Nested deeper than ${depthMax} levels.`);
  }
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } =
    fieldsOf(value);
  if (typeof stringValue === "string") return stringValue;
  if (typeof boolValue === "boolean") return boolValue;
  if (intValue !== undefined) {
    const integer = integerOf(intValue);
    return integer === null ? null : storedInteger(integer);
  }
  if (doubleValue !== undefined) return doubleOf(doubleValue);
  if (arrayValue !== undefined) {
    return listOf(fieldsOf(arrayValue).values).map((one) => elementOf(storedValue(one, depth + 1)));
  }
  if (kvlistValue !== undefined) {
    const row: Row = Object.create(null);
    for (const entry of listOf(fieldsOf(kvlistValue).values)) {
      const { key, value: inner } = fieldsOf(entry);
      row[String(key ?? "")] = storedValue(inner, depth + 1);
    }
    return row;
  }
  return typeof bytesValue === "string" ? bytesValue : null;
}

/** Elements of a vector are texts. */
function elementOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof NumberText) return value.text;
  return typeof value === "object" && value !== null ? printValue(value) : String(value ?? "");
}

/** A value as JSON text, numbers digit by digit. */
export function printValue(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(printValue).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, inner]) => `${JSON.stringify(key)}:${printValue(inner)}`,
  );
  return `{${entries.join(",")}}`;
}

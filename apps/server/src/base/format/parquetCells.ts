import { isUtf8 } from "node:buffer";
import { type BinaryForm, HadalError } from "@hadal/sdk";
import type { ParquetColumns } from "./parquetTypes.js";

export interface ParquetPrinter {
  readonly columns: ParquetColumns;
  readonly timeName: string;
  readonly binary: BinaryForm;
  /** Whether the request sets the time zone; then times without a zone are printed without one. */
  readonly namesZone: boolean;
  /** How the caller sets {@link ParquetPrinter.binary}: `--binary hex`, `binary=hex`. */
  readonly hexWords: string;
}

/** Position of a value, for error messages. */
interface Place {
  readonly name: string;
  readonly row: number;
  readonly binary: BinaryForm;
  readonly hexWords: string;
}

const nanosPerMs = 1_000_000n;
/** The range of a Date. */
const dateMsMax = 8.64e15;

/** An instant in nanoseconds, which a Date cannot represent. */
class Moment {
  constructor(readonly nanos: bigint) {}
}

/** Thrown for bytes whose type is text but which are not UTF-8. */
class BrokenText {
  constructor(readonly bytes: Uint8Array) {}
}

/** JSON as it was written: its numbers keep their digits. */
class JsonText {
  constructor(readonly text: string) {}
}

/** Parsers that keep values exact; the library calls them for present values only. */
export const parsers = {
  timestampFromMilliseconds: (millis: bigint) => new Moment(millis * nanosPerMs),
  timestampFromMicroseconds: (micros: bigint) => new Moment(micros * 1_000n),
  timestampFromNanoseconds: (nanos: bigint) => new Moment(nanos),
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && textOf(bytes),
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && jsonOf(bytes),
};

function textOf(bytes: Uint8Array): string | BrokenText {
  return isUtf8(bytes) ? Buffer.from(bytes).toString("utf8") : new BrokenText(bytes);
}

function jsonOf(bytes: Uint8Array): JsonText | string | BrokenText {
  const text = textOf(bytes);
  if (text instanceof BrokenText) return text;
  try {
    JSON.parse(text);
  } catch {
    return text;
  }
  // Line ends in strings are escaped.
  return new JsonText(text.replaceAll(/[\r\n]+/g, " "));
}

/** A row as a line of NDJSON; `rowNumber` counts from 1 in the file. */
export function printParquetRow(
  row: Readonly<Record<string, unknown>>,
  rowNumber: number,
  { columns, timeName, binary, namesZone, hexWords }: ParquetPrinter,
): string {
  const cells = Object.entries(row).map(([name, value]) => {
    const scale = columns.scales.get(name);
    const place = { name, row: rowNumber, binary, hexWords };
    return `${JSON.stringify(name)}:${printCell(value, scale, place)}`;
  });
  return `{${cells.join(",")}}`;

  function printCell(value: unknown, scale: number | undefined, place: Place): string {
    if (value === null || value === undefined) return "null";
    if (scale !== undefined) return printScaled(integerOf(value), scale);
    // For optional columns the library does not convert the sign.
    if (typeof value === "bigint" && columns.unsigned.has(place.name))
      return BigInt.asUintN(64, value).toString();
    if (place.name !== timeName) return printValue(value, place);
    const isLocal = namesZone && columns.local.has(place.name);
    return isLocal ? printTime(value, place).replace(/Z"$/, '"') : printTime(value, place);
  }
}

/** An instant has its unit; a number is read by the rule of the request. */
function printTime(value: unknown, place: Place): string {
  if (value instanceof Moment) return printMoment(floorMs(value.nanos));
  if (value instanceof Date) return printMoment(value.getTime());
  return printValue(value, place);
}

function printMoment(timeMs: number): string {
  return Math.abs(timeMs) <= dateMsMax
    ? JSON.stringify(new Date(timeMs).toISOString())
    : String(timeMs);
}

/** The event time is rounded down to milliseconds. */
function floorMs(nanos: bigint): number {
  const rest = ((nanos % nanosPerMs) + nanosPerMs) % nanosPerMs;
  return Number((nanos - rest) / nanosPerMs);
}

function printValue(value: unknown, place: Place): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return printNumber(value);
  if (value instanceof Date) return String(value.getTime());
  if (value instanceof Moment) return printScaled(value.nanos, 6);
  if (value instanceof JsonText) return value.text;
  if (value instanceof BrokenText) throw brokenText(value.bytes, place);
  if (value instanceof Uint8Array) return JSON.stringify(printBytes(value, place));
  if (Array.isArray(value)) return `[${value.map((each) => printValue(each, place)).join(",")}]`;
  if (ArrayBuffer.isView(value)) return printValue(Array.from(value as never), place);
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${JSON.stringify(name)}:${printValue(member, { ...place, name: `${place.name}.${name}` })}`,
  );
  return `{${members.join(",")}}`;
}

/** NaN is missing; the server refuses the row of an infinite value, naming the column. */
function printNumber(value: number): string {
  if (Number.isNaN(value)) return "null";
  if (Number.isFinite(value)) return String(value);
  return value > 0 ? "1e999" : "-1e999";
}

function printBytes(bytes: Uint8Array, place: Place): string {
  if (place.binary === "hex") return Buffer.from(bytes).toString("hex");
  const text = textOf(bytes);
  if (typeof text === "string") return text;
  throw unreadable(
    `Column ${quoted(place.name)} holds bytes that are not UTF-8, first in row ${place.row} (hex ${shown(bytes)}): keep all of its values as hexadecimal with ${place.hexWords}, or cast it. Nothing of the file was stored.`,
  );
}

function brokenText(bytes: Uint8Array, { name, row, hexWords }: Place): HadalError {
  return unreadable(
    `Column ${quoted(name)} is a column of text, but in row ${row} it is not UTF-8 (hex ${shown(bytes)}): cast it to binary and send it with ${hexWords}, or mend it.`,
  );
}

const quoted = (name: string): string => JSON.stringify(name.slice(0, 200));
const shown = (bytes: Uint8Array): string =>
  `${Buffer.from(bytes.subarray(0, 16)).toString("hex")}${bytes.length > 16 ? "…" : ""}`;

function unreadable(detail: string): HadalError {
  return new HadalError("body-undecodable", { detail });
}

/** The stored form of a decimal: an integer, or its bytes in big-endian order. */
function integerOf(value: unknown): bigint {
  if (value instanceof Uint8Array) {
    const unsigned = value.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
    return BigInt.asIntN(value.length * 8, unsigned);
  }
  return BigInt(value as number | bigint);
}

function printScaled(value: bigint, scale: number): string {
  const digits = String(value < 0n ? -value : value).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

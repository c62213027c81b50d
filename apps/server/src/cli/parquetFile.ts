import { HadalError } from "@hadal/sdk";
import type { FileMetaData, SchemaTree } from "hyparquet";
import type { CutBody } from "./bodyCutter.js";

/** Rows of one request; few enough that long ones fit. */
const bodyRows = 5_000;
const nanosPerMs = 1_000_000n;

/** The rows of a Parquet file as bodies of NDJSON: integers and decimals digit by digit, times in milliseconds. */
export async function* cutParquetFile(path: string, timeName: string): AsyncGenerator<CutBody> {
  // Loaded when a file is one: nobody else needs them.
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } =
    await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  try {
    const file = await asyncBufferFromFile(path);
    const metadata = await parquetMetadataAsync(file);
    const scales = takeScales(parquetSchema(metadata), metadata);
    const rowCount = Number(metadata.num_rows);
    for (let rowStart = 0; rowStart < rowCount; rowStart += bodyRows) {
      const rowEnd = Math.min(rowStart + bodyRows, rowCount);
      const rows = await parquetReadObjects({
        file,
        metadata,
        compressors,
        parsers,
        rowStart,
        rowEnd,
      });
      const lines = rows.map((row) => printRow(row, scales, timeName));
      yield {
        bytes: Buffer.from(`${lines.join("\n")}\n`),
        rows: rows.length,
        fileLine: (line) => rowStart + line,
      };
    }
  } catch (error) {
    if (error instanceof HadalError || (error as NodeJS.ErrnoException).code === "ENOENT") {
      throw error;
    }
    const detail = `${path} cannot be read as Parquet: ${(error as Error).message}`;
    throw new HadalError("body-undecodable", { detail });
  }
}

/** A moment to the nanosecond, which a Date has not. */
class Moment {
  constructor(readonly nanos: bigint) {}
}

const parsers = {
  timestampFromMilliseconds: (millis: bigint) => new Moment(millis * nanosPerMs),
  timestampFromMicroseconds: (micros: bigint) => new Moment(micros * 1_000n),
  timestampFromNanoseconds: (nanos: bigint) => new Moment(nanos),
};

/** Digits behind the point of the decimal columns. They are read as the integers they are stored as: the library would make doubles of them. */
function takeScales({ children }: SchemaTree, metadata: FileMetaData): Map<string, number> {
  const scales = new Map<string, number>();
  for (const { element, children: nested } of children) {
    if (nested.length > 0 || element.converted_type !== "DECIMAL") continue;
    scales.set(element.name, element.scale ?? 0);
    delete element.converted_type;
    delete element.logical_type;
  }
  const left = metadata.schema.find((element) => element.converted_type === "DECIMAL");
  if (left === undefined) return scales;
  throw new HadalError("body-undecodable", {
    detail: `Column ${left.name} has decimals within a list or struct, which would lose digits: cast them.`,
  });
}

function printRow(
  row: Readonly<Record<string, unknown>>,
  scales: ReadonlyMap<string, number>,
  timeName: string,
): string {
  const cells = Object.entries(row).map(([name, value]) => {
    const scale = scales.get(name);
    const printed =
      scale === undefined || value === null || value === undefined
        ? printValue(value, name === timeName)
        : printScaled(integerOf(value), scale);
    return `${JSON.stringify(name)}:${printed}`;
  });
  return `{${cells.join(",")}}`;
}

function printValue(value: unknown, isTime: boolean): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return Number.isNaN(value) ? "null" : String(value);
  if (value instanceof Date) return String(value.getTime());
  if (value instanceof Moment) {
    if (!isTime) return printScaled(value.nanos, 6);
    // The event time is in whole milliseconds: the one that has begun.
    return String(
      (value.nanos - (((value.nanos % nanosPerMs) + nanosPerMs) % nanosPerMs)) / nanosPerMs,
    );
  }
  if (value instanceof Uint8Array) {
    const detail =
      "A column holds bytes that are no text, which Hadal does not store: leave it out.";
    throw new HadalError("body-undecodable", { detail });
  }
  if (Array.isArray(value)) return `[${value.map((each) => printValue(each, false)).join(",")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}:${printValue(member, false)}`,
  );
  return `{${members.join(",")}}`;
}

/** What a decimal is stored as: an integer, or bytes of one with the highest first. */
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

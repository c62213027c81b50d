import { printDecimal, rescale } from "../column/decimal.js";
import type { ColumnReader } from "../column/readColumn.js";
import type { IntColumn } from "../column/segmentColumn.js";
import type { TextReader } from "../column/textReader.js";
import type { PrintedSource, StringSource } from "./scanTask.js";

/** Reads strings that have no code, row by row. */
export interface StringReader {
  /** Null when the row has no value. */
  read(source: StringSource, row: number): string | null;
}

export function createStringReader(reader: ColumnReader, texts: TextReader): StringReader {
  return {
    read(source, row) {
      if (!reader.isPresent(source.present, row)) return null;
      if (source.kind === "printed") return print(source, reader.int(source, row));
      return texts.text(source, row);
    },
  };
}

/** The integers of a column as text, with these digits behind the point. */
export function printedSource(
  { values, base, present, decimals }: IntColumn,
  wantedDecimals = decimals,
  shift = 0,
): PrintedSource {
  return { kind: "printed", values, base, present, decimals: wantedDecimals, shift };
}

function print({ shift, decimals }: PrintedSource, value: bigint): string {
  const scaled = shift > 0 ? rescale(value, 0, shift) : rescale(value, -shift, 0);
  return printDecimal(scaled, decimals);
}

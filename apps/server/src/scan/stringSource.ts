import { printDecimal } from "../column/decimal.js";
import type { ColumnReader } from "../column/readColumn.js";
import type { StringSource } from "./scanTask.js";

/** Reads strings that have no code, row by row. */
export interface StringReader {
  /** Null when the row has no value. */
  read(source: StringSource, row: number): string | null;
}

export function createStringReader(reader: ColumnReader): StringReader {
  return {
    read(source, row) {
      if (!reader.isPresent(source.present, row)) return null;
      if (source.kind === "printed") return printDecimal(reader.int(source, row), source.decimals);
      return reader.text(source, row);
    },
  };
}

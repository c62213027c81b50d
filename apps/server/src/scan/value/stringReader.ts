import { printDecimal, rescale } from "../../column/decimal.js";
import type { ColumnReader } from "../../column/readColumn.js";
import type { TextReader } from "../../column/textReader.js";
import type { StringSource } from "../task/scanTask.js";
import type { PrintedSource } from "../task/textSource.js";
import { createRowEvaluator, type RowEvaluator, stringOfCell } from "./rowEvaluator.js";
import type { VirtualCodes } from "./virtualCodes.js";

/** Reads strings that have no code, row by row. */
export interface StringReader {
  /** Null when the row has no value. */
  read(source: StringSource, row: number): string | null;
  /** The number of the row's text among these; -1 when the row has no value. */
  addTo(codes: VirtualCodes, source: StringSource, row: number): number;
  readonly rows: RowEvaluator;
  readonly texts: TextReader;
}

export function createStringReader(reader: ColumnReader, texts: TextReader): StringReader {
  const read = (source: StringSource, row: number): string | null => {
    if (source.kind === "evaluated") {
      return stringOfCell(rows.cell(source.row, row), source.column.name);
    }
    if (!reader.isPresent(source.present, row)) return null;
    if (source.kind === "printed") return print(source, reader.int(source, row));
    return texts.text(source, row);
  };
  const addTo = (codes: VirtualCodes, source: StringSource, row: number): number => {
    if (source.kind === "evaluated" || source.kind === "printed") {
      const text = read(source, row);
      return text === null ? -1 : codes.add(text);
    }
    if (!reader.isPresent(source.present, row)) return -1;
    const { bytes, start, end } = texts.place(source, row);
    return codes.addBytes(bytes, start, end);
  };
  const rows = createRowEvaluator(reader, read);
  return { read, addTo, rows, texts };
}

function print({ shift, decimals }: PrintedSource, value: bigint): string {
  const scaled = shift > 0 ? rescale(value, 0, shift) : rescale(value, -shift, 0);
  return printDecimal(scaled, decimals);
}

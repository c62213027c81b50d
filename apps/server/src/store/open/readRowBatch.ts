import type { BatchColumn, CodedBatchColumn, RowBatch } from "../../base/row/rowBatch.js";
import type { ColumnReader } from "../../column/readColumn.js";
import type { CodedColumn, IntColumn, TextColumn } from "../../column/segmentColumn.js";
import type { TextReader } from "../../column/textReader.js";
import type { SealedSegment } from "../segment/sealedSegment.js";
import { timesOf } from "../segment/segmentView.js";

export interface RowReaders {
  readonly column: ColumnReader;
  readonly text: TextReader;
}

/** Rows of a sealed segment as they could have arrived. */
export function readRowBatch(
  segment: SealedSegment,
  firstRow: number,
  rowCount: number,
  readers: RowReaders,
): RowBatch {
  const times = new Float64Array(rowCount);
  const storedTimes = timesOf(segment);
  for (let i = 0; i < rowCount; i++) {
    times[i] = Number(readers.column.storedInt(storedTimes, firstRow + i, segment.rowCount));
  }
  const columns: BatchColumn[] = [];
  for (const [name, column] of segment.columns) {
    if (column.kind === "int")
      columns.push(readInts(name, column, segment, firstRow, rowCount, readers));
    else if (column.kind === "coded")
      columns.push(readCodes(name, column, segment, firstRow, rowCount, readers));
    else columns.push(readTexts(name, column, firstRow, rowCount, readers));
  }
  return { rowCount, times, columns };
}

function readInts(
  name: string,
  column: IntColumn,
  segment: SealedSegment,
  firstRow: number,
  rowCount: number,
  { column: reader }: RowReaders,
): BatchColumn {
  const values = new BigInt64Array(rowCount);
  const present = column.present === 0 ? null : new Uint8Array(rowCount);
  for (let i = 0; i < rowCount; i++) {
    if (present !== null) {
      if (!reader.isPresent(column.present, firstRow + i)) continue;
      present[i] = 1;
    }
    values[i] = reader.storedInt(column, firstRow + i, segment.rowCount);
  }
  return { name, type: "int", decimals: column.decimals, values, present };
}

function readCodes(
  name: string,
  column: CodedColumn,
  segment: SealedSegment,
  firstRow: number,
  rowCount: number,
  { column: reader }: RowReaders,
): CodedBatchColumn {
  const dictionary: string[] = [];
  const localOf = new Map<number, number>();
  const codes = new Uint32Array(rowCount);
  for (let i = 0; i < rowCount; i++) {
    const code = reader.storedCode(column, firstRow + i, segment.rowCount);
    if (code === 0) continue;
    let local = localOf.get(code);
    if (local === undefined) {
      local = dictionary.push(column.dictionary.valueOf(code));
      localOf.set(code, local);
    }
    codes[i] = local;
  }
  return { name, type: column.type, dictionary, codes };
}

/** Texts hardly repeat: each row's is a value of its own. */
function readTexts(
  name: string,
  column: TextColumn,
  firstRow: number,
  rowCount: number,
  { column: reader, text }: RowReaders,
): CodedBatchColumn {
  const dictionary: string[] = [];
  const codes = new Uint32Array(rowCount);
  for (let i = 0; i < rowCount; i++) {
    if (!reader.isPresent(column.present, firstRow + i)) continue;
    codes[i] = dictionary.push(text.text(column, firstRow + i));
  }
  return { name, type: "string", dictionary, codes };
}

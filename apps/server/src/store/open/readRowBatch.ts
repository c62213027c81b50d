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

/** Rows of a sealed segment, and what reads them. */
export interface RowRange {
  readonly segment: SealedSegment;
  readonly firstRow: number;
  readonly rowCount: number;
  readonly readers: RowReaders;
}

/** Rows of a sealed segment as a batch. */
export function readRowBatch(range: RowRange): RowBatch {
  const { segment, firstRow, rowCount, readers } = range;
  const times = new Float64Array(rowCount);
  const storedTimes = timesOf(segment);
  for (let i = 0; i < rowCount; i++) {
    times[i] = Number(readers.column.storedInt(storedTimes, firstRow + i, segment.rowCount));
  }
  const columns: BatchColumn[] = [];
  for (const [name, column] of segment.columns) {
    if (column.kind === "int") columns.push(readInts(name, column, range));
    else if (column.kind === "coded") columns.push(readCodes(name, column, range));
    else columns.push(readTexts(name, column, range));
  }
  return { rowCount, times, columns };
}

function readInts(
  name: string,
  column: IntColumn,
  { segment, firstRow, rowCount, readers }: RowRange,
): BatchColumn {
  const reader = readers.column;
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
  { segment, firstRow, rowCount, readers }: RowRange,
): CodedBatchColumn {
  const reader = readers.column;
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

/** Texts rarely repeat: each row adds its own value to the dictionary. */
function readTexts(
  name: string,
  column: TextColumn,
  { firstRow, rowCount, readers }: RowRange,
): CodedBatchColumn {
  const { column: reader, text } = readers;
  const dictionary: string[] = [];
  const codes = new Uint32Array(rowCount);
  for (let i = 0; i < rowCount; i++) {
    if (!reader.isPresent(column.present, firstRow + i)) continue;
    codes[i] = dictionary.push(text.text(column, firstRow + i));
  }
  return { name, type: "string", dictionary, codes };
}

import type { ColumnType } from "@hadal/sdk";
import {
  decodeSections,
  encodeSections,
  type SectionArray,
  type SectionReader,
} from "../bytes/sections.js";
import { stringEnds } from "../bytes/stringList.js";
import { codedColumn, encodedDictionary, measureValues } from "./codedColumn.js";
import type {
  BatchColumn,
  DenseBatchColumn,
  RowBatch,
  SetForm,
  SparseBatchColumn,
} from "./rowBatch.js";
import { cellsOf, sparseColumn } from "./sparseColumn.js";

/** "HDB1" */
const magic = 0x31424448;

interface ColumnHead {
  readonly name: string;
  readonly type: ColumnType;
  readonly decimals: number;
  readonly missing: boolean;
  readonly set?: SetForm;
  /** Number of rows with a value; set for sparse columns only. */
  readonly sparseRows?: number;
}

interface BatchHead {
  readonly rowCount: number;
  readonly columns: readonly ColumnHead[];
}

/**
 * Sections: times f64; per sparse column the rows u32 of its cells first; per int column values i64 and, if some are
 * missing, present u8; per coded column text u8, lengths u32, codes u32.
 */
export function encodeRowBatch(batch: RowBatch): Uint8Array {
  const sections: SectionArray[] = [batch.times];
  const columns: ColumnHead[] = [];
  for (const column of batch.columns) {
    const cells = cellsOf(column);
    const { name, type } = cells;
    const set = cells.set === undefined ? {} : { set: cells.set };
    const sparse = column.type === "sparse" ? { sparseRows: column.rows.length } : {};
    if (column.type === "sparse") sections.push(column.rows);
    if (cells.type === "int") {
      const { decimals, present } = cells;
      columns.push({ name, type, decimals, missing: present !== null, ...set, ...sparse });
      sections.push(cells.values);
      if (present !== null) sections.push(present);
    } else {
      columns.push({ name, type, decimals: 0, missing: false, ...set, ...sparse });
      const { text, lengths } = encodedDictionary(cells);
      sections.push(text, lengths, cells.codes);
    }
  }
  const head: BatchHead = { rowCount: batch.rowCount, columns };
  return encodeSections(magic, head, sections);
}

/** Throws when the bytes are not an encoded batch, or their parts do not fit together. */
export function decodeRowBatch(bytes: Uint8Array): RowBatch {
  const reader = decodeSections<BatchHead>(magic, bytes);
  const { rowCount } = reader.head;
  const times = reader.f64();
  expectLength("times", times.length, rowCount);
  const columns = reader.head.columns.map(
    (head): BatchColumn =>
      head.sparseRows === undefined
        ? decodeCells(reader, head, rowCount)
        : decodeSparse(reader, head, head.sparseRows, rowCount),
  );
  return { rowCount, times, columns };
}

function decodeSparse(
  reader: SectionReader<BatchHead>,
  head: ColumnHead,
  cellCount: number,
  rowCount: number,
): SparseBatchColumn {
  const rows = reader.u32();
  expectLength(head.name, rows.length, cellCount);
  for (let i = 0; i < rows.length; i++) {
    if (rows[i]! < rowCount && (i === 0 || rows[i]! > rows[i - 1]!)) continue;
    throw new Error(
      `column ${head.name} has its rows in another order, or some that are not there`,
    );
  }
  const cells = decodeCells(reader, head, cellCount);
  const isWhole = cells.type === "int" ? cells.present === null : !cells.codes.includes(0);
  if (!isWhole) throw new Error(`column ${head.name} lacks values of rows that it lists`);
  return sparseColumn(cells, rows);
}

function decodeCells(
  reader: SectionReader<BatchHead>,
  head: ColumnHead,
  cellCount: number,
): DenseBatchColumn {
  const set = head.set === undefined ? {} : { set: head.set };
  if (head.type === "int") {
    const values = reader.i64();
    expectLength(head.name, values.length, cellCount);
    const present = head.missing ? reader.bytes() : null;
    if (present !== null) expectLength(head.name, present.length, cellCount);
    return { name: head.name, type: "int", decimals: head.decimals, values, present, ...set };
  }
  const text = reader.bytes();
  const lengths = reader.u32();
  const codes = reader.u32();
  expectLength(head.name, codes.length, cellCount);
  const ends = stringEnds(text, lengths);
  const sizes = measureValues(head.name, codes, ends);
  return codedColumn(
    { name: head.name, type: head.type, ...set },
    { text, lengths, ends },
    codes,
    sizes,
  );
}

function expectLength(name: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${name} holds ${found} rows, expected ${expected}`);
}

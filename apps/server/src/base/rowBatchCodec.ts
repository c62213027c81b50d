import type { ColumnType } from "@hadal/sdk";
import { codedColumn, encodedDictionary, measureValues } from "./codedColumn.js";
import type { BatchColumn, RowBatch, SetForm } from "./rowBatch.js";
import { decodeSections, encodeSections, type SectionArray } from "./sections.js";
import { stringEnds } from "./stringList.js";

/** "HDB1" */
const magic = 0x31424448;

interface ColumnHead {
  readonly name: string;
  readonly type: ColumnType;
  readonly decimals: number;
  readonly missing: boolean;
  readonly set?: SetForm;
}

interface BatchHead {
  readonly rowCount: number;
  readonly columns: readonly ColumnHead[];
}

/** Sections: times f64; per int column values i64 and, if some are missing, present u8; per coded column text u8, lengths u32, codes u32. */
export function encodeRowBatch(batch: RowBatch): Uint8Array {
  const sections: SectionArray[] = [batch.times];
  const columns: ColumnHead[] = [];
  for (const column of batch.columns) {
    const set = column.set === undefined ? {} : { set: column.set };
    if (column.type === "int") {
      const { name, type, decimals, present } = column;
      columns.push({ name, type, decimals, missing: present !== null, ...set });
      sections.push(column.values);
      if (present !== null) sections.push(present);
    } else {
      columns.push({ name: column.name, type: column.type, decimals: 0, missing: false, ...set });
      const { text, lengths } = encodedDictionary(column);
      sections.push(text, lengths, column.codes);
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
  const columns = reader.head.columns.map((head): BatchColumn => {
    const set = head.set === undefined ? {} : { set: head.set };
    if (head.type === "int") {
      const values = reader.i64();
      expectLength(head.name, values.length, rowCount);
      const present = head.missing ? reader.bytes() : null;
      if (present !== null) expectLength(head.name, present.length, rowCount);
      return { name: head.name, type: "int", decimals: head.decimals, values, present, ...set };
    }
    const text = reader.bytes();
    const lengths = reader.u32();
    const codes = reader.u32();
    expectLength(head.name, codes.length, rowCount);
    const ends = stringEnds(text, lengths);
    const sizes = measureValues(head.name, codes, ends);
    return codedColumn(head.name, head.type, { text, lengths, ends }, codes, set, sizes);
  });
  return { rowCount, times, columns };
}

function expectLength(name: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${name} holds ${found} rows, expected ${expected}`);
}

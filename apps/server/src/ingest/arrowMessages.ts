import { columnsMax } from "../base/rowBatch.js";
import { brokenArrow } from "./arrowFaults.js";
import { jsonDepthMax } from "./exactJson.js";

/** A description of 10,000 columns takes half of it. */
const metadataBytesMax = 2_097_152;
/** Structs and lists have children besides the columns that are stored. */
const fieldsMax = 2 * columnsMax;
const continuation = 0xffffffff;
const nodeBytes = 16;
const bufferBytes = 16;
const countBytes = 8;
/** Numbers of the kinds of message in the format's Message.fbs, and of the type Union in its Schema.fbs. */
const kinds = { schema: 1, dictionary: 2, rows: 3 } as const;
const unionType = 14;

/**
 * Follows the messages of an Arrow stream before the library does, which believes every length it is told
 * and would fill the memory: descriptions are FlatBuffers, whose parts may point anywhere, to one place
 * from many, and so to more columns than there are bytes. Throws `body-undecodable`.
 */
export function checkArrowMessages(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    for (let at = 0; at < bytes.length; ) {
      if (view.getUint32(at, true) !== continuation) throw brokenArrow(`no message at byte ${at}`);
      const metadataBytes = view.getUint32(at + 4, true);
      if (metadataBytes === 0) return;
      if (metadataBytes > metadataBytesMax) {
        throw brokenArrow(
          `${metadataBytes} bytes describe a message (at most metadataBytesMax, ${metadataBytesMax})`,
        );
      }
      const metadata = new DataView(view.buffer, view.byteOffset + at + 8, metadataBytes);
      at += 8 + metadataBytes + checkMessage(metadata);
    }
  } catch (error) {
    if (error instanceof RangeError) throw brokenArrow("it points behind its end");
    throw error;
  }
}

/** The bytes of the message's body. */
function checkMessage(view: DataView): number {
  const message = tableAt(view, 0);
  const kind = message.byte(1);
  const header = message.table(2);
  if (header === null) throw brokenArrow("a message without content");
  if (kind === kinds.schema) new SchemaWalk(view).walk(header);
  else if (kind === kinds.rows) checkRows(header);
  else if (kind === kinds.dictionary) {
    const rows = header.table(1);
    if (rows !== null) checkRows(rows);
  }
  const bodyBytes = message.long(3);
  if (bodyBytes < 0n || bodyBytes > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw brokenArrow("a body of impossible length");
  }
  return Number(bodyBytes);
}

function checkRows(rows: FlatTable): void {
  rows.vector(1, nodeBytes);
  rows.vector(2, bufferBytes);
  rows.vector(4, countBytes);
}

/** Counts all that the library would make of a schema. */
class SchemaWalk {
  private fields = 0;
  private textBytes = 0;

  constructor(private readonly view: DataView) {}

  walk(schema: FlatTable): void {
    schema.vector(3, countBytes);
    this.metadata(schema, 2);
    for (const field of schema.tables(1)) this.field(field, 1);
  }

  private field(field: FlatTable, depth: number): void {
    this.fields += 1;
    if (this.fields > fieldsMax || depth > jsonDepthMax) {
      throw brokenArrow(
        `more than ${fieldsMax} columns (fieldsMax), or nested deeper than ${jsonDepthMax}`,
      );
    }
    if (field.byte(2) === unionType) throw brokenArrow("a column of a union type");
    this.text(field, 0);
    this.metadata(field, 6);
    for (const child of field.tables(5)) this.field(child, depth + 1);
  }

  private metadata(table: FlatTable, index: number): void {
    for (const pair of table.tables(index)) {
      this.text(pair, 0);
      this.text(pair, 1);
      // An entry costs memory also when its texts are empty.
      this.spend(16);
    }
  }

  private text(table: FlatTable, index: number): void {
    this.spend(table.vector(index, 1)?.length ?? 0);
  }

  private spend(bytes: number): void {
    this.textBytes += bytes;
    if (this.textBytes > this.view.byteLength * 2) throw brokenArrow("names that overlap");
  }
}

/** A table of a FlatBuffer: a place, and a list of where its entries are from there. */
interface FlatTable {
  byte(index: number): number;
  long(index: number): bigint;
  table(index: number): FlatTable | null;
  /** Checked to lie within the buffer. */
  vector(
    index: number,
    elementBytes: number,
  ): { readonly start: number; readonly length: number } | null;
  tables(index: number): Generator<FlatTable>;
}

function tableAt(view: DataView, offsetAt: number): FlatTable {
  const position = offsetAt + view.getUint32(offsetAt, true);
  const entries = position - view.getInt32(position, true);
  const entriesBytes = view.getUint16(entries, true);
  const placeOf = (index: number): number => {
    const at = 4 + 2 * index;
    const offset = at < entriesBytes ? view.getUint16(entries + at, true) : 0;
    return offset === 0 ? 0 : position + offset;
  };
  const table: FlatTable = {
    byte(index) {
      const place = placeOf(index);
      return place === 0 ? 0 : view.getUint8(place);
    },
    long(index) {
      const place = placeOf(index);
      return place === 0 ? 0n : view.getBigInt64(place, true);
    },
    table(index) {
      const place = placeOf(index);
      return place === 0 ? null : tableAt(view, place);
    },
    vector(index, elementBytes) {
      const place = placeOf(index);
      if (place === 0) return null;
      const lengthAt = place + view.getUint32(place, true);
      const length = view.getUint32(lengthAt, true);
      const start = lengthAt + 4;
      if (start + length * elementBytes > view.byteLength) throw new RangeError();
      return { start, length };
    },
    *tables(index) {
      const found = table.vector(index, 4);
      if (found === null) return;
      for (let i = 0; i < found.length; i++) yield tableAt(view, found.start + 4 * i);
    },
  };
  return table;
}

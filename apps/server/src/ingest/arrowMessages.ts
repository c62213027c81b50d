import { columnsMax } from "../base/rowBatch.js";
import { brokenArrow } from "./arrowFaults.js";
import { jsonDepthMax } from "./exactJson.js";
import { type FlatTable, tableAt } from "./flatTable.js";

/** A description of 10,000 columns takes half of it. */
const metadataBytesMax = 2_097_152;
/** Structs and lists have children besides the columns that are stored. */
const fieldsMax = 2 * columnsMax;
/** A value of a dictionary takes a byte at least; but of two bits, or of nothing at all, there may be some. */
const smallValuesMax = 256;
/**
 * With each piece of a dictionary the library makes room for all of its values again, eight bytes each, and copies its list of
 * pieces. Where dictionaries hold each other it may keep what was made before.
 */
const dictionaryWorkMax = { alone: 2 ** 30, nested: 2 ** 26 };
const pieceWork = 8;
/** Cells beside eight for each byte of the stream, which bits may be: columns may take none. */
const smallCellsMax = 16_777_216;
/** In older versions buffers are described in another way, which the library reads too. */
const versionMin = 3;
const continuation = 0xffffffff;
const nodeBytes = 16;
const bufferBytes = 16;
const countBytes = 8;
/** Numbers of the kinds of message in the format's Message.fbs, and of types in its Schema.fbs. */
const kinds = { schema: 1, dictionary: 2, rows: 3 } as const;
const types = {
  timestamp: 10,
  list: 12,
  struct: 13,
  union: 14,
  fixedSizeList: 16,
  map: 17,
  largeList: 21,
} as const;
const listTypes: ReadonlySet<number> = new Set([
  types.list,
  types.fixedSizeList,
  types.map,
  types.largeList,
]);

/**
 * Follows the messages of an Arrow stream before the library does, which believes every length it is told
 * and would fill the memory: descriptions are FlatBuffers, whose parts may point anywhere, to one place
 * from many, and so to more columns than there are bytes. Throws `body-undecodable`.
 */
export function checkArrowMessages(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const check = new StreamCheck(bytes.length);
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
      at += 8 + metadataBytes + check.message(metadata);
    }
  } catch (error) {
    if (error instanceof RangeError) throw brokenArrow("it points behind its end");
    throw error;
  }
}

/** A dictionary as it stands: its values, and in how many pieces they came. Values are of the same message's bytes each. */
interface DictionarySize {
  readonly values: number;
  readonly pieces: number;
}

class StreamCheck {
  /** How many nodes each column has in a message of rows; null before the schema. */
  private columnNodes: readonly number[] | null = null;
  private readonly dictionaries = new Map<bigint, DictionarySize>();
  private dictionaryWork = 0;
  private dictionaryWorkMax = dictionaryWorkMax.alone;
  private cells = 0;

  constructor(private readonly streamBytes: number) {}

  /** The bytes of the message's body. */
  message(view: DataView): number {
    const message = tableAt(view, 0);
    if (message.short(0) < versionMin) throw brokenArrow("a version of the format before 1.0");
    const kind = message.byte(1);
    const header = message.table(2);
    if (header === null) throw brokenArrow("a message without content");
    const bodyBytes = sizeOf(message.long(3), "a body");
    const walk = new DescriptionWalk(view);
    walk.metadata(message, 4);
    if (kind === kinds.schema) {
      if (this.columnNodes !== null) throw brokenArrow("a second schema");
      // The library would look for the next message within it.
      if (bodyBytes > 0) throw brokenArrow("a schema with a body");
      this.columnNodes = walk.schema(header);
      if (walk.nestsDictionaries) this.dictionaryWorkMax = dictionaryWorkMax.nested;
    } else if (kind === kinds.rows) this.rows(view, header, bodyBytes);
    else if (kind === kinds.dictionary) this.dictionary(view, header, bodyBytes);
    else throw brokenArrow("a message of no known kind");
    return bodyBytes;
  }

  private rows(view: DataView, rows: FlatTable, bodyBytes: number): void {
    const rowCount = sizeOf(rows.long(0), "a batch of rows");
    // Every row has a time, of a byte at least: a key of a dictionary.
    if (rowCount > this.streamBytes) throw brokenArrow("more rows than bytes");
    const nodes = checkParts(view, rows, bodyBytes);
    const columnNodes = this.columnNodes ?? [];
    this.cells += rowCount * columnNodes.length;
    if (this.cells > 8 * this.streamBytes + smallCellsMax) {
      throw brokenArrow("more cells than its bytes hold");
    }
    let node = 0;
    for (const count of columnNodes) {
      // The library would fill up what is missing of a column.
      if (nodes[node] !== BigInt(rowCount)) throw brokenArrow("a column shorter than its batch");
      node += count;
    }
  }

  private dictionary(view: DataView, dictionary: FlatTable, bodyBytes: number): void {
    const values = dictionary.table(1);
    if (values === null) throw brokenArrow("a dictionary without values");
    const [length] = checkParts(view, values, bodyBytes);
    const id = dictionary.long(0);
    const before = this.dictionaries.get(id) ?? { values: 0, pieces: 0 };
    const isDelta = dictionary.byte(2) !== 0;
    const valueCount = sizeOf(length ?? 0n, "a dictionary");
    if (valueCount > bodyBytes + smallValuesMax) {
      throw brokenArrow("a dictionary of more values than its bytes hold");
    }
    const after = {
      values: valueCount + (isDelta ? before.values : 0),
      pieces: 1 + (isDelta ? before.pieces : 0),
    };
    this.dictionaries.set(id, after);
    this.dictionaryWork += after.values + after.pieces * pieceWork;
    if (this.dictionaryWork > this.dictionaryWorkMax) {
      throw brokenArrow("dictionaries in too many pieces");
    }
  }
}

function sizeOf(size: bigint, what: string): number {
  if (size < 0n || size > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw brokenArrow(`${what} of impossible length`);
  }
  return Number(size);
}

/** The lengths of the nodes. Buffers lie within the body, and hardly over each other: the library copies some of them. */
function checkParts(view: DataView, rows: FlatTable, bodyBytes: number): readonly bigint[] {
  const buffers = rows.vector(2, bufferBytes);
  const viewed = rows.vector(4, countBytes);
  let viewedAll = 0;
  for (let i = 0; i < (viewed?.length ?? 0); i++) {
    viewedAll += sizeOf(view.getBigInt64(viewed!.start + i * countBytes, true), "a column");
  }
  if (viewedAll > (buffers?.length ?? 0)) throw brokenArrow("more buffers than there are");
  let bufferBytesAll = 0;
  for (let i = 0; i < (buffers?.length ?? 0); i++) {
    const at = buffers!.start + i * bufferBytes;
    const start = sizeOf(view.getBigInt64(at, true), "a buffer");
    const bytes = sizeOf(view.getBigInt64(at + 8, true), "a buffer");
    bufferBytesAll += bytes;
    if (start + bytes > bodyBytes || bufferBytesAll > 2 * bodyBytes) {
      throw brokenArrow("buffers beyond their message");
    }
  }
  const nodes = rows.vector(1, nodeBytes);
  return Array.from({ length: nodes?.length ?? 0 }, (_, i) =>
    view.getBigInt64(nodes!.start + i * nodeBytes, true),
  );
}

/** Counts all that the library would make of one description. */
class DescriptionWalk {
  /** Whether values of a dictionary are told by keys of one again. */
  nestsDictionaries = false;
  private fields = 0;
  private dictionariesAbove = 0;
  private textBytes = 0;

  constructor(private readonly view: DataView) {}

  /** How many nodes each column has in a message of rows. */
  schema(schema: FlatTable): readonly number[] {
    schema.vector(3, countBytes);
    this.metadata(schema, 2);
    return Array.from(schema.tables(1), (field) => this.field(field, 1));
  }

  metadata(table: FlatTable, index: number): void {
    for (const pair of table.tables(index)) {
      this.text(pair, 0);
      this.text(pair, 1);
      // An entry costs memory also when its texts are empty.
      this.spend(16);
    }
  }

  private field(field: FlatTable, depth: number): number {
    this.fields += 1;
    if (this.fields > fieldsMax || depth > jsonDepthMax) {
      throw brokenArrow(
        `more than ${fieldsMax} columns (fieldsMax), or nested deeper than ${jsonDepthMax}`,
      );
    }
    const type = field.byte(2);
    if (type === types.union) throw brokenArrow("a column of a union type");
    this.text(field, 0);
    this.metadata(field, 6);
    const zone = type === types.timestamp ? field.table(3) : null;
    if (zone !== null) this.text(zone, 1);
    const isKeyed = field.table(4) !== null;
    if (isKeyed && this.dictionariesAbove > 0) this.nestsDictionaries = true;
    if (isKeyed) this.dictionariesAbove += 1;
    const children = Array.from(field.tables(5), (child) => this.field(child, depth + 1));
    if (isKeyed) this.dictionariesAbove -= 1;
    if (isKeyed) return 1; // Its keys alone: values are another message's.
    if (type === types.struct) return children.reduce((sum, count) => sum + count, 1);
    return listTypes.has(type) ? 1 + (children[0] ?? 0) : 1;
  }

  private text(table: FlatTable, index: number): void {
    this.spend(table.vector(index, 1)?.length ?? 0);
  }

  private spend(bytes: number): void {
    this.textBytes += bytes;
    if (this.textBytes > this.view.byteLength * 2) throw brokenArrow("names that overlap");
  }
}

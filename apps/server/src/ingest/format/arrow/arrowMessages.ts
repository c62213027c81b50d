import { contentBytesOf, contentLengthBytes } from "../../../base/format/arrowLibrary.js";
import { columnsMax } from "../../../base/row/rowBatch.js";
import { bodyBytesMax } from "../../body/bodyStream.js";
import { jsonDepthMax } from "../../value/exactJson.js";
import { arrowFooter, isArrowFile } from "./arrowFile.js";
import { brokenArrow, inflatedTooLarge, unstoredType } from "./arrowProblems.js";
import { type FlatTable, tableAt } from "./flatTable.js";

/** A description of 10,000 columns takes half of it. */
const metadataBytesMax = 2_097_152;
/** Structs and lists have children besides the columns that are stored. */
const fieldsMax = 2 * columnsMax;
/**
 * A value of a dictionary takes a byte at least; but of two bits, or of nothing at all, there may
 * be some.
 */
const smallValuesMax = 256;
/**
 * For each part of a dictionary the library allocates room for all of its values again, eight bytes
 * each, and copies its list of parts. It may keep earlier copies where dictionaries contain each
 * other.
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
/** Of which the library knows nothing, or nothing that Hadal has columns for. */
const unstoredTypes: ReadonlyMap<number, string> = new Map([
  [types.union, "Union"],
  [22, "RunEndEncoded"],
  [25, "ListView"],
  [26, "LargeListView"],
]);
const listTypes: ReadonlySet<number> = new Set([
  types.list,
  types.fixedSizeList,
  types.map,
  types.largeList,
]);

/**
 * Follows the messages of an Arrow stream or file before the library does, which believes every
 * length that it reads and would fill the memory: descriptions are FlatBuffers, whose parts may
 * point anywhere, to one place from many, and so to more columns than there are bytes. Throws
 * `body-undecodable`.
 */
export function checkArrowMessages(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const check = new StreamCheck(bytes.length);
  try {
    if (isArrowFile(bytes)) checkFile(view, check);
    else checkStream(view, check);
  } catch (error) {
    if (error instanceof RangeError) throw brokenArrow("it points behind its end");
    throw error;
  }
}

function checkStream(view: DataView, check: StreamCheck): void {
  for (let at = 0; at < view.byteLength; ) {
    const message = messageAt(view, at);
    if (message === null) return;
    at = message.bodyAt + check.message(message);
  }
}

/** The library finds messages by the footer, and passes over those that it does not find. */
function checkFile(view: DataView, check: StreamCheck): void {
  const { schema, dictionaries, batches, description } = arrowFooter(view);
  check.schema(description, schema);
  for (const [offsets, kind] of [
    [dictionaries, kinds.dictionary],
    [batches, kinds.rows],
  ] as const) {
    for (const offset of offsets) {
      const message = messageAt(view, sizeOf(offset, "a place in the file"));
      if (message === null || tableAt(message.description, 0).byte(1) !== kind)
        throw brokenArrow("a footer that points to no message");
      const bodyBytes = check.message(message);
      if (message.bodyAt + bodyBytes > view.byteLength) throw new RangeError();
    }
  }
}

/**
 * The position of a message: its description, and the bytes from the start of its body to the end.
 */
interface MessagePlace {
  readonly description: DataView;
  readonly rest: DataView;
  readonly bodyAt: number;
}

/** null where the messages end. */
function messageAt(view: DataView, at: number): MessagePlace | null {
  if (view.getUint32(at, true) !== continuation) throw brokenArrow(`no message at byte ${at}`);
  const metadataBytes = view.getUint32(at + 4, true);
  if (metadataBytes === 0) return null;
  if (metadataBytes > metadataBytesMax) {
    throw brokenArrow(
      `a description of more than ${metadataBytesMax} bytes (arrowMetadataBytesMax)`,
    );
  }
  const { buffer, byteOffset, byteLength } = view;
  const bodyAt = at + 8 + metadataBytes;
  return {
    description: new DataView(buffer, byteOffset + at + 8, metadataBytes),
    rest: new DataView(buffer, byteOffset + bodyAt, byteLength - bodyAt),
    bodyAt,
  };
}

/**
 * A dictionary as it stands: its values, and in how many pieces they came. Values are of the same
 * message's bytes each.
 */
interface DictionarySize {
  readonly values: number;
  readonly pieces: number;
}

class StreamCheck {
  #streamBytes: number;
  /** How many nodes each column has in a message of rows; null before the schema. */
  #columnNodes: readonly number[] | null = null;
  readonly #dictionaries = new Map<bigint, DictionarySize>();
  #dictionaryWork = 0;
  #dictionaryWorkMax = dictionaryWorkMax.alone;
  #cells = 0;

  /** What its buffers take once they are inflated, where they are compressed. */
  #inflatedBytes = 0;

  /** `streamBytes` grows by what buffers inflate to. */
  constructor(streamBytes: number) {
    this.#streamBytes = streamBytes;
  }

  /** The bytes of the message's body. */
  message({ description: view, rest }: MessagePlace): number {
    const message = tableAt(view, 0);
    if (message.short(0) < versionMin) throw brokenArrow("a version of the format before 1.0");
    const kind = message.byte(1);
    const header = message.table(2);
    if (header === null) throw brokenArrow("a message without content");
    const bodyBytes = sizeOf(message.long(3), "a body");
    const walk = new DescriptionWalk(view);
    walk.metadata(message, 4);
    if (kind === kinds.schema) {
      // The library would look for the next message within it.
      if (bodyBytes > 0) throw brokenArrow("a schema with a body");
      this.schema(view, header);
    } else if (kind === kinds.rows) this.#rows({ view, rest, bodyBytes }, header);
    else if (kind === kinds.dictionary) this.#dictionary({ view, rest, bodyBytes }, header);
    else throw brokenArrow("a message of no known kind");
    return bodyBytes;
  }

  schema(view: DataView, schema: FlatTable): void {
    if (this.#columnNodes !== null) throw brokenArrow("a second schema");
    const walk = new DescriptionWalk(view);
    this.#columnNodes = walk.schema(schema);
    if (walk.nestsDictionaries) this.#dictionaryWorkMax = dictionaryWorkMax.nested;
  }

  #rows(message: Message, rows: FlatTable): void {
    const rowCount = sizeOf(rows.long(0), "a batch of rows");
    this.#inflated(message, rows);
    // Every row has a time, of a byte at least: a key of a dictionary.
    if (rowCount > this.#streamBytes) throw brokenArrow("more rows than bytes");
    const nodes = checkParts(message.view, rows, message.bodyBytes);
    const columnNodes = this.#columnNodes ?? [];
    this.#cells += rowCount * columnNodes.length;
    if (this.#cells > 8 * this.#streamBytes + smallCellsMax) {
      throw brokenArrow("more cells than its bytes hold");
    }
    let node = 0;
    for (const count of columnNodes) {
      // The library would fill a column that is too short.
      if (nodes[node] !== BigInt(rowCount)) throw brokenArrow("a column shorter than its batch");
      node += count;
    }
  }

  /** Bytes of the body; where it is compressed, the sum of the sizes that its buffers state. */
  #inflated({ view, rest, bodyBytes }: Message, rows: FlatTable): number {
    const compression = rows.table(3);
    if (compression === null) return bodyBytes;
    const buffers = rows.vector(2, bufferBytes);
    let inflated = 0;
    for (let i = 0; i < (buffers?.length ?? 0); i++) {
      const at = buffers!.start + i * bufferBytes;
      const bytes = sizeOf(view.getBigInt64(at + 8, true), "a buffer");
      if (bytes === 0) continue;
      if (bytes < contentLengthBytes) throw brokenArrow("a buffer without its length");
      const start = sizeOf(view.getBigInt64(at, true), "a buffer");
      const buffer = new Uint8Array(rest.buffer, rest.byteOffset + start, bytes);
      inflated += sizeOf(contentBytesOf(compression.byte(0), buffer), "a buffer");
    }
    this.#inflatedBytes += inflated;
    if (this.#inflatedBytes > bodyBytesMax) throw inflatedTooLarge(bodyBytesMax);
    this.#streamBytes += inflated;
    return inflated;
  }

  #dictionary(message: Message, dictionary: FlatTable): void {
    const values = dictionary.table(1);
    if (values === null) throw brokenArrow("a dictionary without values");
    const bodyBytes = this.#inflated(message, values);
    const [length] = checkParts(message.view, values, message.bodyBytes);
    const id = dictionary.long(0);
    const before = this.#dictionaries.get(id) ?? { values: 0, pieces: 0 };
    const isDelta = dictionary.byte(2) !== 0;
    const valueCount = sizeOf(length ?? 0n, "a dictionary");
    if (valueCount > bodyBytes + smallValuesMax) {
      throw brokenArrow("a dictionary of more values than its bytes hold");
    }
    const after = {
      values: valueCount + (isDelta ? before.values : 0),
      pieces: 1 + (isDelta ? before.pieces : 0),
    };
    this.#dictionaries.set(id, after);
    this.#dictionaryWork += after.values + after.pieces * pieceWork;
    if (this.#dictionaryWork > this.#dictionaryWorkMax) {
      throw brokenArrow("dictionaries in too many pieces");
    }
  }
}

/** The description of a message, its body, and what comes behind. */
interface Message {
  readonly view: DataView;
  readonly rest: DataView;
  readonly bodyBytes: number;
}

function sizeOf(size: bigint, what: string): number {
  if (size < 0n || size > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw brokenArrow(`${what} of impossible length`);
  }
  return Number(size);
}

/**
 * The lengths of the nodes. Buffers must be within the body, and must not overlap much: the library
 * copies some of them.
 */
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
  readonly #view: DataView;
  /** Whether values of a dictionary are keys of another dictionary. */
  nestsDictionaries = false;
  #fields = 0;
  #dictionariesAbove = 0;
  #textBytes = 0;

  constructor(view: DataView) {
    this.#view = view;
  }

  /** How many nodes each column has in a message of rows. */
  schema(schema: FlatTable): readonly number[] {
    schema.vector(3, countBytes);
    this.metadata(schema, 2);
    return Array.from(schema.tables(1), (field) => this.#field(field, 1));
  }

  metadata(table: FlatTable, index: number): void {
    for (const pair of table.tables(index)) {
      this.#text(pair, 0);
      this.#text(pair, 1);
      // An entry costs memory also when its texts are empty.
      this.#spend(16);
    }
  }

  #field(field: FlatTable, depth: number): number {
    this.#fields += 1;
    if (this.#fields > fieldsMax || depth > jsonDepthMax) {
      throw brokenArrow(
        `more than ${fieldsMax} columns (fieldsMax), or nested deeper than ${jsonDepthMax}`,
      );
    }
    const type = field.byte(2);
    const unstored = unstoredTypes.get(type);
    if (unstored !== undefined) throw unstoredType(this.#nameOf(field), unstored);
    this.#text(field, 0);
    this.metadata(field, 6);
    const zone = type === types.timestamp ? field.table(3) : null;
    if (zone !== null) this.#text(zone, 1);
    const isKeyed = field.table(4) !== null;
    if (isKeyed && this.#dictionariesAbove > 0) this.nestsDictionaries = true;
    if (isKeyed) this.#dictionariesAbove += 1;
    const children = Array.from(field.tables(5), (child) => this.#field(child, depth + 1));
    if (isKeyed) this.#dictionariesAbove -= 1;
    if (isKeyed) return 1; // Its keys alone: values are another message's.
    if (type === types.struct) return children.reduce((sum, count) => sum + count, 1);
    return listTypes.has(type) ? 1 + (children[0] ?? 0) : 1;
  }

  #nameOf(field: FlatTable): string {
    const { start, length } = field.vector(0, 1) ?? { start: 0, length: 0 };
    const { buffer, byteOffset } = this.#view;
    return Buffer.from(buffer, byteOffset + start, Math.min(length, 800)).toString("utf8");
  }

  #text(table: FlatTable, index: number): void {
    this.#spend(table.vector(index, 1)?.length ?? 0);
  }

  #spend(bytes: number): void {
    this.#textBytes += bytes;
    if (this.#textBytes > this.#view.byteLength * 2) throw brokenArrow("names that overlap");
  }
}

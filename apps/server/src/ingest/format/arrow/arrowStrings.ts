import { isUtf8 } from "node:buffer";
import { HadalError } from "@hadal/sdk";
import type { Data, DataType, FixedSizeBinary } from "apache-arrow";
import { hashBytes, hashSeed } from "../../../base/bytes/byteDictionary.js";
import { textOf, viewOf } from "../../../base/bytes/byteView.js";
import type { ArrowLibrary } from "../../../base/format/arrowLibrary.js";
import type { ColumnBuilder } from "../../column/columnBuilder.js";
import type { PathNode } from "../../column/rowPath.js";
import { RowRejected } from "../../value/rowRejected.js";
import { brokenArrow } from "./arrowProblems.js";
import type { ConsecutiveTexts } from "./arrowRun.js";

/** Strings of an Arrow column as bytes. Both throw RowRejected where they are not UTF-8. */
export interface ArrowStrings {
  text(row: number, node: PathNode): string;
  write(builder: ColumnBuilder, row: number, at: number, node: PathNode): void;
  /** The position of a string, unchecked; valid until the next call. */
  spanOf(row: number): Readonly<Span>;
  /** All of them, where they stand one behind the other. */
  readonly consecutive?: ConsecutiveTexts;
}

/** Bounds the bytes read of one body, also where its parts point to the same bytes. */
export class ReadBudget {
  readonly #bytesMax: number;
  #left: number;
  #aheadLeft: number;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#left = bytesMax;
    this.#aheadLeft = bytesMax;
  }

  /** Whether all of these bytes may be checked at once; columns may overlap. */
  mayLookAhead(bytes: number): boolean {
    this.#aheadLeft -= bytes;
    return this.#aheadLeft >= 0;
  }

  take(bytes: number): void {
    this.#left -= bytes;
    if (this.#left >= 0) return;
    throw new HadalError("body-too-large", { max: this.#bytesMax, limitName: "readBytesMax" });
  }
}

/** The position of a row's string. */
interface Span {
  /** Whether all of `bytes` are UTF-8, so that a string is where it ends between characters. */
  isUtf8: boolean;
  view: DataView;
  bytes: Uint8Array;
  start: number;
  end: number;
}

const viewBytes = 16;
/** A string up to this length is in the view itself. */
const inlineBytesMax = 12;

/** Null when the column has no strings or bytes. */
export function openStrings(
  { arrow, budget }: { readonly arrow: ArrowLibrary; readonly budget: ReadBudget },
  data: Data<DataType>,
  name: string,
): ArrowStrings | null {
  const { DataType: is } = arrow;
  const { type } = data;
  if (is.isUtf8(type) || is.isLargeUtf8(type) || is.isBinary(type) || is.isLargeBinary(type))
    return stringsByOffset(data, name, budget);
  if (is.isUtf8View(type) || is.isBinaryView(type))
    return fromSpans(spansByView(data, name, budget), budget);
  if (is.isFixedSizeBinary(type))
    return fromSpans(spansByWidth(data as Data<FixedSizeBinary>, name), budget);
  return null;
}

/** Bytes whose type is not text. */
export function isBinary({ DataType: is }: ArrowLibrary, type: DataType): boolean {
  return (
    is.isBinary(type) ||
    is.isLargeBinary(type) ||
    is.isBinaryView(type) ||
    is.isFixedSizeBinary(type)
  );
}

function spansByWidth(data: Data<FixedSizeBinary>, name: string): (row: number) => Span {
  const bytes = data.values;
  const { byteWidth } = data.type;
  if (byteWidth < 0 || bytes.length < data.length * byteWidth) throw brokenArrow(name);
  const view = viewOf(bytes);
  return (row) => ({
    ...{ isUtf8: false, view, bytes },
    ...{ start: row * byteWidth, end: (row + 1) * byteWidth },
  });
}

function fromSpans(spanOf: (row: number) => Span, budget: ReadBudget): ArrowStrings {
  return {
    spanOf,
    text(row, node) {
      const span = spanOf(row);
      budget.take(span.end - span.start);
      checkUtf8(span, node);
      return textOf(span.view, span.start, span.end);
    },
    write(builder, row, at, node) {
      const span = spanOf(row);
      const { view, start, end } = span;
      budget.take(end - start);
      const hash = hashBytes(view, start, end, hashSeed);
      const known = builder.plainCodeOf(view, start, end, hash);
      if (known > 0) {
        builder.writeKnown(at, known);
        return;
      }
      checkUtf8(span, node);
      builder.writePlain(at, view, start, end, hash);
    },
  };
}

function checkUtf8({ isUtf8: isAll, bytes, start, end }: Span, node: PathNode): void {
  if (isAll && isBoundary(bytes, start) && isBoundary(bytes, end)) return;
  if (isUtf8(bytes.subarray(start, end))) return;
  throw new RowRejected(
    "invalid-unicode",
    `\`${node.name}\` is not UTF-8; columns of bytes are kept as hexadecimal with binary=hex.`,
  );
}

const isWhole = (bytes: Uint8Array, budget: ReadBudget): boolean =>
  budget.mayLookAhead(bytes.length) && isUtf8(bytes);

/** Whether a character may begin there. */
const isBoundary = (bytes: Uint8Array, at: number): boolean =>
  at >= bytes.length || (bytes[at]! & 0xc0) !== 0x80;

function stringsByOffset(data: Data<DataType>, name: string, budget: ReadBudget): ArrowStrings {
  const bytes = (data.values ?? new Uint8Array(0)) as Uint8Array;
  const offsets = data.valueOffsets as Int32Array | BigInt64Array;
  if (data.length > 0 && (offsets?.length ?? 0) <= data.length) throw brokenArrow(name);
  const isUtf8 = isWhole(bytes, budget);
  const span: Span = { isUtf8, view: viewOf(bytes), bytes, start: 0, end: 0 };
  const spanOf = (row: number): Span => {
    span.start = Number(offsets[row]);
    span.end = Number(offsets[row + 1]);
    if (span.start < 0 || span.start > span.end || span.end > bytes.length) throw brokenArrow(name);
    return span;
  };
  return { ...fromSpans(spanOf, budget), consecutive: { bytes, isUtf8, offsets } };
}

//  | length i32 | up to 12 bytes |   or   | length i32 | first 4 bytes | buffer i32 | offset i32 |
function spansByView(
  data: Data<DataType>,
  name: string,
  budget: ReadBudget,
): (row: number) => Span {
  const bytes = (data.values ?? new Uint8Array(0)) as Uint8Array;
  if (bytes.length < data.length * viewBytes) throw brokenArrow(name);
  const view = viewOf(bytes);
  const buffers = data.variadicBuffers.map((buffer) => ({
    ...{ isUtf8: isWhole(buffer, budget), bytes: buffer, view: viewOf(buffer) },
  }));
  return (row) => {
    const at = row * viewBytes;
    const length = view.getInt32(at, true);
    if (length < 0) throw brokenArrow(name);
    if (length <= inlineBytesMax)
      return { isUtf8: false, view, bytes, start: at + 4, end: at + 4 + length };
    const buffer = buffers[view.getInt32(at + 8, true)];
    const start = view.getInt32(at + 12, true);
    if (buffer === undefined || start < 0 || start + length > buffer.bytes.length) {
      throw brokenArrow(name);
    }
    return { ...buffer, start, end: start + length };
  };
}

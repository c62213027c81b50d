import { hashByte, hashSeed } from "./byteDictionary.js";
import type { PathNode } from "./rowPath.js";

/** Takes the cells of a plain row. What returns false could not tell what it was given. */
export interface PlainRowSink {
  plainValue(value: number | boolean | null, node: PathNode): void;
  plainString(start: number, end: number, hash: number, node: PathNode): void;
  /** A list, or a set as an object `{"$set": […]}`. */
  plainList(start: number, end: number, hash: number, node: PathNode): boolean;
}

const newline = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** Up to so many digits a double is exact. */
const digitsMax = 15;
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const setStart = Buffer.from('{"$set":');
const words = [
  [Buffer.from("true"), true],
  [Buffer.from("false"), false],
  [Buffer.from("null"), null],
] as const;

/**
 * Reads JSON objects out of bytes in one pass and without making objects, as long as they are plain: names that are
 * known already, values without escapes, nothing nested but lists and sets of plain strings. Everything else, JSON
 * or not, is left to a general parser, which has the last word.
 *
 * The bytes are well-formed UTF-8 and end with a newline: a byte below 0x20 stops every loop here.
 */
export class PlainRowReader {
  /** The names of the last row by their place, as they stand there: most rows are like the one before. */
  private readonly shapeBytes: Uint8Array[] = [];
  private readonly shapeNodes: PathNode[] = [];
  private bytes: Uint8Array = new Uint8Array(0);
  /** Of the string or list read last. */
  private hash = 0;

  constructor(
    private readonly root: PathNode,
    private readonly sink: PlainRowSink,
  ) {}

  /** Where the line of the row at `start` ends, behind its newline; -1 when the row is not plain. */
  read(bytes: Uint8Array, start: number): number {
    if (bytes[start] !== openBrace) return -1;
    this.bytes = bytes;
    let at = start + 1;
    for (let place = 0; ; place++) {
      const expected = this.shapeBytes[place];
      if (expected !== undefined && startsWith(bytes, expected, at)) at += expected.length;
      else {
        at = this.learnName(at, place);
        if (at < 0) return -1;
      }
      at = this.readValue(at, this.shapeNodes[place]!);
      if (at < 0) return -1;
      const byte = bytes[at++]!;
      if (byte === closeBrace) break;
      if (byte !== comma) return -1;
    }
    if (bytes[at] === carriageReturn) at++;
    return bytes[at] === newline ? at + 1 : -1;
  }

  /** Where the value of the name at `at` starts; -1 when the name is not plain or not known. At most one space stands before and behind it. */
  private learnName(at: number, place: number): number {
    const { bytes } = this;
    const nameAt = bytes[at] === space ? at + 1 : at;
    if (bytes[nameAt] !== quote) return -1;
    const behind = this.skipString(nameAt, 0);
    if (behind < 0 || bytes[behind] !== colon) return -1;
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + nameAt + 1, behind - nameAt - 2);
    const node = this.root.children.get(name.toString("utf8"));
    if (node === undefined) return -1;
    const valueAt = bytes[behind + 1] === space ? behind + 2 : behind + 1;
    this.shapeBytes[place] = bytes.slice(at, valueAt);
    this.shapeNodes[place] = node;
    return valueAt;
  }

  /** Where the value ends; -1 when it is not plain. */
  private readValue(at: number, node: PathNode): number {
    const { bytes } = this;
    const byte = bytes[at]!;
    if (byte === quote) {
      const end = this.skipString(at, hashSeed);
      if (end >= 0) this.sink.plainString(at + 1, end - 1, this.hash, node);
      return end;
    }
    if (byte === minus || (byte >= zero && byte <= nine)) return this.readNumber(at, node);
    if (byte === openBracket || byte === openBrace) {
      const end = byte === openBracket ? this.skipList(at, hashSeed) : this.skipSet(at);
      return end >= 0 && this.sink.plainList(at, end, this.hash, node) ? end : -1;
    }
    for (const [text, value] of words) {
      if (!startsWith(bytes, text, at)) continue;
      this.sink.plainValue(value, node);
      return at + text.length;
    }
    return -1;
  }

  /** Behind the closing quote; the hash goes over what is between the quotes. */
  private skipString(at: number, before: number): number {
    const { bytes } = this;
    let hash = before;
    for (let i = at + 1; ; i++) {
      const byte = bytes[i]!;
      if (byte === quote) {
        this.hash = hash;
        return i + 1;
      }
      if (byte < space || byte === backslash) return -1;
      hash = hashByte(hash, byte);
    }
  }

  /** Behind the closing bracket; the hash goes over all of it. */
  private skipList(at: number, before: number): number {
    const { bytes } = this;
    let hash = before;
    let inString = false;
    for (let i = at; ; i++) {
      const byte = bytes[i]!;
      if (byte < space || byte === backslash) return -1;
      hash = hashByte(hash, byte);
      if (byte === quote) inString = !inString;
      else if (byte === closeBracket && !inString) {
        this.hash = hash;
        return i + 1;
      }
    }
  }

  private skipSet(at: number): number {
    const { bytes } = this;
    if (!startsWith(bytes, setStart, at)) return -1;
    const behind = at + setStart.length;
    const listAt = bytes[behind] === space ? behind + 1 : behind;
    if (bytes[listAt] !== openBracket) return -1;
    let hash = hashSeed;
    for (let i = at; i < listAt; i++) hash = hashByte(hash, bytes[i]!);
    const listEnd = this.skipList(listAt, hash);
    if (listEnd < 0 || bytes[listEnd] !== closeBrace) return -1;
    this.hash = hashByte(this.hash, closeBrace);
    return listEnd + 1;
  }

  private readNumber(start: number, node: PathNode): number {
    const { bytes } = this;
    const negative = bytes[start] === minus;
    const first = negative ? start + 1 : start;
    let at = first;
    let value = 0;
    let byte = bytes[at]!;
    while (byte >= zero && byte <= nine) {
      value = value * 10 + byte - zero;
      byte = bytes[++at]!;
    }
    const digits = at - first;
    if (digits === 0 || digits > digitsMax) return -1;
    if (byte === point || byte === 0x45 || byte === 0x65) return this.readFraction(start, node);
    if (digits > 1 && bytes[first] === zero) return -1;
    this.sink.plainValue(negative ? -value : value, node);
    return at;
  }

  private readFraction(start: number, node: PathNode): number {
    const { bytes } = this;
    let end = start;
    let text = "";
    while (isNumberByte(bytes[end]!)) text += String.fromCharCode(bytes[end++]!);
    if (text.length > digitsMax || !numberPattern.test(text)) return -1;
    this.sink.plainValue(Number(text), node);
    return end;
  }
}

function startsWith(bytes: Uint8Array, expected: Uint8Array, at: number): boolean {
  for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false;
  return true;
}

/** Digits, sign, point and exponent. */
function isNumberByte(byte: number): boolean {
  return (
    (byte >= zero && byte <= nine) ||
    byte === point ||
    byte === minus ||
    byte === 0x2b ||
    byte === 0x45 ||
    byte === 0x65
  );
}

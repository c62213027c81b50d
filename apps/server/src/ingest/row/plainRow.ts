import {
  endHash,
  hashByte,
  hashBytes,
  hashSeed,
  hashWord,
} from "../../base/bytes/byteDictionary.js";
import { emptyBytes, textOf } from "../../base/bytes/byteView.js";
import type { PathNode } from "../column/rowPath.js";

/** Takes the cells of a plain row. False where the cell is not known to it. */
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
/** A double is exact up to this many digits. */
const digitsMax = 15;
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
/**
 * 1 for what ends a string or makes it none that is plain: quote, backslash and control characters.
 */
const stopsString = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < space || byte === quote || byte === backslash ? 1 : 0,
);

/**
 * Whether one of four bytes is such a stop: a byte below n leaves its high bit set in (word -
 * n·0x01010101) & ~word (Anderson, Bit Twiddling Hacks, "Determine if a word has a byte less than
 * n").
 */
function holdsStop(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  const stops =
    ((word - 0x20202020) & ~word) |
    ((quotes - 0x01010101) & ~quotes) |
    ((backslashes - 0x01010101) & ~backslashes);
  return (stops & 0x80808080) !== 0;
}

/** A few expected bytes, as whole words and a last one of which only some bits count. */
class Expected {
  readonly #words: Int32Array;
  readonly #lastMask: number;

  constructor(readonly text: Buffer) {
    const padded = Buffer.alloc(Math.ceil(text.length / 4) * 4);
    text.copy(padded);
    this.#words = Int32Array.from({ length: padded.length / 4 }, (_, i) =>
      padded.readInt32LE(4 * i),
    );
    const lastBytes = text.length % 4;
    this.#lastMask = lastBytes === 0 ? -1 : (1 << (8 * lastBytes)) - 1;
  }

  standsAt(bytes: DataView, at: number): boolean {
    const words = this.#words;
    if (at + 4 * words.length > bytes.byteLength) return this.#standsAtEnd(bytes, at);
    const last = words.length - 1;
    for (let i = 0; i < last; i++) if (bytes.getInt32(at + 4 * i, true) !== words[i]) return false;
    return ((bytes.getInt32(at + 4 * last, true) ^ words[last]!) & this.#lastMask) === 0;
  }

  #standsAtEnd(bytes: DataView, at: number): boolean {
    if (at + this.text.length > bytes.byteLength) return false;
    return textOf(bytes, at, at + this.text.length) === this.text.toString("utf8");
  }
}

const setStart = new Expected(Buffer.from('{"$set":'));
const words = [
  [new Expected(Buffer.from("true")), true],
  [new Expected(Buffer.from("false")), false],
  [new Expected(Buffer.from("null")), null],
] as const;

/**
 * Reads JSON objects out of bytes in one pass and without making objects, as long as they are
 * plain: names that are known already, values without escapes, nothing nested but lists and sets of
 * plain strings. Everything else, JSON or not, is left to a general parser, which has the last
 * word.
 *
 * The bytes are well-formed UTF-8 and end with a newline: a byte below 0x20 stops every loop here.
 */
export class PlainRowReader {
  readonly #root: PathNode;
  readonly #sink: PlainRowSink;
  /**
   * The names of the last row by their place, as they stand there: most rows are like the one
   * before.
   */
  readonly #shapeNames: Expected[] = [];
  readonly #shapeNodes: PathNode[] = [];
  #bytes: DataView = emptyBytes;

  constructor(root: PathNode, sink: PlainRowSink) {
    this.#root = root;
    this.#sink = sink;
  }

  /**
   * Where the line of the row at `start` ends, behind its newline; -1 when the row is not plain.
   */
  read(bytes: DataView, start: number): number {
    if (bytes.getUint8(start) !== openBrace) return -1;
    this.#bytes = bytes;
    let at = start + 1;
    for (let place = 0; ; place++) {
      const expected = this.#shapeNames[place];
      if (expected?.standsAt(bytes, at)) at += expected.text.length;
      else {
        at = this.#learnName(at, place);
        if (at < 0) return -1;
      }
      at = this.#readValue(at, this.#shapeNodes[place]!);
      if (at < 0) return -1;
      const byte = bytes.getUint8(at++);
      if (byte === closeBrace) break;
      if (byte !== comma) return -1;
    }
    if (bytes.getUint8(at) === carriageReturn) at++;
    return bytes.getUint8(at) === newline ? at + 1 : -1;
  }

  /**
   * The start of the value for the name at `at`; -1 when the name is not plain or not known. At
   * most one space is allowed around it.
   */
  #learnName(at: number, place: number): number {
    const bytes = this.#bytes;
    const nameAt = bytes.getUint8(at) === space ? at + 1 : at;
    if (bytes.getUint8(nameAt) !== quote) return -1;
    const behind = this.#skipString(nameAt);
    if (behind < 0 || bytes.getUint8(behind) !== colon) return -1;
    const node = this.#root.children.get(textOf(bytes, nameAt + 1, behind - 1));
    if (node === undefined) return -1;
    const valueAt = bytes.getUint8(behind + 1) === space ? behind + 2 : behind + 1;
    this.#shapeNames[place] = new Expected(Buffer.from(textOf(bytes, at, valueAt)));
    this.#shapeNodes[place] = node;
    return valueAt;
  }

  /** Where the value ends; -1 when it is not plain. */
  #readValue(at: number, node: PathNode): number {
    const bytes = this.#bytes;
    const byte = bytes.getUint8(at);
    if (byte === quote) return this.#readString(at, node);
    if (byte === minus || (byte >= zero && byte <= nine)) return this.#readNumber(at, node);
    if (byte === openBracket || byte === openBrace) {
      const end = byte === openBracket ? this.#skipList(at) : this.#skipSet(at);
      if (end < 0) return -1;
      return this.#sink.plainList(at, end, hashBytes(bytes, at, end, hashSeed), node) ? end : -1;
    }
    for (const [word, value] of words) {
      if (!word.standsAt(bytes, at)) continue;
      this.#sink.plainValue(value, node);
      return at + word.text.length;
    }
    return -1;
  }

  /** Hashes while it looks for the end, in the steps of {@link hashBytes}. */
  #readString(start: number, node: PathNode): number {
    const bytes = this.#bytes;
    const wordsEnd = bytes.byteLength - 4;
    let at = start + 1;
    let hash = hashSeed;
    for (; at <= wordsEnd; at += 4) {
      const word = bytes.getInt32(at, true);
      if (holdsStop(word)) break;
      hash = hashWord(hash, word);
    }
    let byte = bytes.getUint8(at);
    for (; stopsString[byte] === 0; byte = bytes.getUint8(++at)) hash = hashByte(hash, byte);
    if (byte !== quote) return -1;
    this.#sink.plainString(start + 1, at, endHash(hash), node);
    return at + 1;
  }

  /** Behind the closing quote. */
  #skipString(start: number): number {
    const bytes = this.#bytes;
    const wordsEnd = bytes.byteLength - 4;
    let at = start + 1;
    while (at <= wordsEnd && !holdsStop(bytes.getInt32(at, true))) at += 4;
    while (stopsString[bytes.getUint8(at)] === 0) at++;
    return bytes.getUint8(at) === quote ? at + 1 : -1;
  }

  /**
   * Behind the closing bracket. Between the strings nothing is checked here: the first reader of
   * the list does that.
   */
  #skipList(start: number): number {
    const bytes = this.#bytes;
    for (let at = start + 1; ; ) {
      const byte = bytes.getUint8(at);
      if (byte === closeBracket) return at + 1;
      if (byte < space || byte === backslash) return -1;
      at = byte === quote ? this.#skipString(at) : at + 1;
      if (at < 0) return -1;
    }
  }

  #skipSet(at: number): number {
    const bytes = this.#bytes;
    if (!setStart.standsAt(bytes, at)) return -1;
    const behind = at + setStart.text.length;
    const listAt = bytes.getUint8(behind) === space ? behind + 1 : behind;
    if (bytes.getUint8(listAt) !== openBracket) return -1;
    const listEnd = this.#skipList(listAt);
    return listEnd > 0 && bytes.getUint8(listEnd) === closeBrace ? listEnd + 1 : -1;
  }

  #readNumber(start: number, node: PathNode): number {
    const bytes = this.#bytes;
    const negative = bytes.getUint8(start) === minus;
    const first = negative ? start + 1 : start;
    let at = first;
    let value = 0;
    let byte = bytes.getUint8(at);
    while (byte >= zero && byte <= nine) {
      value = value * 10 + byte - zero;
      byte = bytes.getUint8(++at);
    }
    const digits = at - first;
    if (digits === 0 || digits > digitsMax) return -1;
    if (byte === point || byte === 0x45 || byte === 0x65) return this.#readFraction(start, node);
    if (digits > 1 && bytes.getUint8(first) === zero) return -1;
    this.#sink.plainValue(negative ? -value : value, node);
    return at;
  }

  #readFraction(start: number, node: PathNode): number {
    const bytes = this.#bytes;
    let end = start;
    let text = "";
    while (isNumberByte(bytes.getUint8(end))) text += String.fromCharCode(bytes.getUint8(end++));
    if (text.length > digitsMax || !numberPattern.test(text)) return -1;
    this.#sink.plainValue(Number(text), node);
    return end;
  }
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

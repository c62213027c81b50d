import type { PathNode } from "./rowPath.js";

/** Takes the cells of a plain row. What returns false could not tell what it was given. */
export interface PlainRowSink {
  plainValue(value: number | boolean | null, node: PathNode): void;
  plainString(text: string, node: PathNode): boolean;
  plainList(text: string, node: PathNode): boolean;
}

const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBrace = 0x7d;
/** Up to so many digits a double is exact. */
const digitsMax = 15;
const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The names of the last row by their place, as they stand in the text: most rows are like the one before. */
export interface RowShape {
  readonly texts: string[];
  readonly nodes: PathNode[];
}

/**
 * Reads text[start, end), a JSON object of names that are known already and of values without escapes and objects, in
 * one pass and without making objects. False for everything else, JSON or not: a general parser has the last word.
 */
export function readPlainRow(
  text: string,
  start: number,
  end: number,
  root: PathNode,
  shape: RowShape,
  sink: PlainRowSink,
): boolean {
  if (text.charCodeAt(start) !== 0x7b) return false;
  let at = start + 1;
  for (let place = 0; ; place++) {
    let node: PathNode | undefined;
    const expected = shape.texts[place];
    if (expected !== undefined && text.startsWith(expected, at)) {
      node = shape.nodes[place]!;
      at += expected.length;
    } else {
      const valueAt = findValue(text, at);
      if (valueAt < 0) return false;
      node = root.children.get(
        text.slice(text.indexOf('"', at) + 1, text.lastIndexOf('"', valueAt - 1)),
      );
      if (node === undefined) return false;
      shape.texts[place] = text.slice(at, valueAt);
      shape.nodes[place] = node;
      at = valueAt;
    }
    at = readPlainValue(text, at, node, sink);
    if (at < 0 || at >= end) return false;
    const unit = text.charCodeAt(at++);
    if (unit === closeBrace) return at === end;
    if (unit !== comma) return false;
  }
}

/** Where the value of the name at `at` starts; -1 when the name is not plain. At most one space stands before and behind it. */
function findValue(text: string, at: number): number {
  const nameAt = text.charCodeAt(at) === 0x20 ? at + 1 : at;
  if (text.charCodeAt(nameAt) !== quote) return -1;
  const nameEnd = text.indexOf('"', nameAt + 1);
  if (nameEnd < 0 || text.charCodeAt(nameEnd + 1) !== colon) return -1;
  return text.charCodeAt(nameEnd + 2) === 0x20 ? nameEnd + 3 : nameEnd + 2;
}

/** Where the value ends; -1 when it is not plain. */
function readPlainValue(text: string, at: number, node: PathNode, sink: PlainRowSink): number {
  const unit = text.charCodeAt(at);
  if (unit === quote) {
    const end = text.indexOf('"', at + 1);
    return end > 0 && sink.plainString(text.slice(at + 1, end), node) ? end + 1 : -1;
  }
  if (unit === minus || (unit >= zero && unit <= 0x39))
    return readPlainNumber(text, at, node, sink);
  if (unit === openBracket) {
    const end = text.indexOf("]", at) + 1;
    return end > 0 && sink.plainList(text.slice(at, end), node) ? end : -1;
  }
  if (text.startsWith("true", at)) return readWord(at + 4, true, node, sink);
  if (text.startsWith("false", at)) return readWord(at + 5, false, node, sink);
  if (text.startsWith("null", at)) return readWord(at + 4, null, node, sink);
  return -1;
}

function readWord(end: number, value: boolean | null, node: PathNode, sink: PlainRowSink): number {
  sink.plainValue(value, node);
  return end;
}

function readPlainNumber(text: string, start: number, node: PathNode, sink: PlainRowSink): number {
  const negative = text.charCodeAt(start) === minus;
  const first = negative ? start + 1 : start;
  let at = first;
  let value = 0;
  let unit = text.charCodeAt(at);
  while (unit >= zero && unit <= 0x39) {
    value = value * 10 + unit - zero;
    unit = text.charCodeAt(++at);
  }
  const digits = at - first;
  if (digits === 0 || digits > digitsMax) return -1;
  if (unit === point || unit === 0x45 || unit === 0x65)
    return readFraction(text, start, at, node, sink);
  if (digits > 1 && text.charCodeAt(first) === zero) return -1;
  sink.plainValue(negative ? -value : value, node);
  return at;
}

function readFraction(
  text: string,
  start: number,
  from: number,
  node: PathNode,
  sink: PlainRowSink,
): number {
  let end = from;
  while (isNumberUnit(text.charCodeAt(end))) end++;
  const number = text.slice(start, end);
  if (number.length > digitsMax || !numberPattern.test(number)) return -1;
  sink.plainValue(Number(number), node);
  return end;
}

/** Digits, sign, point and exponent. */
function isNumberUnit(unit: number): boolean {
  return (
    (unit >= zero && unit <= 0x39) ||
    unit === point ||
    unit === minus ||
    unit === 0x2b ||
    unit === 0x45 ||
    unit === 0x65
  );
}

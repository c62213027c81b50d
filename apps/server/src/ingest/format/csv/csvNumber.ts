import type { CsvDecimal } from "@hadal/sdk";
import { NumberText } from "../../value/numberText.js";

/** A double is exact up to this many digits. */
const digitsMax = 15;
const zero = 0x30;
const nine = 0x39;

/**
 * Signs, digits in groups of three, a fraction, an exponent; what separates groups is the same
 * throughout.
 */
const spellings: Readonly<Record<CsvDecimal, RegExp>> = {
  ".": /^([+-]?)(?:(\d{1,3}(?:([,'’\u00a0\u202f])\d{3}(?:\3\d{3})*))|(\d*))(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/,
  ",": /^([+-]?)(?:(\d{1,3}(?:([.'’\u00a0\u202f])\d{3}(?:\3\d{3})*))|(\d*))(?:,(\d*))?(?:[eE]([+-]?\d{1,3}))?$/,
};

/**
 * A number as a cell spells it. One object is reused for each cell, so that most cells cost no
 * memory.
 */
export class CsvNumber {
  readonly #decimal: CsvDecimal;
  value: number | NumberText = 0;
  /** Digits behind the point. */
  decimals = 0;
  /** `007`, as postal codes and identifiers are written. */
  hasLeadingZero = false;
  hasExponent = false;
  /** Two and more digits behind the point, the last of them zero: `1.10`. */
  endsWithZero = false;

  constructor(decimal: CsvDecimal) {
    this.#decimal = decimal;
  }

  /** Whether the text is a number; its value is in the fields then. */
  read(text: string): boolean {
    return this.#readPlain(text) || this.#readSpelling(text);
  }

  /** Digits, at most one sign before and one point among them. */
  #readPlain(text: string): boolean {
    const { length } = text;
    const first = text.charCodeAt(0) === 0x2d ? 1 : 0;
    if (length - first > digitsMax || length === first) return false;
    let value = 0;
    let at = first;
    for (; at < length; at++) {
      const unit = text.charCodeAt(at);
      if (unit < zero || unit > nine) break;
      value = value * 10 + unit - zero;
    }
    if (at === first) return false;
    this.hasExponent = false;
    this.hasLeadingZero = at > first + 1 && text.charCodeAt(first) === zero;
    if (at === length) {
      // Zero has no sign.
      this.value = first === 1 && value !== 0 ? -value : value;
      this.decimals = 0;
      this.endsWithZero = false;
      return true;
    }
    if (text[at] !== this.#decimal) return false;
    const decimals = length - at - 1;
    for (let i = at + 1; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < zero || unit > nine) return false;
    }
    this.value = Number(this.#decimal === "." ? text : text.replace(",", "."));
    if (this.value === 0) this.value = 0;
    this.decimals = decimals;
    this.endsWithZero = decimals > 1 && text.charCodeAt(length - 1) === zero;
    return true;
  }

  #readSpelling(text: string): boolean {
    const match = spellings[this.#decimal].exec(text.trim().replace("\u2212", "-"));
    if (match === null) return false;
    const [, sign, grouped, group = "", plain = "", fraction = "", exponent] = match;
    const whole = grouped?.replaceAll(group, "") ?? plain;
    if (whole === "" && fraction === "") return false;
    this.hasExponent = exponent !== undefined;
    this.hasLeadingZero = whole.length > 1 && whole.startsWith("0");
    this.decimals = fraction.length;
    this.endsWithZero = fraction.length > 1 && fraction.endsWith("0");
    const digits = `${sign === "-" ? "-" : ""}${whole || "0"}${fraction && `.${fraction}`}`;
    const isExact = exponent === undefined && whole.length + fraction.length <= digitsMax;
    this.value = isExact
      ? Number(digits) || 0
      : new NumberText(exponent === undefined ? digits : `${digits}e${exponent}`);
    return true;
  }
}

/**
 * What a cell shows about the decimal mark: `1,5` and `0,125` show a comma, `1.5` a point; `1,000`
 * may be either.
 */
export function decimalEvidence(text: string): CsvDecimal | null {
  const match = /^\s*[+-]?(\d*)([.,])(\d*)(?:[eE][+-]?\d{1,3})?\s*$/.exec(text);
  if (match === null) {
    const both = /^\s*[+-]?\d{1,3}(?:([.,])\d{3})+([.,])\d+\s*$/.exec(text);
    return both === null || both[1] === both[2] ? null : (both[2] as CsvDecimal);
  }
  const [, whole = "", mark, fraction = ""] = match;
  if (whole === "" && fraction === "") return null;
  const maybeGroups = fraction.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
  return maybeGroups ? null : (mark as CsvDecimal);
}

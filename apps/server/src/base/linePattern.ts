/** Stands for a part that differs from line to line, whatever kind of value it was. */
const mark = "<*>";

/** A shorter word of hexadecimal digits, or of digits among letters, may be a name: `b2b`, `k8s`. */
const idLengthMin = 6;
/** UUIDs, MAC and IPv6 addresses; dates and times have three groups. */
const hexGroupsMin = 4;

const months = new Set("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" "));

/**
 * The template of a line of text: its variable parts replaced by `<*>`, so that lines that differ only there have the
 * same. Words are runs of letters (ASCII, and all beyond it) and digits (ASCII). Variable are:
 *
 * - What stands between two equal quotes (`"`, `'` or a backtick; `\` escapes), the first not directly behind a word and
 *   the last not directly before one. The quotes stay.
 * - Hexadecimal groups joined by `-`, `:` or `::`, with a digit: four and more, or two and more with a `::` (UUIDs, MAC and
 *   IPv6 addresses).
 * - Words of digits; those of 6 and more hexadecimal digits, one of them decimal; `0x1f`; `1e5`, `1e-5`; `28T10`; `5Z`; and
 *   words of 6 and more characters in which letters and digits alternate more than once. Of other words their digits:
 *   `worker12`, `12ms`.
 * - What joins digits to digits: `.`, `,`, `:`, `-` or `+` between them (decimals, IPv4 addresses with ports, dates, times),
 *   and a sign before them behind white space, `=`, `(`, `[`, `,`, `:` or nothing.
 * - `Jan` to `Dec` before a space, `/` or `-` and a digit; of two spaces one goes.
 *
 * Takes linear time: every character is looked at a bounded number of times.
 */
export function linePattern(text: string): string {
  return new LineReader(text).read();
}

class LineReader {
  #pattern = "";
  #at = 0;
  /** Quotes that are not closed from here on. */
  readonly #unclosed = new Set<number>();
  /** Words before it are no beginning of hexadecimal groups. */
  #noGroupsBefore = 0;

  constructor(private readonly text: string) {}

  read(): string {
    const { text } = this;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (isWordCode(code)) this.#readWord();
      else if (isQuote(code) && this.#readQuoted(code)) continue;
      else if (this.#isSign(code)) this.#at++;
      else this.#copy(this.#at + 1);
    }
    return this.#pattern;
  }

  #copy(end: number): void {
    this.#pattern += this.text.slice(this.#at, end);
    this.#at = end;
  }

  #replace(end: number): void {
    this.#pattern += mark;
    this.#at = end;
  }

  #readQuoted(quote: number): boolean {
    const { text } = this;
    const before = text.charCodeAt(this.#at - 1);
    if (isWordCode(before) || before === backslash || this.#unclosed.has(quote)) return false;
    for (let i = this.#at + 1; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === backslash) i++;
      else if (code === quote && !isWordCode(text.charCodeAt(i + 1))) {
        const sign = String.fromCharCode(quote);
        this.#pattern += sign + mark + sign;
        this.#at = i + 1;
        return true;
      }
    }
    this.#unclosed.add(quote);
    return false;
  }

  #isSign(code: number): boolean {
    if (code !== plus && code !== minus) return false;
    if (!isDigit(this.text.charCodeAt(this.#at + 1))) return false;
    return this.#at === 0 || signLeads.test(this.text.charAt(this.#at - 1));
  }

  #readWord(): void {
    const { text } = this;
    const groups = this.#groupsEnd();
    if (groups !== null) {
      this.#replace(groups);
      return;
    }
    const word = wordAt(text, this.#at);
    if (word.kind === "plain") {
      this.#readPlain(word.end);
      return;
    }
    if (word.kind === "whole") this.#replace(word.end);
    else this.#replaceDigits(word.end);
    this.#readJoined();
  }

  #readPlain(end: number): void {
    const { text } = this;
    if (end - this.#at !== 3 || !months.has(text.slice(this.#at, end))) {
      this.#copy(end);
      return;
    }
    const next = text.charAt(end);
    const digits = end + (text.startsWith("  ", end) ? 2 : 1);
    const isMonth =
      isDigit(text.charCodeAt(digits)) && (next === " " || next === "/" || next === "-");
    if (!isMonth) {
      this.#copy(end);
      return;
    }
    this.#pattern += mark + next;
    this.#at = digits;
  }

  /** Digits that are joined to those that end here belong to them. */
  #readJoined(): void {
    const { text } = this;
    while (
      isDigit(text.charCodeAt(this.#at - 1)) &&
      isJoint(text.charCodeAt(this.#at)) &&
      isDigit(text.charCodeAt(this.#at + 1))
    ) {
      const word = wordAt(text, this.#at + 1);
      this.#at = word.kind === "whole" ? word.end : digitsEnd(text, this.#at + 1);
      this.#replaceDigits(word.end);
    }
  }

  /** Copies the rest of a word but for its digits. */
  #replaceDigits(end: number): void {
    while (this.#at < end) {
      const digits = digitsEnd(this.text, this.#at);
      if (digits > this.#at) this.#replace(digits);
      else this.#copy(this.#at + 1);
    }
  }

  /** Where hexadecimal groups end that begin with this word; null: it begins none. */
  #groupsEnd(): number | null {
    const { text } = this;
    if (this.#at < this.#noGroupsBefore) return null;
    let [end, groups, hasGap, hasDigit] = [this.#at, 1, false, false];
    for (;;) {
      for (; isHex(text.charCodeAt(end)); end++) hasDigit ||= isDigit(text.charCodeAt(end));
      const isGap = text.startsWith("::", end);
      const joint = text.charCodeAt(end);
      if (joint !== colon && joint !== minus) break;
      const next = end + (isGap ? 2 : 1);
      if (!isHex(text.charCodeAt(next))) break;
      hasGap ||= isGap;
      groups++;
      end = next;
    }
    const isWhole = hasDigit && (groups >= hexGroupsMin || hasGap);
    if (isWhole && !isWordCode(text.charCodeAt(end))) return end;
    this.#noGroupsBefore = end;
    return null;
  }
}

interface Word {
  readonly end: number;
  /** Without digits, variable as a whole, or variable in its digits. */
  readonly kind: "plain" | "whole" | "parts";
}

function wordAt(text: string, from: number): Word {
  let [end, runs, digits, hexDigits] = [from, 0, 0, 0];
  for (let wasDigit = false; isWordCode(text.charCodeAt(end)); end++) {
    const code = text.charCodeAt(end);
    const isNow = isDigit(code);
    if (end === from || isNow !== wasDigit) runs++;
    if (isNow) digits++;
    if (isHex(code)) hexDigits++;
    wasDigit = isNow;
  }
  if (digits === 0) return { end, kind: "plain" };
  const length = end - from;
  if (digits === length) return { end, kind: "whole" };
  if (digits === length - 1 && isDigit(text.charCodeAt(from))) {
    const number = numberEnd(text, from, end);
    if (number !== null) return { end: number, kind: "whole" };
  }
  const isId = length >= idLengthMin && (hexDigits === length || runs > 2);
  const isHexNumber =
    hexDigits === length - 1 && length > 2 && /^0x/i.test(text.slice(from, from + 2));
  return { end, kind: isId || isHexNumber ? "whole" : "parts" };
}

/** Where a number ends that is written with one letter; null: the letter is no part of it. */
function numberEnd(text: string, from: number, end: number): number | null {
  const at = digitsEnd(text, from);
  const letter = text.charAt(at).toLowerCase();
  if (at < end - 1) return letter === "e" || letter === "t" ? end : null;
  if (letter === "z") return end;
  const sign = text.charCodeAt(end);
  const isExponent = letter === "e" && (sign === plus || sign === minus);
  return isExponent && isDigit(text.charCodeAt(end + 1)) ? digitsEnd(text, end + 1) : null;
}

function digitsEnd(text: string, from: number): number {
  let end = from;
  while (isDigit(text.charCodeAt(end))) end++;
  return end;
}

const [plus, comma, minus, dot, colon] = [0x2b, 0x2c, 0x2d, 0x2e, 0x3a];
const backslash = 0x5c;
/** What a sign of a number stands behind. */
const signLeads = /[\s=([,:]/;

// Beyond the end of a text codes are NaN, which is none of these.

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const isHex = (code: number): boolean =>
  isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66 && code < 0x80);

const isWordCode = (code: number): boolean =>
  isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || code >= 0x80;

const isQuote = (code: number): boolean => code === 0x22 || code === 0x27 || code === 0x60;

const isJoint = (code: number): boolean =>
  code === dot || code === comma || code === colon || code === minus || code === plus;

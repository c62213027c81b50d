/** Stands for a part that differs from line to line, whatever kind of value it was. */
const mark = "<*>";

/** A word of as many hexadecimal letters is none of a language: of a million ids of 8 digits 390 have no decimal one. */
const hexWordMin = 8;
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
 * - Words of digits; those of 8 and more hexadecimal digits, of 6 where one is decimal; `0x1f`; `1e5`, `1e-5`; `28T10`; `5Z`; and
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
  readonly #text: string;
  #pattern = "";
  #at = 0;
  /** What is read from here on stays as it is, and is not copied yet. */
  #kept = 0;
  /** Quotes that are not closed from here on. */
  readonly #unclosed = new Set<number>();
  /** Words before it are no beginning of hexadecimal groups. */
  #noGroupsBefore = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): string {
    const text = this.#text;
    while (this.#at < text.length) {
      const code = text.charCodeAt(this.#at);
      if (isWordCode(code)) this.#readWord();
      else if (isQuote(code) && this.#readQuoted(code)) continue;
      else if (this.#isSign(code)) this.#replace("", this.#at + 1);
      else this.#at++;
    }
    return this.#pattern + text.slice(this.#kept);
  }

  /** Puts something in the place of what comes before `end`. */
  #replace(by: string, end: number): void {
    if (this.#kept < this.#at) this.#pattern += this.#text.slice(this.#kept, this.#at);
    this.#pattern += by;
    this.#at = end;
    this.#kept = end;
  }

  #readQuoted(quote: number): boolean {
    const text = this.#text;
    const before = text.charCodeAt(this.#at - 1);
    if (isWordCode(before) || before === backslash || this.#unclosed.has(quote)) return false;
    for (let i = this.#at + 1; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === backslash) i++;
      else if (code === quote && !isWordCode(text.charCodeAt(i + 1))) {
        const sign = String.fromCharCode(quote);
        this.#replace(sign + mark + sign, i + 1);
        return true;
      }
    }
    this.#unclosed.add(quote);
    return false;
  }

  #isSign(code: number): boolean {
    if (code !== plus && code !== minus) return false;
    if (!isDigit(this.#text.charCodeAt(this.#at + 1))) return false;
    return this.#at === 0 || signLeads.test(this.#text.charAt(this.#at - 1));
  }

  #readWord(): void {
    const text = this.#text;
    const groups = this.#groupsEnd();
    if (groups !== null) {
      this.#replace(mark, groups);
      return;
    }
    const word = wordAt(text, this.#at);
    if (word.kind === "plain") {
      this.#readPlain(word.end);
      return;
    }
    if (word.kind === "whole") this.#replace(mark, word.end);
    else this.#replaceDigits(word.end);
    this.#readJoined();
  }

  #readPlain(end: number): void {
    const text = this.#text;
    if (end - this.#at !== 3 || !months.has(text.slice(this.#at, end))) {
      this.#at = end;
      return;
    }
    const next = text.charAt(end);
    const digits = end + (text.startsWith("  ", end) ? 2 : 1);
    const isMonth =
      isDigit(text.charCodeAt(digits)) && (next === " " || next === "/" || next === "-");
    if (!isMonth) {
      this.#at = end;
      return;
    }
    this.#replace(mark + next, digits);
  }

  /** Digits that are joined to those that end here belong to them. */
  #readJoined(): void {
    const text = this.#text;
    while (
      isDigit(text.charCodeAt(this.#at - 1)) &&
      isJoint(text.charCodeAt(this.#at)) &&
      isDigit(text.charCodeAt(this.#at + 1))
    ) {
      const word = wordAt(text, this.#at + 1);
      this.#replace("", word.kind === "whole" ? word.end : digitsEnd(text, this.#at + 1));
      this.#replaceDigits(word.end);
    }
  }

  /** Copies the rest of a word but for its digits. */
  #replaceDigits(end: number): void {
    while (this.#at < end) {
      const digits = digitsEnd(this.#text, this.#at);
      if (digits > this.#at) this.#replace(mark, digits);
      else this.#at++;
    }
  }

  /** Where hexadecimal groups end that begin with this word; null: it begins none. */
  #groupsEnd(): number | null {
    const text = this.#text;
    if (this.#at < this.#noGroupsBefore) return null;
    let end = this.#at;
    let groups = 1;
    let hasGap = false;
    let hasDigit = false;
    for (;;) {
      for (; isHex(text.charCodeAt(end)); end++) hasDigit ||= isDigit(text.charCodeAt(end));
      const joint = text.charCodeAt(end);
      if (joint !== colon && joint !== minus) break;
      const isGap = joint === colon && text.charCodeAt(end + 1) === colon;
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
  let end = from;
  let runs = 0;
  let digits = 0;
  let hexDigits = 0;
  for (let wasDigit = false; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (!isWordCode(code)) break;
    const isNow = isDigit(code);
    if (end === from || isNow !== wasDigit) runs++;
    if (isNow) digits++;
    if (isHex(code)) hexDigits++;
    wasDigit = isNow;
  }
  const length = end - from;
  if (digits === 0) {
    return { end, kind: length >= hexWordMin && hexDigits === length ? "whole" : "plain" };
  }
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

/** Of each ASCII character: 2: a letter or digit, 1: a hexadecimal digit. */
const kindOfCode = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return (/[0-9a-z]/i.test(char) ? 2 : 0) | (/[0-9a-f]/i.test(char) ? 1 : 0);
});

// Beyond the end of a text codes are NaN, which is none of these.

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;

const isHex = (code: number): boolean => code < 128 && (kindOfCode[code]! & 1) !== 0;

const isWordCode = (code: number): boolean => code >= 128 || (kindOfCode[code]! & 2) !== 0;

const isQuote = (code: number): boolean => code === 0x22 || code === 0x27 || code === 0x60;

const isJoint = (code: number): boolean =>
  code === dot || code === comma || code === colon || code === minus || code === plus;

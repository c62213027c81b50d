/**
 * Words of the address: bare where possible, JSON strings if they contain a sign of the grammar or
 * look like a number.
 */

const signs = /[":,|()=\\]/;
const numberLike = /^(#|-?\d)/;

/** Whether the word is a number. Whole numbers beyond 2^53 stay text, as in queries: a double would lose digits. */
const isNumberWord = (text: string): boolean =>
  /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) &&
  (text.includes(".") || Number.isSafeInteger(Number(text)));

/** A name (of a column, an alias): only the signs need quotes. */
export function printName(name: string): string {
  return name === "" || signs.test(name) || name.trim() !== name ? JSON.stringify(name) : name;
}

/** A value of a filter: text that looks like a number or a boolean is quoted, so that 500 and "500" differ. */
export function printValue(value: string | number | boolean | bigint): string {
  if (typeof value !== "string") return printScalar(value);
  const ambiguous = numberLike.test(value) || value === "true" || value === "false";
  return ambiguous ? JSON.stringify(value) : printName(value);
}

export interface Token {
  readonly text: string;
  readonly quoted: boolean;
}

/** Reads words and signs of one parameter from left to right. Throws a {@link GrammarError} where it cannot. */
export class TokenReader {
  #position = 0;

  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** The position after the last word or sign. */
  get position(): number {
    return this.#position;
  }

  get atEnd(): boolean {
    return this.#position >= this.#text.length;
  }

  /** Whether the next sign is this one; steps over it. */
  take(sign: string): boolean {
    if (!this.#text.startsWith(sign, this.#position)) return false;
    this.#position += sign.length;
    return true;
  }

  expect(sign: string): void {
    if (!this.take(sign)) throw this.fault(`expected "${sign}"`);
  }

  word(): Token {
    if (this.#text[this.#position] === '"') return this.#quotedWord();
    const start = this.#position;
    while (!this.atEnd && !signs.test(this.#text[this.#position] ?? "")) this.#position++;
    if (this.#position === start) throw this.fault("expected a word");
    return { text: this.#text.slice(start, this.#position), quoted: false };
  }

  end(): void {
    if (!this.atEnd) throw this.fault("expected the end");
  }

  fault(reason: string): GrammarError {
    return new GrammarError(`${reason} at character ${this.#position + 1} of "${this.#text}"`);
  }

  #quotedWord(): Token {
    const start = this.#position;
    this.#position++;
    while (!this.atEnd && this.#text[this.#position] !== '"') {
      this.#position += this.#text[this.#position] === "\\" ? 2 : 1;
    }
    if (this.atEnd) throw this.fault("a quote is not closed");
    this.#position++;
    try {
      return { text: JSON.parse(this.#text.slice(start, this.#position)) as string, quoted: true };
    } catch {
      throw this.fault("a quoted word is not a JSON string");
    }
  }
}

/** An address that this version cannot parse; the message has the position. */
export class GrammarError extends Error {}

function printScalar(value: number | boolean | bigint): string {
  if (typeof value === "number" && !isNumberWord(String(value))) return `#${value}`;
  // Integers beyond 2^53 are decimal strings in a query.
  return typeof value === "bigint" ? JSON.stringify(String(value)) : String(value);
}

/** The value of a word. */
export function valueOfToken(token: Token): string | number | boolean {
  if (token.quoted) return token.text;
  if (token.text === "true" || token.text === "false") return token.text === "true";
  // Numbers that print with an exponent, such as 1e21, are written #1e21.
  if (token.text.startsWith("#") && token.text.length > 1) {
    const number = Number(token.text.slice(1));
    if (Number.isFinite(number)) return number;
  }
  return isNumberWord(token.text) ? Number(token.text) : token.text;
}

/** Escapes what an address must, and leaves the signs of the grammar readable. */
export function escapePart(text: string): string {
  return encodeURIComponent(text).replace(/%(3A|2C|7C|3D|40|2F|24|3B)/g, decodeURIComponent);
}

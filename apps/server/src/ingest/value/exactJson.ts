import { NumberText } from "./numberText.js";
import { RowRejected } from "./rowRejected.js";

/** Deeper nesting than any event has; a bound on the parser's stack. */
export const jsonDepthMax = 64;

/**
 * Parses JSON as JSON.parse does, but keeps numbers that a double would change as {@link
 * NumberText}, and reports the column of an error. Objects have no prototype, so that every name is
 * ordinary.
 */
export function parseExactJson(text: string): unknown {
  return new ExactJsonParser(text).parse();
}

const quoteUnit = 0x22;
const backslash = 0x5c;
const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

class ExactJsonParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  parse(): unknown {
    const value = this.#value(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#fault("the end of the row");
    return value;
  }

  #value(depth: number): unknown {
    this.#skipSpace();
    switch (this.#text.charCodeAt(this.#at)) {
      case 0x7b:
        return this.#object(depth + 1);
      case 0x5b:
        return this.#list(depth + 1);
      case quoteUnit:
        return this.#string();
      case 0x74:
        return this.#word("true", true);
      case 0x66:
        return this.#word("false", false);
      case 0x6e:
        return this.#word("null", null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): object {
    this.#enter(depth);
    const object: Record<string, unknown> = Object.create(null);
    this.#skipSpace();
    if (this.#take(0x7d)) return object;
    for (;;) {
      this.#skipSpace();
      if (this.#text.charCodeAt(this.#at) !== quoteUnit) throw this.#fault("a name in quotes");
      const name = this.#string();
      this.#skipSpace();
      if (!this.#take(0x3a)) throw this.#fault("`:`");
      object[name] = this.#value(depth);
      this.#skipSpace();
      if (this.#take(0x7d)) return object;
      if (!this.#take(0x2c)) throw this.#fault("`,` or `}`");
    }
  }

  #list(depth: number): unknown[] {
    this.#enter(depth);
    const list: unknown[] = [];
    this.#skipSpace();
    if (this.#take(0x5d)) return list;
    for (;;) {
      list.push(this.#value(depth));
      this.#skipSpace();
      if (this.#take(0x5d)) return list;
      if (!this.#take(0x2c)) throw this.#fault("`,` or `]`");
    }
  }

  #enter(depth: number): void {
    if (depth > jsonDepthMax) {
      throw new RowRejected(
        "too-deep",
        `Nested deeper than ${jsonDepthMax} levels (jsonDepthMax).`,
        this.#at + 1,
      );
    }
    this.#at++;
  }

  #string(): string {
    let start = ++this.#at;
    let out = "";
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit === quoteUnit) {
        out += this.#text.slice(start, this.#at++);
        return out;
      }
      if (unit === backslash) {
        out += this.#text.slice(start, this.#at) + this.#escape();
        start = this.#at;
      } else if (unit < 0x20 || Number.isNaN(unit)) {
        throw this.#fault("the closing quote of a string");
      } else this.#at++;
    }
  }

  #escape(): string {
    const letter = this.#text[this.#at + 1] ?? "";
    if (letter === "u") {
      const digits = this.#text.slice(this.#at + 2, this.#at + 6);
      if (!/^[\da-fA-F]{4}$/.test(digits)) throw this.#fault("four hexadecimal digits after \\u");
      this.#at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const unit = Object.hasOwn(escapes, letter) ? escapes[letter] : undefined;
    if (unit === undefined) throw this.#fault("an escape that JSON knows");
    this.#at += 2;
    return unit;
  }

  #number(): number | NumberText {
    numberPattern.lastIndex = this.#at;
    const found = numberPattern.exec(this.#text)?.[0];
    if (found === undefined) throw this.#fault("a value");
    this.#at += found.length;
    // Up to 15 digits a double prints back the same decimal; beyond, only the text is exact.
    return found.length <= 15 ? Number(found) : new NumberText(found);
  }

  #word<Value>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#at)) throw this.#fault("a value");
    this.#at += word.length;
    return value;
  }

  #take(unit: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== unit) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
      this.#at++;
    }
  }

  #fault(wanted: string): RowRejected {
    const found = this.#text[this.#at];
    const shown = found === undefined ? "the text ends" : `there is ${JSON.stringify(found)}`;
    return new RowRejected(
      "invalid-json",
      `Not JSON: there should be ${wanted}, but ${shown}.`,
      this.#at + 1,
    );
  }
}

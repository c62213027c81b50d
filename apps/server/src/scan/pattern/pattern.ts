import {
  anyChar,
  anyOfLine,
  type CharRange,
  type CharSet,
  codeOf,
  namedSets,
  otherThan,
  setOf,
} from "./charSet.js";

/** A pattern of RE2, as far as {@link parsePattern} reads it. */
export type Pattern =
  /** One code point; `fold`: in any case. */
  | { readonly kind: "literal"; readonly text: string; readonly fold: boolean }
  /**
   * One code point of a set, written for JavaScript and as ranges; null where case is folded, which
   * the two languages do differently.
   */
  | { readonly kind: "class"; readonly set: CharSet | null }
  /** Matches between two code points. */
  | { readonly kind: "place"; readonly source: string }
  | { readonly kind: "concat"; readonly parts: readonly Pattern[] }
  | { readonly kind: "either"; readonly options: readonly Pattern[] }
  | { readonly kind: "repeat"; readonly of: Pattern; readonly min: number; readonly max: number };

/**
 * Reads what most patterns are made of. Null for the rest (Unicode classes, \Q, multi-line mode …),
 * which is left to RE2 alone. The pattern is known to be valid.
 */
export function parsePattern(pattern: string): Pattern | null {
  const parser = new Parser([...pattern]);
  try {
    return parser.parseAll();
  } catch (error) {
    if (error instanceof NotRead) return null;
    throw error;
  }
}

class NotRead extends Error {}

interface Flags {
  readonly fold: boolean;
  /** Whether a dot is any code point, line ends too. */
  readonly dotAll: boolean;
}

const places: Readonly<Record<string, string>> = { b: "\\b", B: "\\B", A: "^", z: "$" };
const controls: Readonly<Record<string, string>> = {
  t: "\t",
  n: "\n",
  r: "\r",
  f: "\f",
  v: "\v",
  a: "\x07",
};
const isPunctuation = (char: string): boolean => /^[!-/:-@[-`{-~]$/.test(char);

class Parser {
  #at = 0;

  readonly #chars: readonly string[];

  constructor(chars: readonly string[]) {
    this.#chars = chars;
  }

  parseAll(): Pattern {
    const pattern = this.#either({ fold: false, dotAll: false });
    if (this.#at < this.#chars.length) throw new NotRead();
    return pattern;
  }

  /** Until the end or a closing parenthesis. */
  #either(outer: Flags): Pattern {
    let flags = outer;
    const options: Pattern[] = [];
    let parts: Pattern[] = [];
    for (let char = this.#peek(); char !== undefined && char !== ")"; char = this.#peek()) {
      if (char === "|") {
        this.#at++;
        options.push({ kind: "concat", parts });
        parts = [];
        continue;
      }
      const inner = this.#flagsOnly(flags);
      if (inner !== null) flags = inner;
      else parts.push(this.#repeat(this.#atom(flags)));
    }
    options.push({ kind: "concat", parts });
    return options.length === 1 ? options[0]! : { kind: "either", options };
  }

  /** `(?i)`: flags for the rest of the group. */
  #flagsOnly(flags: Flags): Flags | null {
    const found = /^\(\?([is]+)\)/.exec(this.#ahead(6));
    if (found === null) return null;
    this.#at += found[0].length;
    return withFlags(flags, found[1]!);
  }

  #atom(flags: Flags): Pattern {
    const char = this.#next();
    switch (char) {
      case "(":
        return this.#group(flags);
      case "[":
        return { kind: "class", set: flags.fold ? this.#skipClass() : this.#class() };
      case ".":
        return { kind: "class", set: flags.dotAll ? anyChar : anyOfLine };
      case "^":
      case "$":
        return { kind: "place", source: char };
      case "\\":
        return this.#escape(flags);
      case "*":
      case "+":
      case "?":
      case "{":
        throw new NotRead();
      default:
        return { kind: "literal", text: char, fold: flags.fold };
    }
  }

  #group(flags: Flags): Pattern {
    const head = /^\?(?:P?<[A-Za-z_0-9]+>|([is]*):)/.exec(this.#ahead(80));
    if (head === null && this.#peek() === "?") throw new NotRead();
    this.#at += head?.[0].length ?? 0;
    const pattern = this.#either(withFlags(flags, head?.[1] ?? ""));
    if (this.#next() !== ")") throw new NotRead();
    return pattern;
  }

  #escape({ fold }: Flags): Pattern {
    const char = this.#next();
    const set = namedSets[char];
    if (set !== undefined) return { kind: "class", set: fold ? null : set };
    const place = places[char];
    // With Unicode and folding JavaScript counts two more letters among those of words.
    if (place !== undefined) return { kind: "place", source: place };
    return { kind: "literal", text: this.#escaped(char), fold };
  }

  #escaped(char: string): string {
    const control = controls[char];
    if (control !== undefined) return control;
    if (isPunctuation(char)) return char;
    throw new NotRead();
  }

  /** The content of brackets. */
  #class(): CharSet {
    const isNegated = this.#peek() === "^";
    if (isNegated) this.#at++;
    if (this.#peek() === "]") throw new NotRead();
    const ranges: CharRange[] = [];
    while (this.#peek() !== "]") {
      const item = this.#classItem();
      if (typeof item !== "string") ranges.push(...item.ranges);
      else ranges.push([codeOf(item), codeOf(this.#rangeEnd() ?? item)]);
    }
    this.#at++;
    return isNegated ? otherThan(ranges) : setOf(ranges);
  }

  /** The end of a range; null: a single character. */
  #rangeEnd(): string | null {
    if (this.#peek() !== "-" || this.#chars[this.#at + 1] === "]") return null;
    this.#at++;
    const end = this.#classItem();
    if (typeof end !== "string") throw new NotRead();
    return end;
  }

  #classItem(): string | CharSet {
    const char = this.#next();
    // [[:alpha:]] and the like.
    if (char === "[") throw new NotRead();
    if (char !== "\\") return char;
    const escaped = this.#next();
    const set = namedSets[escaped];
    if (set === undefined) return this.#escaped(escaped);
    // [\d-z] has no range; [\S] is not a list of characters.
    if (this.#peek() === "-" || !/[dws]/.test(escaped)) throw new NotRead();
    return set;
  }

  #skipClass(): null {
    this.#class();
    return null;
  }

  #repeat(of: Pattern): Pattern {
    const found = /^(?:([*+?])|\{(\d+)(,(\d*))?\})\??/.exec(this.#ahead(20));
    if (found === null) {
      if (this.#peek() === "{") throw new NotRead();
      return of;
    }
    this.#at += found[0].length;
    // Repeats of repeats are invalid in RE2 but for groups.
    if (/^[*+?{]$/.test(this.#peek() ?? "")) throw new NotRead();
    const [, sign, min, comma, max] = found;
    if (sign !== undefined) {
      const isUnbounded = sign !== "?";
      return { kind: "repeat", of, min: sign === "+" ? 1 : 0, max: isUnbounded ? Infinity : 1 };
    }
    const least = Number(min);
    const most = comma === undefined ? least : max === "" ? Infinity : Number(max);
    return { kind: "repeat", of, min: least, max: most };
  }

  #peek(): string | undefined {
    return this.#chars[this.#at];
  }

  #next(): string {
    const char = this.#chars[this.#at++];
    if (char === undefined) throw new NotRead();
    return char;
  }

  #ahead(count: number): string {
    return this.#chars.slice(this.#at, this.#at + count).join("");
  }
}

function withFlags(flags: Flags, letters: string): Flags {
  return {
    fold: flags.fold || letters.includes("i"),
    dotAll: flags.dotAll || letters.includes("s"),
  };
}

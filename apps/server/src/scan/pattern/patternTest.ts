import { RE2JS } from "re2js";
import { escapeChar } from "./charSet.js";
import { type Pattern, parsePattern } from "./pattern.js";
import { requiredLiteral } from "./patternLiteral.js";

/**
 * Bound for the backtracking of JavaScript's engine on one string. RE2 needs no bound, but ten
 * times the time.
 */
const stepsMax = 50_000;
/** Ways through a pattern's alternatives and optional parts. */
const waysMax = 64;

/**
 * Whether a string matches a pattern, as RE2 has it. Plain texts are looked for; patterns whose
 * cost is known to be small, and whose meaning is the same, go to JavaScript's own engine, and all
 * else to RE2.
 */
export function createPatternTest(text: string): (value: string) => boolean {
  const pattern = parsePattern(text);
  const literal = pattern === null ? null : requiredLiteral(pattern);
  if (literal?.isWhole === true && !literal.fold) return (value) => value.includes(literal.text);
  const exact = RE2JS.compile(text);
  const quick = pattern === null ? null : quickPattern(pattern);
  if (quick === null) return (value) => exact.test(value);
  const { expression, unitsMax } = quick;
  return (value) => (value.length <= unitsMax ? expression.test(value) : exact.test(value));
}

interface QuickPattern {
  readonly expression: RegExp;
  /** Longer strings might take too many steps. */
  readonly unitsMax: number;
}

function quickPattern(pattern: Pattern): QuickPattern | null {
  const writer = new SourceWriter();
  const source = writer.write(pattern);
  if (source === null || writer.ways > waysMax) return null;
  // The start of a match and each variable repeat may be anywhere.
  const places = writer.variableRepeats + 1;
  const unitsMax = Math.floor((stepsMax / writer.ways) ** (1 / places));
  return { expression: new RegExp(source, "u"), unitsMax };
}

class SourceWriter {
  variableRepeats = 0;
  ways = 1;

  /** Null where JavaScript means something else, or might take long. */
  write(pattern: Pattern): string | null {
    switch (pattern.kind) {
      case "literal":
        return pattern.fold ? anyCase(pattern.text) : escapeChar(pattern.text);
      case "class":
        return pattern.set?.source ?? null;
      case "place":
        // JavaScript's assertion also matches between the two units of a code point.
        return pattern.source === "\\B" ? null : pattern.source;
      case "concat":
        return this.#writeAll(pattern.parts, "");
      case "either":
        this.ways *= pattern.options.length;
        return this.#writeAll(pattern.options, "|");
      case "repeat":
        return this.#writeRepeat(pattern);
    }
  }

  #writeAll(patterns: readonly Pattern[], between: string): string | null {
    const sources = patterns.map((one) => this.write(one));
    return sources.includes(null) ? null : `(?:${sources.join(between)})`;
  }

  #writeRepeat({ of, min, max }: Extract<Pattern, { kind: "repeat" }>): string | null {
    // JavaScript repeats no places.
    if (of.kind === "place") return null;
    const source = this.write(of);
    const isChar = of.kind === "literal" || of.kind === "class";
    if (min === 0 && max === 1) this.ways *= 2;
    else if (!isChar) return null;
    else if (min !== max) this.variableRepeats++;
    return source === null ? null : `${source}{${min},${max === Infinity ? "" : max}}`;
  }
}

/**
 * Beyond A–Z RE2 folds k with the Kelvin sign and s with the long s; other alphabets are left to
 * it.
 */
const foldedBeyond: Readonly<Record<string, string>> = { k: "\\u{212a}", s: "\\u{17f}" };

function anyCase(char: string): string | null {
  if (char > "\x7f") return null;
  const small = char.toLowerCase();
  const capital = char.toUpperCase();
  if (small === capital) return escapeChar(char);
  return `[${small}${capital}${foldedBeyond[small] ?? ""}]`;
}

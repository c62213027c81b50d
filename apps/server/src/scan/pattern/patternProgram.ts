import { type CharRange, codeOf } from "./charSet.js";
import type { Pattern } from "./pattern.js";
import { utf8Sequences } from "./utf8Ranges.js";

/**
 * A pattern as steps over UTF-8 bytes. A byte step reads a byte from `first` to `last`; the other
 * steps, and both ways of a fork, are taken without reading.
 */
export type ProgramStep =
  | { readonly kind: "byte"; readonly first: number; readonly last: number; next: number }
  | { readonly kind: "fork"; next: number; other: number }
  | { readonly kind: "begin"; next: number }
  | { readonly kind: "end"; next: number }
  | { readonly kind: "match" };

/** More steps than patterns need that people write; each state of an automaton is a set of them. */
const stepsMax = 500;

/**
 * The first step is where it starts. Null where bytes are not enough (edges of words, folded
 * classes), or it would be too long.
 */
export function patternProgram(pattern: Pattern): readonly ProgramStep[] | null {
  const writer = new ProgramWriter();
  try {
    const start = writer.write(pattern, writer.add({ kind: "match" }));
    return [{ kind: "fork", next: start + 1, other: start + 1 }, ...writer.moved(1)];
  } catch (error) {
    if (error instanceof NotWritten) return null;
    throw error;
  }
}

class NotWritten extends Error {}

/** Beyond A–Z RE2 folds k with the Kelvin sign and s with the long s. */
const foldedBeyond: Readonly<Record<string, number>> = { k: 0x212a, s: 0x17f };

/** Writes from the end: each part knows what follows it. */
class ProgramWriter {
  readonly #steps: ProgramStep[] = [];

  add(step: ProgramStep): number {
    if (this.#steps.length === stepsMax) throw new NotWritten();
    return this.#steps.push(step) - 1;
  }

  /** The steps of a pattern, numbered after the given ones. */
  moved(by: number): ProgramStep[] {
    return this.#steps.map((step) => {
      if (step.kind === "match") return step;
      const next = step.next + by;
      return step.kind === "fork" ? { ...step, next, other: step.other + by } : { ...step, next };
    });
  }

  /** The first step of a pattern that continues at `next`. */
  write(pattern: Pattern, next: number): number {
    switch (pattern.kind) {
      case "literal":
        return this.#ranges(pattern.fold ? foldedChar(pattern.text) : [one(pattern.text)], next);
      case "class":
        if (pattern.set === null) throw new NotWritten();
        return this.#ranges(pattern.set.ranges, next);
      case "place":
        if (pattern.source === "^") return this.add({ kind: "begin", next });
        if (pattern.source === "$") return this.add({ kind: "end", next });
        throw new NotWritten();
      case "concat":
        return pattern.parts.reduceRight((at, part) => this.write(part, at), next);
      case "either":
        return this.#either(pattern.options.map((option) => this.write(option, next)));
      case "repeat":
        return this.#repeat(pattern, next);
    }
  }

  #repeat({ of, min, max }: Extract<Pattern, { kind: "repeat" }>, next: number): number {
    let at = next;
    if (max === Number.POSITIVE_INFINITY) {
      const loop = { kind: "fork", next, other: next } as const;
      const start = this.add({ ...loop });
      (this.#steps[start] as { other: number }).other = this.write(of, start);
      at = start;
    } else {
      for (let i = min; i < max; i++) {
        at = this.add({ kind: "fork", next, other: this.write(of, at) });
      }
    }
    for (let i = 0; i < min; i++) at = this.write(of, at);
    return at;
  }

  /** An empty class never matches: a byte that is none. */
  #ranges(ranges: readonly CharRange[], next: number): number {
    const sequences = ranges.flatMap(([first, last]) => utf8Sequences(first, last));
    if (sequences.length === 0) return this.add({ kind: "byte", first: 256, last: 255, next });
    return this.#either(
      sequences.map((bytes) =>
        bytes.reduceRight(
          (at, [first, last]) => this.add({ kind: "byte", first, last, next: at }),
          next,
        ),
      ),
    );
  }

  #either(starts: readonly number[]): number {
    return starts.reduce((other, next) => this.add({ kind: "fork", next, other }));
  }
}

const one = (char: string): CharRange => [codeOf(char), codeOf(char)];

function foldedChar(char: string): CharRange[] {
  if (char > "\x7f") throw new NotWritten();
  const small = char.toLowerCase();
  const capital = char.toUpperCase();
  if (small === capital) return [one(char)];
  const beyond = foldedBeyond[small];
  return [one(small), one(capital), ...(beyond === undefined ? [] : [[beyond, beyond] as const])];
}

import { parsePattern } from "./pattern.js";
import { type ProgramStep, patternProgram } from "./patternProgram.js";

/** Its table takes at most 2 MB, and as a rule some KB. */
const statesMax = 2_048;
/** Each takes up to 30 µs to work out, for the longest of programs; a pattern that needs more is left to RE2. */
const transitionsMax = 20_000;
/** Patterns of the last queries: a scan asks for its pattern once a segment. */
const keptMax = 8;

/** No way leads to a match any more. */
const dead = 0;
/** There is one, whatever follows. */
const matched = 1;
const unknown = -1;

const kept = new Map<string, TextAutomaton | null>();

/** The automaton of a pattern; null where it has none, so that strings have to be looked at. */
export function textAutomaton(pattern: string): TextAutomaton | null {
  let found = kept.get(pattern);
  if (found === undefined) {
    found = createTextAutomaton(pattern);
    const [oldest] = kept.keys();
    if (kept.size === keptMax && oldest !== undefined) kept.delete(oldest);
    kept.set(pattern, found);
  }
  return found;
}

export function createTextAutomaton(pattern: string): TextAutomaton | null {
  const parsed = parsePattern(pattern);
  const steps = parsed === null ? null : patternProgram(parsed);
  return steps === null ? null : new TextAutomaton(steps);
}

/**
 * Whether text in UTF-8 matches a pattern, byte by byte and without making a string of it. A state is the set of steps of
 * the pattern at which a match may stand; which state a byte leads to is worked out when first needed.
 */
export class TextAutomaton {
  readonly #steps: readonly ProgramStep[];
  /** Bytes that no step tells apart are of one class. */
  readonly #classes: Uint8Array;
  /** A byte of each class. */
  readonly #bytes: readonly number[];
  /** By state · 256 and byte: the next state · 256. */
  #next: Int32Array;
  /** By state: whether a text that ends here matches. */
  readonly #endMatches: boolean[] = [false, true];
  /** By state: its byte steps. */
  readonly #members: (readonly number[])[] = [[], []];
  readonly #states = new Map<string, number>();
  readonly #initial: number;
  /** The byte that every match begins with; none: -1. */
  readonly #firstByte: number;
  #transitionsLeft = transitionsMax;

  constructor(steps: readonly ProgramStep[]) {
    this.#steps = steps;
    const { classes, bytes } = byteClasses(steps);
    this.#classes = classes;
    this.#bytes = bytes;
    this.#next = new Int32Array(16 * 256).fill(unknown);
    this.#initial = this.#stateOf([0], true);
    this.#firstByte = this.#findFirstByte();
  }

  /** Null: it has become too large to go on; the string has to be looked at. */
  test(text: Uint8Array, start: number, end: number): boolean | null {
    if (this.#initial <= matched) return this.#initial === matched;
    let next = this.#next;
    let row = this.#initial << 8;
    let at = start;
    const first = this.#firstByte;
    if (first >= 0) while (at < end && text[at] !== first) at++;
    for (; at < end; at++) {
      let to = next[row + text[at]!]!;
      if (to <= matched << 8) {
        if (to === unknown) {
          to = this.#step(row >> 8, this.#classes[text[at]!]!) << 8;
          if (to < 0) return null;
          next = this.#next;
        }
        if (to <= matched << 8) return to === matched << 8;
      }
      row = to;
    }
    return this.#endMatches[row >> 8]!;
  }

  /** Where a match may also begin with the text, its first state is not the one that all other bytes lead back to. */
  #findFirstByte(): number {
    if (this.#steps.some(({ kind }) => kind === "begin")) return -1;
    const starts = this.#members[this.#initial]!.map((member) => this.#steps[member]!);
    const [byte = -1, ...others] = new Set(
      starts.flatMap((step) =>
        step.kind === "byte" && step.first === step.last ? [step.first] : [-1, -2],
      ),
    );
    return others.length === 0 ? byte : -1;
  }

  #step(state: number, byteClass: number): number {
    if (this.#transitionsLeft === 0) return unknown;
    this.#transitionsLeft--;
    const byte = this.#bytes[byteClass]!;
    // A match may begin anywhere.
    const reached = [0];
    for (const member of this.#members[state]!) {
      const step = this.#steps[member]!;
      if (step.kind === "byte" && byte >= step.first && byte <= step.last) reached.push(step.next);
    }
    const to = this.#stateOf(reached, false);
    if (to === unknown) return unknown;
    for (let other = 0; other < 256; other++) {
      if (this.#classes[other] === byteClass) this.#next[(state << 8) + other] = to << 8;
    }
    return to;
  }

  #stateOf(reached: readonly number[], isBegin: boolean): number {
    const open = this.#follow(reached, isBegin, false);
    if (open === null) return matched;
    const endMatches = this.#follow(reached, isBegin, true) === null;
    if (open.length === 0 && !endMatches) return dead;
    const members = open.sort((a, b) => a - b);
    const key = `${endMatches} ${members.join()}`;
    const found = this.#states.get(key);
    if (found !== undefined) return found;
    const state = this.#members.length;
    if (state === statesMax) return unknown;
    this.#members.push(members);
    this.#endMatches.push(endMatches);
    this.#states.set(key, state);
    if ((state + 1) << 8 > this.#next.length) {
      const larger = new Int32Array(this.#next.length * 2).fill(unknown);
      larger.set(this.#next);
      this.#next = larger;
    }
    return state;
  }

  /** The byte steps that are reached without reading; null: the match is. */
  #follow(reached: readonly number[], isBegin: boolean, isEnd: boolean): number[] | null {
    const seen = new Set(reached);
    const members: number[] = [];
    // What is added while the set is gone through is gone through as well.
    for (const at of seen) {
      const step = this.#steps[at]!;
      if (step.kind === "match") return null;
      if (step.kind === "byte") members.push(at);
      else if (step.kind === "fork") seen.add(step.next).add(step.other);
      else if (step.kind === "begin" ? isBegin : isEnd) seen.add(step.next);
    }
    return members;
  }
}

function byteClasses(steps: readonly ProgramStep[]) {
  const isFirst = new Uint8Array(257);
  for (const step of steps) {
    if (step.kind !== "byte" || step.first > step.last) continue;
    isFirst[step.first] = 1;
    isFirst[step.last + 1] = 1;
  }
  const classes = new Uint8Array(256);
  const bytes = [0];
  for (let byte = 1; byte < 256; byte++) {
    if (isFirst[byte] === 1) bytes.push(byte);
    classes[byte] = bytes.length - 1;
  }
  return { classes, bytes };
}

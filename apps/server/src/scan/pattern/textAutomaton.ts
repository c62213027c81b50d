import { parsePattern } from "./pattern.js";
import { type ProgramStep, patternProgram } from "./patternProgram.js";

/** Maximum bytes of an automaton's table; most tables have a few KB. */
export const automatonTableBytes = 256 * 1024;
/**
 * Each takes up to 30 µs to work out, for the longest of programs; a pattern that needs more is
 * left to RE2.
 */
const transitionsMax = 20_000;
/** Automata of the last patterns: a scan needs its automaton for each segment. */
const keptMax = 8;
/** After a segment where most texts had the literal, this many segments are not searched for it. */
const unsearchedSegments = 7;

/** No way leads to a match any more. */
const dead = 0;
/** The text matches, whatever follows. */
const matched = 1;
/** The next state is not computed yet; only the kernel stops here. */
const unknown = 2;

const kept = new Map<string, TextAutomaton | null>();

/** The automaton of a pattern; null: it has none, and strings are tested one by one. */
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

export interface Leap {
  readonly first: number;
  readonly second: number;
  readonly state: number;
}

/**
 * Whether text in UTF-8 matches a pattern, byte by byte and without making a string of it: the
 * table of a deterministic automaton, worked out as far as it is needed, which the kernel runs. A
 * state is the set of steps of the pattern at which a match may stand.
 */
export class TextAutomaton {
  readonly #steps: readonly ProgramStep[];
  /** Bytes that all steps treat alike are of one class. */
  readonly classes: Uint8Array;
  /** A byte of each class. */
  readonly #bytes: readonly number[];
  /**
   * The row of a state begins at it times this: an entry for each class, and for the end of a text.
   */
  readonly rowLength: number;
  /** Numbers of states; unknown: -1. The kernel's table has them as places of their rows. */
  #next: Int32Array;
  /** By state: its byte steps. */
  readonly #members: (readonly number[])[] = [[], [], []];
  readonly #states = new Map<string, number>();
  readonly initial: number;
  /** Where no match has begun. */
  readonly rest: number;
  #transitionsLeft = transitionsMax;
  #unsearchedLeft = 0;

  constructor(steps: readonly ProgramStep[]) {
    this.#steps = steps;
    const { classes, bytes } = byteClasses(steps);
    this.classes = classes;
    this.#bytes = bytes;
    this.rowLength = bytes.length + 1;
    this.#next = new Int32Array(16 * this.rowLength).fill(-1);
    for (const last of [dead, matched, unknown]) {
      this.#next.fill(last, last * this.rowLength, (last + 1) * this.rowLength);
    }
    this.initial = this.#stateOf([0], "begin");
    this.rest = this.#stateOf([0], "inside");
    for (let byteClass = 0; byteClass < bytes.length; byteClass++) this.#step(this.rest, byteClass);
  }

  get stateCount(): number {
    return this.#members.length;
  }

  /** Of the end of a text. */
  get endClass(): number {
    return this.#bytes.length;
  }

  /**
   * Whether the automaton reads every text of the next segment, because searching the literal would
   * exclude too few.
   */
  decidesAlone(): boolean {
    if (this.#unsearchedLeft === 0) return false;
    this.#unsearchedLeft--;
    return true;
  }

  /** Notes how many rows of a segment had the pattern's literal. */
  searched(found: number, rowCount: number): void {
    this.#unsearchedLeft = found > rowCount / 2 ? unsearchedSegments : 0;
  }

  /**
   * The next state; null: the automaton would become too large, and the string is tested by itself.
   */
  next(state: number, byteClass: number): number | null {
    const known = this.#next[state * this.rowLength + byteClass]!;
    if (known >= 0) return known;
    const found = this.#step(state, byteClass);
    return found < 0 ? null : found;
  }

  /**
   * The two bytes, one after the other, that alone lead away from `rest` for good, and the state
   * they lead to; null: there are others, or none.
   */
  leap(): Leap | null {
    const { rest } = this;
    const first = this.#onlyByte(rest, (to) => to !== rest);
    if (first === null || this.#endMatches(rest)) return null;
    const begun = this.next(rest, this.classes[first]!)!;
    if (begun <= unknown || this.#endMatches(begun)) return null;
    const second = this.#onlyByte(begun, (to, byte) => {
      return to !== rest && !(to === begun && byte === first);
    });
    if (second === null) return null;
    const state = this.next(begun, this.classes[second]!)!;
    return state === dead ? null : { first, second, state };
  }

  #endMatches(state: number): boolean {
    return this.next(state, this.endClass) === matched;
  }

  /**
   * The one byte that leads from a state to such a one; null: there are others, or it is not known.
   */
  #onlyByte(state: number, leads: (to: number, byte: number) => boolean): number | null {
    let only: number | null = null;
    for (const [byte, byteClass] of this.classes.entries()) {
      const to = this.next(state, byteClass);
      if (to === null) return null;
      if (!leads(to, byte)) continue;
      if (only !== null) return null;
      only = byte;
    }
    return only;
  }

  /** The row of a state as the kernel reads it. */
  writeRow(state: number, into: Uint32Array): void {
    const first = state * this.rowLength;
    for (let byteClass = 0; byteClass < this.rowLength; byteClass++) {
      const to = this.#next[first + byteClass]!;
      into[first + byteClass] = (to < 0 ? unknown : to) * this.rowLength * 4;
    }
  }

  #step(state: number, byteClass: number): number {
    if (state <= unknown || this.#transitionsLeft === 0) return -1;
    this.#transitionsLeft--;
    const byte = this.#bytes[byteClass]!;
    // A match may begin anywhere.
    const reached = [0];
    for (const member of this.#members[state]!) {
      const step = this.#steps[member]!;
      if (step.kind === "byte" && byte >= step.first && byte <= step.last) reached.push(step.next);
    }
    const to = this.#stateOf(reached, "inside");
    if (to >= 0) this.#next[state * this.rowLength + byteClass] = to;
    return to;
  }

  #stateOf(reached: readonly number[], place: "begin" | "inside"): number {
    const isBegin = place === "begin";
    const open = this.#follow(reached, { isBegin, isEnd: false });
    if (open === null) return matched;
    const endMatches = this.#follow(reached, { isBegin, isEnd: true }) === null;
    if (open.length === 0 && !endMatches) return dead;
    const members = open.sort((a, b) => a - b);
    const key = `${endMatches} ${members.join()}`;
    const found = this.#states.get(key);
    if (found !== undefined) return found;
    const state = this.#members.length;
    const length = (state + 1) * this.rowLength;
    if (length * 4 > automatonTableBytes) return -1;
    if (length > this.#next.length) {
      const larger = new Int32Array(this.#next.length * 2).fill(-1);
      larger.set(this.#next);
      this.#next = larger;
    }
    this.#members.push(members);
    this.#states.set(key, state);
    this.#next[state * this.rowLength + this.endClass] = endMatches ? matched : dead;
    return state;
  }

  /** The byte steps that are reached without reading; null: the match is reached. */
  #follow(
    reached: readonly number[],
    { isBegin, isEnd }: { readonly isBegin: boolean; readonly isEnd: boolean },
  ): number[] | null {
    const seen = new Set(reached);
    const members: number[] = [];
    // The loop also visits steps that are added during it.
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

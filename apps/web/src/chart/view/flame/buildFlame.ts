import type { Result } from "@hadal/sdk";
import { type Difference, DifferenceSum, differencesOf } from "../../kit/answer/difference.js";
import { type Interval, intervalAt } from "../../kit/answer/interval.js";
import {
  addedError,
  errorOfSum,
  type PartErrors,
  partErrorsOf,
} from "../../kit/answer/partErrors.js";
import { isOfSameLeaves } from "../../kit/answer/sameLeaves.js";
import { asAmount, asNumber, indexOfColumn } from "../../kit/answer/series.js";

/** Amounts of a frame on one side of a comparison. */
interface Taken {
  /** Includes all that it called. */
  total: number;
  /** Without what it called. Merged from the last frame, only the frames next to the root have any. */
  self: number;
}

/** A frame below one path of callers: one box of the graph. */
export interface FlameFrame {
  readonly index: number;
  readonly name: string;
  /** null: the root, which represents all stacks. */
  readonly parent: FlameFrame | null;
  readonly depth: number;
  readonly now: Taken;
  readonly was: Taken;
  /** It represents the stacks beyond the limit. */
  readonly isRest: boolean;
  readonly children: FlameFrame[];
  /** Error bar of the total; null where none can be given. */
  interval: Interval | null;
  /** Side A less side B, of the total and of the frame itself. */
  difference: { readonly [part in keyof Taken]: Difference };
}

export interface Flame {
  readonly root: FlameFrame;
  /** The root first; the parent always before its children. */
  readonly frames: readonly FlameFrame[];
  readonly partErrors: PartErrors;
  /** Total of the rows without a stack. */
  readonly stackless: number;
  /** Stacks with a number below 0, which have no width. */
  readonly negativeCount: number;
}

export interface FlameInput {
  readonly result: Result;
  readonly stackColumn: string;
  readonly measure: string;
  /** Merges stacks from their last frame on: an inverted flame graph. */
  readonly fromLast: boolean;
  /** The same number over all rows; null until it has arrived. */
  readonly total: Result | null;
}

/** Merges stacks with a common beginning into a tree of frames. */
export function buildFlame(input: FlameInput): Flame {
  const { result, stackColumn, measure, fromLast } = input;
  const stackIndex = indexOfColumn(result, stackColumn);
  const nowIndex = indexOfColumn(result, measure);
  const wasIndex = indexOfColumn(result, `${measure}.compare`);
  const growth = new Growth({ partErrors: partErrorsOf(result), fromLast });
  const differenceAt = differencesOf(result, measure);
  let [stackless, negativeCount] = [0, 0];
  result.rows.forEach((row, at) => {
    const now = asNumber(asAmount(row[nowIndex])) ?? 0;
    const was = asNumber(asAmount(row[wasIndex])) ?? 0;
    const stack = row[stackIndex] as readonly string[] | null;
    if (stack === null) stackless += now;
    else if (now < 0 || was < 0) negativeCount += 1;
    else {
      growth.add(stack, {
        now,
        was,
        bar: intervalAt(result, measure, at),
        difference: differenceAt(at),
      });
    }
  });
  const rest = restOf(input);
  if (rest.now > 0 || rest.was > 0) growth.addRest(rest);
  const frames = growth.finish();
  return { root: growth.root, frames, partErrors: growth.partErrors, stackless, negativeCount };
}

/** Total of the stacks beyond the limit, on both sides of a comparison. */
function restOf({ result, measure, total }: FlameInput): { now: number; was: number } {
  if (total === null || !((result.truncated?.groups ?? 0) > 0)) return { now: 0, was: 0 };
  if (!isOfSameLeaves(total.completeness, result.completeness)) return { now: 0, was: 0 };
  const restIn = (name: string): number => {
    const sum = (of: Result): number => {
      const index = indexOfColumn(of, name);
      return of.rows.reduce((all, row) => all + (asNumber(asAmount(row[index])) ?? 0), 0);
    };
    return Math.max(0, sum(total) - sum(result));
  };
  return { now: restIn(measure), was: restIn(`${measure}.compare`) };
}

/** Sums of the errors of a frame. */
interface Errors {
  below: number;
  above: number;
  known: boolean;
  readonly total: DifferenceSum;
  readonly self: DifferenceSum;
}

/** The amount of one result row's stack. */
interface StackAmount {
  readonly now: number;
  readonly was: number;
  readonly bar: Interval | null;
  readonly difference: Difference;
}

type GrowthOptions = Pick<Flame, "partErrors"> & Pick<FlameInput, "fromLast">;

/** Builds the tree of frames, stack by stack. */
class Growth {
  readonly root = frameOf({ name: "all stacks", parent: null, depth: 0, index: 0, isRest: false });
  readonly #frames: FlameFrame[] = [this.root];
  readonly #errors: Errors[];
  /** Children by name, per frame index. */
  readonly #byName: Map<string, FlameFrame>[] = [new Map()];

  readonly partErrors: PartErrors;
  readonly #fromLast: boolean;

  constructor({ partErrors, fromLast }: GrowthOptions) {
    this.partErrors = partErrors;
    this.#fromLast = fromLast;
    this.#errors = [noErrors(partErrors)];
  }

  add(stack: readonly string[], amount: StackAmount): void {
    const path = [this.root];
    for (const name of this.#fromLast ? stack.toReversed() : stack) {
      path.push(this.#childOf(path.at(-1) ?? this.root, name));
    }
    for (const frame of path) this.#count(frame, amount);
    const innermost = (this.#fromLast ? path[1] : path.at(-1)) ?? this.root;
    innermost.now.self += amount.now;
    innermost.was.self += amount.was;
    this.#errors[innermost.index]?.self.add(amount.difference);
  }

  addRest({ now, was }: { readonly now: number; readonly was: number }): void {
    const rest = frameOf({
      name: "other stacks",
      parent: this.root,
      depth: 1,
      index: this.#frames.length,
      isRest: true,
    });
    Object.assign(rest.now, { total: now, self: now });
    Object.assign(rest.was, { total: was, self: was });
    this.root.now.total += now;
    this.root.was.total += was;
    this.root.children.push(rest);
    this.#frames.push(rest);
    this.#errors.push(noErrors(this.partErrors));
  }

  finish(): FlameFrame[] {
    this.#frames.forEach((frame, i) => {
      // Sorted by name, as in every flame graph: frames keep their place when numbers change.
      frame.children.sort(byRestThenName);
      const errors = this.#errors[i];
      if (errors === undefined || frame.isRest) return;
      const { total } = frame.now;
      if (errors.known) frame.interval = this.#around(total, errors.below, errors.above);
      frame.difference = { total: errors.total.total, self: errors.self.total };
    });
    return this.#frames;
  }

  #around(value: number, below: number, above: number): Interval {
    const { partErrors } = this;
    return [value - errorOfSum(below, partErrors), value + errorOfSum(above, partErrors)];
  }

  #childOf(frame: FlameFrame, name: string): FlameFrame {
    const byName = this.#byName[frame.index];
    const known = byName?.get(name);
    if (known !== undefined) return known;
    const made = frameOf({
      name,
      parent: frame,
      depth: frame.depth + 1,
      index: this.#frames.length,
      isRest: false,
    });
    byName?.set(name, made);
    this.#byName.push(new Map());
    this.#frames.push(made);
    this.#errors.push(noErrors(this.partErrors));
    frame.children.push(made);
    return made;
  }

  #count(frame: FlameFrame, { now, was, bar, difference }: StackAmount): void {
    frame.now.total += now;
    frame.was.total += was;
    const errors = this.#errors[frame.index];
    if (errors === undefined) return;
    errors.total.add(difference);
    if (bar !== null) {
      errors.known = true;
      errors.below += addedError(now - bar[0], this.partErrors);
      errors.above += addedError(bar[1] - now, this.partErrors);
    }
  }
}

const noErrors = (partErrors: PartErrors): Errors => ({
  below: 0,
  above: 0,
  known: false,
  total: new DifferenceSum(partErrors),
  self: new DifferenceSum(partErrors),
});

const noDifference: Difference = { value: 0, error: "exact", size: 0 };

/** Position of a frame in the tree. */
interface FramePlace {
  readonly name: string;
  readonly parent: FlameFrame | null;
  readonly depth: number;
  readonly index: number;
  readonly isRest: boolean;
}

const frameOf = ({ name, parent, depth, index, isRest }: FramePlace): FlameFrame => ({
  index,
  name,
  parent,
  depth,
  now: { total: 0, self: 0 },
  was: { total: 0, self: 0 },
  isRest,
  children: [],
  interval: null,
  difference: { total: noDifference, self: noDifference },
});

const byRestThenName = (a: FlameFrame, b: FlameFrame): number =>
  Number(a.isRest) - Number(b.isRest) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

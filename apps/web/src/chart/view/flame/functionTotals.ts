import { isUnsure, sumOfDifferences } from "../../kit/answer/difference.js";
import type { PartErrors } from "../../kit/answer/partErrors.js";
import type { Flame, FlameFrame } from "./buildFlame.js";

/** The totals of one function over all of its callers. */
export interface FunctionTotal {
  readonly name: string;
  readonly self: number;
  /** Includes all that it called; a recursive call is counted once. */
  readonly total: number;
  readonly was: number;
  /** The difference lies within its error bars. */
  readonly unsure: boolean;
}

/** Every function once, largest total first. */
export function functionTotals(flame: Flame): FunctionTotal[] {
  const framesOf = new Map<string, FlameFrame[]>();
  for (const frame of flame.frames) {
    if (frame.parent === null || frame.isRest) continue;
    const known = framesOf.get(frame.name);
    if (known === undefined) framesOf.set(frame.name, [frame]);
    else known.push(frame);
  }
  return [...framesOf]
    .map(([name, frames]) => totalOf(name, frames, flame.partErrors))
    .sort((a, b) => b.total - a.total);
}

function totalOf(
  name: string,
  frames: readonly FlameFrame[],
  partErrors: PartErrors,
): FunctionTotal {
  const outer = frames.filter((frame) => !isCalledByItself(frame));
  const sum = (list: readonly FlameFrame[], of: (frame: FlameFrame) => number): number =>
    list.reduce((total, frame) => total + of(frame), 0);
  const differences = outer.map(({ difference }) => difference.total);
  return {
    name,
    self: sum(frames, ({ now }) => now.self),
    total: sum(outer, ({ now }) => now.total),
    was: sum(outer, ({ was }) => was.total),
    unsure: isUnsure(sumOfDifferences(differences, partErrors)),
  };
}

function isCalledByItself({ name, parent }: FlameFrame): boolean {
  for (let above = parent; above !== null; above = above.parent) {
    if (above.name === name && above.parent !== null) return true;
  }
  return false;
}

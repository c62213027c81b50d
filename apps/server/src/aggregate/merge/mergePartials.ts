import { atOnce, type Steps } from "../../base/schedule/steps.js";
import { branchQuery } from "../../plan/query/branchQuery.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { numberSteps } from "../key/numberGroups.js";
import type { PartialResult, PartialSide, StateColumn } from "../partial/partialResult.js";
import { stateKindOf } from "../state/stateKinds.js";
import { mergeSampleSteps } from "./mergeSamples.js";

/** Merges the states of several senders by group key; a key that one sender lists twice is merged too. */
export function mergePartials(
  partials: readonly PartialResult[],
  resolved: ResolvedQuery,
): PartialResult {
  return atOnce(mergeSteps(partials, resolved));
}

/** The same, a step at a time: a million groups take a second. */
export function* mergeSteps(
  partials: readonly PartialResult[],
  resolved: ResolvedQuery,
): Steps<PartialResult> {
  if (resolved.sample !== null) {
    const samples = partials.map(({ sample }) => sample).filter((sample) => sample !== null);
    return { sides: [], sample: yield* mergeSampleSteps(samples, resolved.sample) };
  }
  const sides = yield* groupSteps(partials, resolved, "states now");
  if (resolved.branches === undefined) return { sides, sample: null };
  const branches: (PartialResult | null)[] = [];
  for (const [i, branch] of resolved.branches.entries()) {
    const parts = partials.map((partial) => partial.branches?.[i] ?? null);
    // Without the part of one sender the groups of the others would look like all there are.
    const own = parts.filter((part) => part !== null);
    const isWhole = own.length === parts.length;
    branches.push(isWhole ? yield* mergeSteps(own, branchQuery(resolved, branch)) : null);
  }
  return { sides, sample: null, branches };
}

/** The same of the groups alone, side by side. `merge`: when their states are. */
export function mergeGroups(
  partials: readonly PartialResult[],
  resolved: ResolvedQuery,
  merge: MergeTime = "states now",
): readonly PartialSide[] {
  return atOnce(groupSteps(partials, resolved, merge));
}

function* groupSteps(
  partials: readonly PartialResult[],
  resolved: ResolvedQuery,
  merge: MergeTime,
): Steps<readonly PartialSide[]> {
  const merged: PartialSide[] = [];
  for (let index = 0; index < resolved.sides.length; index++) {
    const sides = partials.map((partial) => sideOf(partial, index));
    merged.push(yield* sideSteps(sides, resolved, merge));
  }
  return merged;
}

export type MergeTime = "states now" | "states when asked for";

/** Merges groups of one side of the query. */
export function mergeSides(
  sides: readonly PartialSide[],
  resolved: ResolvedQuery,
  merge: MergeTime = "states now",
): PartialSide {
  return atOnce(sideSteps(sides, resolved, merge));
}

function* sideSteps(
  sides: readonly PartialSide[],
  resolved: ResolvedQuery,
  merge: MergeTime,
): Steps<PartialSide> {
  if (resolved.groupBy.length === 0) return yield* mergeUngrouped(sides, resolved);
  const [only] = sides;
  const isAlone = sides.length === 1 && only?.states.every(isPlain) === true;
  if (isAlone && only.keysDiffer === true) return only;
  const numbered = yield* numberSteps(resolved.groupBy, sides);
  const { count, numbersOf } = numbered;
  // Each of its groups has a key of its own: they are merged as they are.
  if (isAlone && only.groupCount === count) return { ...only, keysDiffer: true };
  return {
    groupCount: count,
    keys: numbered.keys(),
    states:
      merge === "states now"
        ? yield* mergeStates(sides, numbersOf, count, resolved)
        : statesWhenAskedFor(resolved.states.length, (index) =>
            atOnce(mergeState(sides, numbersOf, count, resolved, index)),
          ),
    groupsCut: cutOf(sides),
    keysDiffer: true,
  };
}

/** To merge what one sender has gives the same numbers in the same order. */
const isPlain = ({ kind }: StateColumn): boolean => plainKinds.has(kind);
const plainKinds: ReadonlySet<StateColumn["kind"]> = new Set([
  "count",
  "sum",
  "extreme",
  "squares",
  "spread",
  "histogram",
]);

/** Without group by there is one group, or none where no sender has a row: no keys to compare. */
function* mergeUngrouped(
  sides: readonly PartialSide[],
  resolved: ResolvedQuery,
): Steps<PartialSide> {
  const groupCount = sides.some((side) => side.groupCount > 0) ? 1 : 0;
  const groupsOfSides = sides.map((side) => new Int32Array(side.groupCount));
  const states = yield* mergeStates(sides, groupsOfSides, groupCount, resolved);
  return { groupCount, keys: [], states, groupsCut: cutOf(sides) };
}

/** Which groups were cut is unknown, and two senders may have cut the same: at least so many. */
function cutOf(sides: readonly PartialSide[]): number {
  return sides.reduce((most, { groupsCut }) => Math.max(most, groupsCut), 0);
}

/** `groupsOfSides`: to which merged group each side's groups belong. */
function* mergeStates(
  sides: readonly PartialSide[],
  groupsOfSides: readonly Int32Array[],
  groupCount: number,
  resolved: ResolvedQuery,
): Steps<PartialSide["states"]> {
  const merged: StateColumn[] = [];
  for (const index of resolved.states.keys()) {
    merged.push(yield* mergeState(sides, groupsOfSides, groupCount, resolved, index));
    yield;
  }
  return merged;
}

function* mergeState(
  sides: readonly PartialSide[],
  groupsOfSides: readonly Int32Array[],
  groupCount: number,
  { states }: ResolvedQuery,
  index: number,
): Steps<StateColumn> {
  const kind = stateKindOf(states[index]!);
  const inputs = sides.map((side, i) => ({
    column: side.states[index]!,
    groups: groupsOfSides[i]!,
  }));
  return kind.mergeSteps === undefined
    ? kind.merge(inputs, groupCount)
    : yield* kind.mergeSteps(inputs, groupCount);
}

/** Columns that are merged when first read: who ranks by a count need not add up histograms. */
function statesWhenAskedFor(
  count: number,
  merge: (index: number) => StateColumn,
): PartialSide["states"] {
  const columns = new Array<StateColumn>(count);
  for (let index = 0; index < count; index++) {
    Object.defineProperty(columns, index, {
      configurable: true,
      enumerable: true,
      get() {
        const value = merge(index);
        Object.defineProperty(columns, index, { value });
        return value;
      },
    });
  }
  return columns;
}

function sideOf(partial: PartialResult, index: number): PartialSide {
  const side = partial.sides[index];
  if (side === undefined) throw new Error(`a partial result lacks side ${index}`);
  return side;
}

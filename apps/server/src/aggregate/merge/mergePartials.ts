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

/** The same in steps: a million groups take a second. */
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
    // Without one sender's part the groups of the others would look complete.
    const own = parts.filter((part) => part !== null);
    const isWhole = own.length === parts.length;
    branches.push(isWhole ? yield* mergeSteps(own, branchQuery(resolved, branch)) : null);
  }
  return { sides, sample: null, branches };
}

/** The same for the groups only, by side. `merge`: when their states are merged. */
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
  const merging: MergingStates = {
    sides,
    groupsOfSides: numbersOf,
    groupCount: count,
    specs: resolved.states,
  };
  // Its keys are distinct: nothing has to be merged.
  if (isAlone && only.groupCount === count) return { ...only, keysDiffer: true };
  return {
    groupCount: count,
    keys: numbered.keys(),
    states:
      merge === "states now"
        ? yield* mergeStates(merging)
        : statesWhenAskedFor(resolved.states.length, (index) => atOnce(mergeState(merging, index))),
    groupsCut: cutOf(sides),
    keysDiffer: true,
  };
}

/** Whether merging one sender's states gives the same numbers in the same order. */
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
  const specs = resolved.states;
  const states = yield* mergeStates({ sides, groupsOfSides, groupCount, specs });
  return { groupCount, keys: [], states, groupsCut: cutOf(sides) };
}

/** A lower bound: two senders may have cut the same groups. */
function cutOf(sides: readonly PartialSide[]): number {
  return sides.reduce((most, { groupsCut }) => Math.max(most, groupsCut), 0);
}

interface MergingStates {
  readonly sides: readonly PartialSide[];
  /** By side: the merged group of each of its groups. */
  readonly groupsOfSides: readonly Int32Array[];
  readonly groupCount: number;
  readonly specs: ResolvedQuery["states"];
}

function* mergeStates(merging: MergingStates): Steps<PartialSide["states"]> {
  const merged: StateColumn[] = [];
  for (const index of merging.specs.keys()) {
    merged.push(yield* mergeState(merging, index));
    yield;
  }
  return merged;
}

function* mergeState(
  { sides, groupsOfSides, groupCount, specs }: MergingStates,
  index: number,
): Steps<StateColumn> {
  const kind = stateKindOf(specs[index]!);
  const inputs = sides.map((side, i) => ({
    column: side.states[index]!,
    groups: groupsOfSides[i]!,
  }));
  return kind.mergeSteps === undefined
    ? kind.merge(inputs, groupCount)
    : yield* kind.mergeSteps(inputs, groupCount);
}

/** Columns that are merged when first read: to rank by a count, histograms need not be merged. */
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

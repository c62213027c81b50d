import type { SectionArray, SectionReader } from "../../base/bytes/sections.js";
import type { Steps } from "../../base/schedule/steps.js";
import type { DistinctSets, StateColumn } from "../partial/partialResult.js";

export type HistogramForm = Extract<StateColumn, { readonly kind: "histogram" }>["form"];

/** States of one sender, and to which group of the merged result each of its groups belongs. */
export interface MergeInput {
  readonly column: StateColumn;
  readonly groups: Int32Array;
}

/** One kind of mergeable memory, column-major. Updating it row by row is the kernel's work. */
export interface StateKind {
  /** States of groups that have seen nothing. */
  create(groupCount: number): StateColumn;
  /** New states of `groupCount` groups; neither order nor grouping of the inputs matters. */
  merge(inputs: readonly MergeInput[], groupCount: number): StateColumn;
  /** The same, a step at a time: of states that take long. */
  mergeSteps?(inputs: readonly MergeInput[], groupCount: number): Steps<StateColumn>;
  /** The states of some groups, in that order. */
  take(column: StateColumn, groups: Uint32Array): StateColumn;
  encode(column: StateColumn): EncodedState;
  decode(head: StateHead, reader: SectionReader<unknown>): StateColumn;
  /** Throws where the parts of a decoded column do not fit together, or belong to another number of groups. */
  check(column: StateColumn, groupCount: number): void;
}

export interface EncodedState {
  readonly head: StateHead;
  readonly sections: readonly SectionArray[];
}

/** What the JSON head of a message says of a state column. */
export interface StateHead {
  readonly kind: StateColumn["kind"];
  /** Histograms only. */
  readonly subBits?: number;
  readonly weightBytes?: number;
  /** Histograms and distinct values. */
  readonly form?: DistinctSets["form"] | HistogramForm;
  /** Distinct values only, and which there are depends on the form. */
  readonly base?: string;
  readonly groupBits?: number;
  readonly bits?: number;
}

/** Throws where a decoded column has another number of parts than it says. */
export function expectCount(what: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`found ${found} ${what}, expected ${expected}`);
}

/** Throws unless there is one offset per group and one more, and they ascend. */
export function expectOffsets(offsets: Uint32Array, groupCount: number): void {
  expectCount("offsets", offsets.length, groupCount + 1);
  for (let i = 0; i < groupCount; i++) {
    if (offsets[i]! > offsets[i + 1]!) throw new Error("offsets of a state descend");
  }
}

/** The column as the kind it must be: the plan says which. */
export function columnOf<Kind extends StateColumn["kind"]>(
  column: StateColumn,
  kind: Kind,
): Extract<StateColumn, { readonly kind: Kind }> {
  if (column.kind !== kind) throw new Error(`found ${column.kind} states, expected ${kind}`);
  return column as Extract<StateColumn, { readonly kind: Kind }>;
}

/** values[groups[i]] for each i. */
export function takeNumbers(values: Float64Array, groups: Uint32Array): Float64Array {
  const taken = new Float64Array(groups.length);
  for (let i = 0; i < groups.length; i++) taken[i] = values[groups[i]!]!;
  return taken;
}

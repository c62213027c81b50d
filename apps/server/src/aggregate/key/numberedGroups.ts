import type { KeyColumn } from "../partial/partialResult.js";

/** Groups of one sender, by their keys; a key may come more than once. */
export interface KeyedGroups {
  readonly groupCount: number;
  readonly keys: readonly KeyColumn[];
}

/** Groups of several senders, each key with one number, in the order of arrival. */
export interface NumberedGroups {
  readonly count: number;
  /** Per sender: the number of each of its groups. */
  readonly numbersOf: readonly Int32Array[];
  /** Keys by number. */
  keys(): KeyColumn[];
  /** Of some groups. */
  keysOf(groups: Uint32Array): KeyColumn[];
}

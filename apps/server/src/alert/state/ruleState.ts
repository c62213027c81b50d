import type { AlertEvent, AlertGroupKey, AlertState } from "@hadal/sdk";

/** A group that does not go well; all others are ok, and not kept. */
export interface GroupState {
  readonly group: AlertGroupKey;
  /** Windows in a row that were breaches. */
  readonly times: number;
  /** Of which it is a part; null: it is pending. */
  readonly firing: string | null;
  /** Of the first window of the row. */
  readonly sinceMs: number;
  /** Why the last window could not be judged; null: it was. */
  readonly unknown: string | null;
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
  readonly compared: number | null;
  /** The end of the last window that was judged. */
  readonly judgedToMs: number;
}

/** Groups that began to fire in the same window; each of its messages is about them together. */
export interface Firing {
  readonly sinceMs: number;
  /** Null: nothing was said of it yet, as the rule is muted. */
  readonly saidMs: number | null;
  readonly repetition: number;
  readonly acknowledgedBy: { readonly who: string | null; readonly atMs: number } | null;
  /** It has ended, and that is to be said when the rule is not muted any more. */
  readonly isOver?: true;
}

/** Those that go on. */
export const openFirings = ({ firings }: Pick<RuleState, "firings">) =>
  Object.entries(firings).filter(([, { isOver }]) => isOver !== true);

/** What is remembered of a rule from one window to the next. JSON holds it. */
export interface RuleState {
  /** The rule as it was judged: of another text nothing is remembered. */
  readonly text: string;
  /** The end of the last window; one that ends earlier is not judged again. */
  readonly judgedToMs: number;
  readonly evaluatedMs: number;
  /** Without regard to mutes. */
  readonly state: Exclude<AlertState, "muted">;
  readonly sinceMs: number;
  /** Of the worst group. */
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
  readonly completeness: number | null;
  /** Of the value; absent: it has none. */
  readonly unit?: string;
  /** The end and the value of the last windows, the newest last; absent: of an older version. */
  readonly recent?: readonly (readonly [number, number | null])[];
  /** By the key of the group. */
  readonly groups: Readonly<Record<string, GroupState>>;
  readonly firings: Readonly<Record<string, Firing>>;
  /** Why nothing can be said; null: something can. */
  readonly unknown: {
    readonly reason: string;
    readonly sinceMs: number;
    /** Of its message; null: there was none. */
    readonly id: string | null;
  } | null;
}

export const newRuleState = (text: string, nowMs: number): RuleState => ({
  ...{ text, judgedToMs: Number.MIN_SAFE_INTEGER, evaluatedMs: nowMs, state: "ok" },
  ...{ sinceMs: nowMs, value: null, interval: null, completeness: null },
  ...{ groups: {}, firings: {}, unknown: null },
});

/** As people see it. */
export const shownState = ({ state }: Pick<RuleState, "state">, isMuted: boolean): AlertState =>
  isMuted ? "muted" : state;

/** What one evaluation says, beside the state that it leads to. */
export interface Step {
  readonly state: RuleState;
  readonly events: readonly AlertEvent[];
  readonly notices: readonly Notice[];
}

/** What the channels are to be sent. */
export interface Notice {
  /** Of the firing. */
  readonly id: string;
  readonly state: "firing" | "ok" | "unknown";
  readonly repetition: number;
  readonly sinceMs: number;
  readonly groups: readonly GroupState[];
  /** Why it is not known, or is over though it was not seen to end. */
  readonly reason: string | null;
}

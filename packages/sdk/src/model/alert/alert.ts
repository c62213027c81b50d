import type { Query } from "../query.js";

export const alertOperators = [
  "above",
  "below",
  "changed-by",
  "outside-band",
  "absent",
  "new-group",
] as const;
export type AlertOperator = (typeof alertOperators)[number];

export const alertStates = ["ok", "pending", "firing", "unknown", "muted"] as const;
/** `unknown`: it cannot be judged, since rows are missing or the query fails. */
export type AlertState = (typeof alertStates)[number];

/** What a rule watches of its query's result. */
export interface AlertCondition {
  /** A result column with numbers; `absent` and `new-group` need none. */
  readonly aggregate?: string;
  readonly op: AlertOperator;
  /**
   * `above`, `below`: the bound. `changed-by`: percent, in either direction. `outside-band`: how many
   * times the usual spread a value may be away from the usual one.
   */
  readonly value?: number;
  /**
   * How far back the window lies that is compared, such as `"7d"`: the same hour on the clock of the
   * query's zone. Of `changed-by` it is required; of `outside-band` the step back (default a week);
   * of `absent` (default a day) and `new-group` (default a week) where groups are looked for.
   */
  readonly against?: string;
}

export const alertChannelKinds = ["webhook", "slack", "teams", "email", "pagerduty"] as const;
export type AlertChannelKind = (typeof alertChannelKinds)[number];

/** Where messages go. Answers have {@link alertMask} in place of secrets: a save keeps those that it masks or leaves out. */
export type AlertChannel =
  | { readonly kind: "webhook"; readonly url: string; readonly secret?: string }
  /** Whoever knows the address may write there: answers show its host alone. */
  | { readonly kind: "slack" | "teams"; readonly url: string }
  | { readonly kind: "email"; readonly to: readonly string[] }
  | { readonly kind: "pagerduty"; readonly routingKey: string };

export const alertMask = "********";

/** The body of a document of the kind `alert`; its title is the document's. */
export interface AlertRule {
  /**
   * Its range is the window. With a time bucket each whole bucket is a window, and the last one that
   * is over is judged.
   */
  readonly query: Query;
  readonly condition: AlertCondition;
  /** How often it is evaluated; 1,000 ms or more, default a minute. */
  readonly everyMs?: number;
  /** So many windows in a row before it fires; default 1. */
  readonly forTimes?: number;
  /** How long late rows are waited for; default: as late as the table's rows were measured to be. */
  readonly waitMs?: number;
  /** With a lower share of the rows it is not judged; default 0.995. */
  readonly minCompleteness?: number;
  /** Whether each group has a state of its own; default false: all rows together. */
  readonly perGroup?: boolean;
  readonly channels?: readonly AlertChannel[];
  /** The message is sent again while it fires; absent or 0: it is not. */
  readonly repeatMs?: number;
  /** Whether a difference that lies within its error bars counts; default false. */
  readonly judgeWithinBars?: boolean;
  /** Whether `unknown` is sent, too; default false: only where it does not end by itself, as a table or a right is gone. */
  readonly notifyUnknown?: boolean;
}

export const alertDefaults = {
  ...{ everyMs: 60_000, forTimes: 1, minCompleteness: 0.995, perGroup: false, repeatMs: 0 },
  ...{ judgeWithinBars: false, notifyUnknown: false },
} as const;

export const alertEveryMsMin = 1_000;
/** A day: windows of a longer rhythm are a report. */
export const alertEveryMsMax = 86_400_000;
export const alertForTimesMax = 1_000;
export const alertWaitMsMax = 3_600_000;
export const alertChannelsMax = 20;
export const alertRecipientsMax = 50;
/** More groups than a person reads: the rule is `unknown` then. */
export const alertGroupsMax = 1_000;

/** The values that a group is of, as a result has them. */
export type AlertGroupKey = readonly (string | number | null | readonly string[])[];

/** One group in a message. */
export interface AlertGroupValue {
  readonly group: AlertGroupKey;
  readonly value: number | null;
  /** The value lies within it 19 times of 20; null: no such bounds are known. */
  readonly interval: readonly [number, number] | null;
  /** What it is compared with; absent: nothing. */
  readonly compared?: number | null;
}

export type AlertMessageState = "firing" | "ok" | "unknown";

/** Windows that a rule's status lists. */
export const alertRecentMax = 30;

/** Groups listed in one message. */
export const alertMessageGroupsMax = 10;

/** What a channel is to say, in no form of any channel. Times are milliseconds since 1970. */
export interface AlertMessage {
  readonly state: AlertMessageState;
  readonly ruleId: string;
  readonly title: string;
  /** In words, such as "count is above 500". */
  readonly text: string;
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
  /** Of the values; absent: they have none. */
  readonly unit?: string;
  /** Of a rule without groups: null. Of several: the first. */
  readonly group: AlertGroupKey | null;
  /** The names of the columns of `group`. */
  readonly groupColumns: readonly string[];
  /** Those that began together, at most {@link alertMessageGroupsMax}. */
  readonly groups: readonly AlertGroupValue[];
  readonly groupCount: number;
  readonly since: number;
  /** Null: no answer was had. */
  readonly completeness: number | null;
  /** The window that was judged. */
  readonly fromMs: number;
  readonly toMs: number;
  /** With absolute times, for the picture. */
  readonly query: Query;
  /** A path of the web app. */
  readonly link: string;
  /** 0: the first message of its state. */
  readonly repetition: number;
}

/** One change of a rule's state, what someone did about it, or a message that a channel did not take. */
export interface AlertEvent {
  readonly at: number;
  readonly state: AlertState | "acknowledged" | "unmuted" | "undelivered";
  /** The end of the window that led to it. */
  readonly toMs?: number;
  readonly value: number | null;
  /** Absent: of the rule as a whole. */
  readonly group?: AlertGroupKey;
  /** Of the firing. */
  readonly firing?: string;
  /** Whoever did it; absent: the server. */
  readonly who?: string | null;
  /** Why it cannot be judged, until when it is muted, or what the channel answered. */
  readonly reason?: string;
}

/** A rule as it is now. Times are milliseconds since 1970. */
export interface AlertStatus {
  /** Of its document. */
  readonly id: string;
  readonly title: string;
  readonly version: number;
  readonly table: string;
  /** When it fires, in words, such as "count is above 500". */
  readonly text: string;
  readonly state: AlertState;
  readonly since: number | null;
  /** Of the last window; of groups, that of one which does not go well. */
  readonly value: number | null;
  /** Of the value; absent: it has none. */
  readonly unit?: string;
  /** The end and the value of its last windows, at most {@link alertRecentMax}, the newest last. */
  readonly recent: readonly (readonly [number, number | null])[];
  readonly interval: readonly [number, number] | null;
  /** Null: no answer was had. */
  readonly completeness: number | null;
  /** Why it cannot be judged; null: it can. */
  readonly reason: string | null;
  readonly mutedUntilMs: number | null;
  /** Null: it was not evaluated yet. */
  readonly evaluatedMs: number | null;
  /** Groups that do not go well, at most {@link alertMessageGroupsMax}. */
  readonly groups: readonly AlertGroupValue[];
  readonly groupCount: number;
  /** Who acknowledged what fires; null: it was not. */
  readonly acknowledged: { readonly at: number; readonly who: string | null } | null;
  /** Messages of the last seven days that a channel did not take: they are tried again, or were given up. */
  readonly undelivered: number;
}

/** A rule whose channels are tested before it is saved. */
export interface AlertTestDraft {
  readonly title?: string;
  readonly rule: AlertRule;
  /** Of the saved rule whose secrets stand where the channels are masked. */
  readonly id?: string;
  /** Its place in the rule's list; absent: each of them. */
  readonly channel?: number;
}

/** What came of one message that was sent to see whether a channel works. */
export interface AlertTest {
  /** Its place in the rule's list. */
  readonly channel: number;
  readonly kind: AlertChannelKind;
  /** Why it did not arrive; null: the receiver has taken it. */
  readonly error: string | null;
}

/** Whether rules are evaluated in time: what is not looked at fires for no one. */
export interface AlertHealth {
  /** Rules that have been due for more than 5 s and are not evaluated. */
  readonly behind: number;
  /** How long the longest of them has been due, in ms; 0: none is. */
  readonly lagMs: number;
  /** Whether a gateway evaluates the rules now. */
  readonly leader: boolean;
}

export interface AlertList {
  readonly alerts: readonly AlertStatus[];
  /** Of these rules. */
  readonly health: AlertHealth;
}

/** When a rule would have fired. */
export interface AlertPreview {
  readonly fromMs: number;
  readonly toMs: number;
  readonly firings: readonly AlertPreviewFiring[];
}

export interface AlertPreviewFiring {
  readonly fromMs: number;
  readonly toMs: number;
  readonly value: number | null;
  readonly group?: AlertGroupKey;
  /** Why it would not have been sent. */
  readonly heldBack?: string;
}

import {
  type AlertChannel,
  type AlertChannelKind,
  type AlertOperator,
  type AlertRule,
  aggregateName,
  alertDefaults,
  HadalError,
  isFunctionAggregate,
  type Query,
  resolveTimeRange,
} from "@hadal/sdk";
import { checkAlertRule } from "@hadal/sdk/checks";
import { tileOfState } from "../../draft/tile/tileOfState.js";
import { parseAmount, printAmount } from "../../format/amount.js";
import { printDuration } from "../../format/duration.js";
import { readNames } from "../../format/nameList.js";
import type { ExploreState } from "../../query/state/exploreState.js";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
export const windowChoicesMs: readonly number[] = [
  ...[1, 5, 10, 30].map((minutes) => minutes * minuteMs),
  ...[1, 6, 24].map((hours) => hours * hourMs),
];
export const forTimesChoices: readonly number[] = [1, 2, 3, 5, 10];
export const againstChoices: readonly string[] = ["1h", "1d", "7d", "28d"];
export const repeatChoicesMs: readonly number[] = [0, ...[1, 4, 24].map((hours) => hours * hourMs)];

/** A channel as its fields have it; those of other kinds are kept while the kind is changed. */
export interface ChannelForm {
  readonly kind: AlertChannelKind;
  readonly url: string;
  readonly secret: string;
  /** Addresses with commas. */
  readonly to: string;
  readonly routingKey: string;
}

/** A rule as its dialog has it. */
export interface AlertForm {
  readonly title: string;
  readonly aggregate: string;
  readonly op: AlertOperator;
  /** As typed, with a unit: `250ms`. */
  readonly value: string;
  readonly against: string;
  readonly windowMs: number;
  readonly forTimes: number;
  readonly perGroup: boolean;
  /** A share in percent, as typed. */
  readonly completeness: string;
  readonly judgeWithinBars: boolean;
  readonly notifyUnknown: boolean;
  readonly repeatMs: number;
  readonly channels: readonly ChannelForm[];
}

/** What a form is about: the query without its range, and what else the rule says. */
export interface Watched {
  readonly query: Query;
  readonly kept: Pick<AlertRule, "everyMs" | "waitMs">;
}

export const emptyChannel: ChannelForm = {
  ...{ kind: "webhook", url: "", secret: "", to: "", routingKey: "" },
};

/** What the form asks of a state: its groups without a time bucket, compared with nothing. */
export function watchedOfState(state: ExploreState): Watched {
  const plain: ExploreState = { ...state, view: "table", bucket: null, compare: null, order: null };
  const { limit: _, series: __, ...query } = tileOfState(plain).query;
  return { query: { ...query, aggregates: query.aggregates ?? [{ fn: "count" }] }, kept: {} };
}

/** A first proposal: the first number, against the time that the state compares with, if any. */
export function formOfState(state: ExploreState, title: string): AlertForm {
  const { query } = watchedOfState(state);
  const offset = state.compare?.offset ?? null;
  const isCompared = offset !== null && againstChoices.includes(offset);
  return {
    title,
    aggregate: numbersOf(query)[0] ?? "count",
    op: isCompared ? "changed-by" : "above",
    value: isCompared ? "20" : "",
    against: isCompared ? offset : "7d",
    windowMs: 5 * minuteMs,
    forTimes: 1,
    perGroup: false,
    completeness: String(alertDefaults.minCompleteness * 100),
    judgeWithinBars: false,
    notifyUnknown: false,
    repeatMs: 0,
    channels: [],
  };
}

/** Of a saved rule. `unit`: of its number. */
export function formOfRule(title: string, rule: AlertRule, unit: string | undefined): AlertForm {
  const { condition, channels = [] } = rule;
  const known = { ...alertDefaults, ...rule };
  const { op, value, against = "7d" } = condition;
  return {
    ...{ title, op, against, windowMs: windowMsOf(rule.query) },
    aggregate: condition.aggregate ?? numbersOf(rule.query)[0] ?? "count",
    value: value === undefined ? "" : printBound(op, value, unit),
    ...{ forTimes: known.forTimes, perGroup: known.perGroup, repeatMs: known.repeatMs },
    completeness: String(Math.round(known.minCompleteness * 1e6) / 1e4),
    ...{ judgeWithinBars: known.judgeWithinBars, notifyUnknown: known.notifyUnknown },
    channels: channels.map(formOfChannel),
  };
}

export function watchedOfRule({ query, everyMs, waitMs }: AlertRule): Watched {
  const groupBy = (query.groupBy ?? []).filter(
    (group) => typeof group === "string" || !("time" in group),
  );
  return {
    query: { ...query, groupBy },
    kept: { ...(everyMs !== undefined && { everyMs }), ...(waitMs !== undefined && { waitMs }) },
  };
}

/** The columns of the result that a condition may name. */
export function numbersOf({ aggregates = [], calculate = [] }: Query): readonly string[] {
  const numbers = aggregates.filter((spec) => isFunctionAggregate(spec) || spec.fn !== "histogram");
  return [
    ...numbers.map((spec) => spec.as ?? aggregateName(spec)),
    ...calculate.map(({ as }) => as),
  ];
}

export const needsValue = (op: AlertOperator): boolean => op !== "absent" && op !== "new-group";
export const needsAgainst = (op: AlertOperator): boolean => op !== "above" && op !== "below";
/** Whether the value is on the scale of the number, and not a percentage or a multiple. */
export const isOnScale = (op: AlertOperator): boolean => op === "above" || op === "below";

/** The bound as a number; null: it cannot be read. */
export function boundOf({ op, value }: Pick<AlertForm, "op" | "value">, unit: string | undefined) {
  return parseAmount(value.replace(/[%×]$/, ""), isOnScale(op) ? unit : undefined);
}

export const printBound = (op: AlertOperator, value: number, unit: string | undefined): string =>
  printAmount(value, isOnScale(op) ? unit : undefined);

export type AlertField = keyof AlertForm | "query";
/** By field; those of a channel have its place: `channels[0].url`. */
export type AlertFaults = Readonly<Record<string, string>>;

export type ReadAlert =
  | { readonly ok: true; readonly rule: AlertRule }
  | { readonly ok: false; readonly faults: AlertFaults };

/** The rule of a form, by the server's own checks; else what is wrong, by field. */
export function readAlert(form: AlertForm, watched: Watched, unit: string | undefined): ReadAlert {
  const rule = ruleOf(form, watched, unit);
  const titled: AlertFaults = form.title.trim() === "" ? { title: "Give it a title." } : {};
  const bound =
    needsValue(form.op) && rule.condition.value === undefined
      ? { value: valueFault(form, unit) }
      : {};
  try {
    checkAlertRule(rule);
    const faults = { ...titled, ...bound };
    return Object.keys(faults).length === 0 ? { ok: true, rule } : { ok: false, faults };
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return { ok: false, faults: { ...faultsOfProblem(error), ...titled, ...bound } };
  }
}

function ruleOf(form: AlertForm, { query, kept }: Watched, unit: string | undefined): AlertRule {
  const { op } = form;
  const bound = needsValue(op) ? boundOf(form, unit) : null;
  const percent = Number(form.completeness);
  return {
    ...kept,
    query: { ...query, from: `-${printDuration(form.windowMs)}`, to: "now" },
    condition: {
      ...(needsValue(op) && { aggregate: form.aggregate }),
      op,
      ...(bound !== null && { value: bound }),
      ...(needsAgainst(op) && { against: form.against }),
    },
    ...{ forTimes: form.forTimes, perGroup: form.perGroup, repeatMs: form.repeatMs },
    // An empty field is 0 to Number: it has to be refused.
    minCompleteness: form.completeness.trim() === "" ? Number.NaN : percent / 100,
    ...{ judgeWithinBars: form.judgeWithinBars, notifyUnknown: form.notifyUnknown },
    channels: form.channels.map(channelOf),
  };
}

function valueFault({ op, value }: AlertForm, unit: string | undefined): string {
  if (value.trim() === "") return "Give it a number.";
  const example = isOnScale(op) ? printBound(op, 250, unit) : "20";
  return `“${value}” is no amount: write ${example}.`;
}

/** The first fault of each field of the form. */
export function faultsOfProblem({ errors, message }: HadalError): AlertFaults {
  if (errors.length === 0) return { query: message };
  const found = errors.map(({ path = "", detail }): readonly [string, string] => {
    const inBody = path.replace(/^body\.?/, "");
    const channel = /^channels\[\d+\](?:\.\w+)?/.exec(inBody)?.[0];
    if (channel !== undefined) return [channel, detail];
    const [head = "", second = ""] = inBody.split(/[.[]/);
    if (head === "condition") return [second === "" ? "op" : second, detail];
    return [fieldOfPath[head] ?? (head === "" ? "query" : head), detail];
  });
  return Object.fromEntries(found.reverse());
}

const fieldOfPath: Readonly<Record<string, AlertField>> = { minCompleteness: "completeness" };

function formOfChannel(channel: AlertChannel): ChannelForm {
  const { to, ...texts } = { to: [], ...channel };
  return { ...emptyChannel, ...texts, to: to.join(", ") };
}

/** What is left empty of a secret is left out: a save keeps it. */
function channelOf({ kind, url, secret, to, routingKey }: ChannelForm): AlertChannel {
  if (kind === "email") return { kind, to: readNames(to) };
  if (kind === "pagerduty") return { kind, routingKey };
  if (kind === "webhook") return { kind, url, ...(secret !== "" && { secret }) };
  return { kind, url };
}

/** The length of the window of a rule. */
export function windowMsOf({ from, to, timeZone }: Query): number {
  const range = resolveTimeRange(from, to, Date.now(), timeZone ?? "UTC");
  return range.toMs - range.fromMs;
}

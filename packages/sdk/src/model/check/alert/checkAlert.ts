import {
  type AggregateSpec,
  aggregateName,
  type FunctionAggregate,
  isFunctionAggregate,
} from "../../aggregate.js";
import {
  type AlertRule,
  alertChannelsMax,
  alertEveryMsMax,
  alertEveryMsMin,
  alertForTimesMax,
  alertOperators,
  alertWaitMsMax,
} from "../../alert/alert.js";
import { HadalError } from "../../problem/problem.js";
import {
  checkInteger,
  checkKeys,
  checkList,
  checkObject,
  createProblemList,
  type JsonObject,
  joinPath,
  kindOf,
  type ProblemList,
} from "../../problem/problemList.js";
import type { GroupBy, Query } from "../../query.js";
import { whyInvalidCalendarLength } from "../../time/calendarLength.js";
import { isRelativeTime } from "../../time/parseTime.js";
import { checkQuery } from "../checkQuery.js";
import { checkResultName } from "../resultNames.js";
import { checkAlertChannel } from "./checkAlertChannel.js";

const ruleKeys: readonly (keyof AlertRule)[] = [
  ...(["query", "condition", "everyMs", "forTimes", "waitMs", "minCompleteness"] as const),
  ...(["perGroup", "channels", "repeatMs", "judgeWithinBars", "notifyUnknown"] as const),
];

/** A month: who wants to be reminded less often can be asked once. */
const repeatMsMax = 31 * 86_400_000;
const repeatMsMin = 1_000;

/**
 * The body of a document of the kind `alert`, secrets included; throws with everything that is wrong, each with
 * its path. Whether the table and its columns exist only the server can say.
 */
export function checkAlertRule(value: unknown): AlertRule {
  const problems = createProblemList();
  const rule = checkObject(value, "", problems);
  if (rule === null) throw problems.toError();
  checkKeys(rule, "", ruleKeys, problems);
  const query = checkRuleQuery(rule.query, problems);
  checkCondition(rule.condition, query, problems);
  if (query !== null) checkGroups(rule, query, problems);
  checkInteger(rule.everyMs, "everyMs", { min: alertEveryMsMin, max: alertEveryMsMax }, problems);
  checkInteger(rule.forTimes, "forTimes", { max: alertForTimesMax }, problems);
  checkInteger(rule.waitMs, "waitMs", { min: 0, max: alertWaitMsMax }, problems);
  if (rule.repeatMs !== 0)
    checkInteger(rule.repeatMs, "repeatMs", { min: repeatMsMin, max: repeatMsMax }, problems);
  checkShare(rule.minCompleteness, problems);
  for (const key of ["perGroup", "judgeWithinBars", "notifyUnknown"] as const)
    checkBoolean(rule[key], key, problems);
  const channels = checkList(rule.channels, "channels", alertChannelsMax, problems) ?? [];
  for (const [i, channel] of channels.entries())
    checkAlertChannel(channel, `channels[${i}]`, problems);
  if (problems.count > 0) throw problems.toError();
  return value as AlertRule;
}

/** The groups of a query without those of time. */
export const valueGroupsOf = ({ groupBy = [] }: Query): readonly GroupBy[] =>
  groupBy.filter((group) => !isTimeGroup(group));

export const isTimeGroup = (group: GroupBy): group is { readonly time: string } =>
  typeof group === "object" && "time" in group;

/** Null, with the problems added, where it is none. */
function checkRuleQuery(value: unknown, problems: ProblemList): Query | null {
  let query: Query;
  try {
    query = checkQuery(value);
  } catch (error) {
    if (!(error instanceof HadalError) || error.errors.length === 0) throw error;
    for (const { path = "", code, detail } of error.errors)
      problems.add(path === "" ? "query" : joinPath("query", path), code, detail);
    return null;
  }
  if (query.sampleView)
    problems.add("query.sampleView", "unsupported", "A rule watches numbers, not rows.");
  const timeGroups = (query.groupBy ?? []).filter(isTimeGroup);
  if (timeGroups.length > 1)
    problems.add("query.groupBy", "too-many", "A rule's windows are those of one time bucket.");
  if (timeGroups.length > 0) return query;
  for (const end of ["from", "to"] as const) {
    if (isRelativeTime(query[end])) continue;
    const detail = `A window moves with the clock: write \`${end}\` as now or -5m.`;
    problems.add(`query.${end}`, "time-range-invalid", detail);
  }
  return query;
}

function checkCondition(value: unknown, query: Query | null, problems: ProblemList): void {
  const condition = checkObject(value, "condition", problems);
  if (condition === null) return;
  checkKeys(condition, "condition", ["aggregate", "op", "value", "against"], problems);
  const { op, against } = condition;
  const isKnown = (alertOperators as readonly unknown[]).includes(op);
  if (!isKnown) {
    const detail = `op is one of ${alertOperators.join(", ")}; found ${kindOf(op)}.`;
    problems.add("condition.op", op === undefined ? "missing" : "unknown-value", detail);
  }
  const needsNumber = isKnown && op !== "absent" && op !== "new-group";
  if (needsNumber) checkBound(condition, problems);
  if (needsNumber || condition.aggregate !== undefined)
    checkAggregateName(condition.aggregate, query, problems);
  if (against === undefined && op === "changed-by")
    problems.add("condition.against", "missing", 'changed-by is against a time, such as "7d".');
  const fault = against === undefined ? null : whyInvalidCalendarLength(against);
  if (fault !== null) problems.add("condition.against", fault.code, fault.detail);
}

function checkBound({ op, value }: JsonObject, problems: ProblemList): void {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    const code = value === undefined ? "missing" : "type-mismatch";
    problems.add("condition.value", code, `value is a number; found ${kindOf(value)}.`);
    return;
  }
  const isDistance = op === "changed-by" || op === "outside-band";
  if (isDistance && value <= 0)
    problems.add("condition.value", "out-of-range", `The value of ${op} is above 0.`);
}

function checkAggregateName(value: unknown, query: Query | null, problems: ProblemList): void {
  const path = "condition.aggregate";
  if (typeof value !== "string") {
    const code = value === undefined ? "missing" : "type-mismatch";
    const detail = `aggregate names a column of the result; found ${kindOf(value)}.`;
    problems.add(path, code, detail);
    return;
  }
  if (query === null) return;
  const { aggregates = [], calculate = [] } = query;
  const isNone = (spec: AggregateSpec | FunctionAggregate): boolean =>
    !isFunctionAggregate(spec) && spec.fn === "histogram";
  const histograms = new Set(aggregates.filter(isNone).map(aggregateName));
  if (histograms.has(value)) {
    problems.add(path, "type-mismatch", `${value} is a histogram, not a number.`);
    return;
  }
  const names = new Set([...aggregates.map(aggregateName), ...calculate.map(({ as }) => as)]);
  const known = { names, histograms, isSample: false, complete: true };
  checkResultName(value, path, known, problems);
}

function checkGroups(rule: JsonObject, query: Query, problems: ProblemList): void {
  if (valueGroupsOf(query).length > 0) return;
  const { op } = (rule.condition ?? {}) as { readonly op?: unknown };
  if (op === "new-group")
    problems.add("query.groupBy", "missing", "new-group needs a column to group by.");
  else if (rule.perGroup === true)
    problems.add("perGroup", "out-of-range", "The query has no groups beside time.");
}

function checkShare(value: unknown, problems: ProblemList): void {
  if (value === undefined) return;
  if (typeof value === "number" && value >= 0 && value <= 1) return;
  const detail = `minCompleteness is a share from 0 to 1; found ${kindOf(value)}.`;
  problems.add("minCompleteness", "out-of-range", detail);
}

function checkBoolean(value: unknown, path: string, problems: ProblemList): void {
  if (value === undefined || typeof value === "boolean") return;
  problems.add(path, "type-mismatch", `${path} is true or false; found ${kindOf(value)}.`);
}

import { type AlertEvent, alertMessageGroupsMax, alertRecentMax } from "@hadal/sdk";
import type { Judgement } from "../judge/judge.js";
import type { Verdict } from "../judge/verdict.js";
import { type FullRule, judgedText } from "../rule/fullRule.js";
import type { Evaluation } from "./evaluation.js";
import { noticesOf } from "./notices.js";
import {
  type Firing,
  type GroupState,
  newRuleState,
  type RuleState,
  type Step,
} from "./ruleState.js";

/** A group that has had no rows for so long is given up: where it went the rule cannot tell. */
const goneMs = 86_400_000;
/** Beyond that a window of the future was judged by a clock that was wrong. */
const clockSlackMs = 60_000;

/**
 * From one window to the next. The state of a window that was judged already, or of an earlier one, is not
 * changed: an evaluation may be done twice. Depends on nothing else.
 */
export function advance(rule: FullRule, before: RuleState | null, evaluation: Evaluation): Step {
  const { nowMs, toMs } = evaluation;
  const text = judgedText(rule);
  const known = before ?? newRuleState(text, nowMs);
  const wasInFuture = known.judgedToMs > nowMs + clockSlackMs;
  if (toMs <= known.judgedToMs && known.text === text && !wasInFuture)
    return { state: known, events: [], notices: [] };
  const start = known.text === text ? known : forgotten(known, text);
  const { groups, firings, events } = nextGroups(rule, start, evaluation);
  const unknown = nextUnknown(start, evaluation);
  const { unit: unitBefore, ...rest } = start;
  const state = { ...rest, text, groups, firings, unknown };
  const said = noticesOf(rule, start, state, evaluation);
  const summary = summaryOf({ ...state, firings: said.firings }, evaluation);
  const isSame = summary.state === start.state;
  const { judgement } = evaluation;
  const isJudged = judgement.kind === "judged";
  const unit = isJudged ? judgement.unit : unitBefore;
  const recent = [...(start.recent ?? []), [toMs, isJudged ? summary.value : null] as const];
  return {
    state: {
      ...{ ...state, ...summary, firings: said.firings, unknown: said.unknown },
      ...{ recent: recent.slice(-alertRecentMax), ...(unit !== undefined && { unit }) },
      ...{ judgedToMs: toMs, evaluatedMs: nowMs, sinceMs: isSame ? start.sinceMs : nowMs },
    },
    events: [...limited(events, nowMs), ...unknownEvents(start, unknown, summary, nowMs)].map(
      (event) => ({ ...event, toMs }),
    ),
    notices: said.notices,
  };
}

/** The rule was changed: its firings are over, and its windows begin again. */
const forgotten = (state: RuleState, text: string): RuleState => ({
  ...{ ...state, text, groups: {}, recent: [] },
});

interface NextGroups {
  readonly groups: Readonly<Record<string, GroupState>>;
  readonly firings: Readonly<Record<string, Firing>>;
  readonly events: readonly AlertEvent[];
}

function nextGroups(rule: FullRule, start: RuleState, evaluation: Evaluation): NextGroups {
  const { judgement, nowMs, toMs } = evaluation;
  if (judgement.kind === "unknown") {
    const { reason } = judgement;
    const held = Object.entries(start.groups).map(
      ([key, group]) => [key, { ...group, unknown: reason }] as const,
    );
    return { groups: Object.fromEntries(held), firings: start.firings, events: [] };
  }
  // A group that became known since the window was judged waits for the next one.
  const groups = new Map<string, GroupState>(
    Object.entries(start.groups).filter(([key]) => !judgement.verdicts.has(key)),
  );
  const firings = new Map(Object.entries(start.firings));
  const events: AlertEvent[] = [];
  let begun: string | null = null;
  const begin = (): string => {
    begun ??= evaluation.newId();
    firings.set(begun, { sinceMs: nowMs, saidMs: null, repetition: 0, acknowledgedBy: null });
    return begun;
  };
  for (const [key, verdict] of judgement.verdicts) {
    const before = start.groups[key];
    const next = nextGroup(verdict, before, { rule, toMs, begin });
    if (next !== null) groups.set(key, next);
    const event = eventOf(before, next, verdict, nowMs);
    if (event !== null) events.push(event);
  }
  return { groups: Object.fromEntries(groups), firings: Object.fromEntries(firings), events };
}

interface GroupStep {
  readonly rule: FullRule;
  readonly toMs: number;
  readonly begin: () => string;
}

/** Null: the group is ok. */
function nextGroup(
  verdict: Verdict,
  before: GroupState | undefined,
  { rule, toMs, begin }: GroupStep,
): GroupState | null {
  const { group, value, interval, compared = null } = verdict;
  const seen = { group, value, interval, compared, judgedToMs: toMs };
  const known = before ?? { ...seen, times: 0, firing: null, sinceMs: toMs, unknown: null };
  if (verdict.kind === "unknown") {
    // What is not known of a group that went well is not worth a state of its own.
    if (before === undefined || toMs - before.judgedToMs > goneMs) return null;
    return { ...before, unknown: verdict.reason };
  }
  if (verdict.kind === "fine") {
    // Neither over nor sure: what fires goes on, what is pending does not.
    const goesOn = verdict.held === true && known.firing !== null;
    return goesOn ? { ...known, ...seen, unknown: null } : null;
  }
  const times = known.times + 1;
  const firing = known.firing ?? (times >= rule.forTimes ? begin() : null);
  return { ...known, ...seen, times, firing, unknown: null };
}

function eventOf(
  before: GroupState | undefined,
  next: GroupState | null,
  { group, value }: Verdict,
  nowMs: number,
): AlertEvent | null {
  const stateBefore = phaseOf(before);
  const state = phaseOf(next ?? undefined);
  if (state === stateBefore) return null;
  const firing = next?.firing ?? before?.firing ?? null;
  return {
    ...{ at: nowMs, state, value },
    ...(group.length > 0 && { group }),
    ...(firing !== null && { firing }),
  };
}

function phaseOf(group: GroupState | undefined): "ok" | "pending" | "firing" {
  if (group === undefined) return "ok";
  return group.firing === null ? "pending" : "firing";
}

/** Of many groups that change alike the first are listed, and the others counted. */
function limited(events: readonly AlertEvent[], nowMs: number): readonly AlertEvent[] {
  const shown: AlertEvent[] = [];
  for (const state of ["pending", "firing", "ok"] as const) {
    const own = events.filter((event) => event.state === state);
    shown.push(...own.slice(0, alertMessageGroupsMax));
    const more = own.length - alertMessageGroupsMax;
    if (more > 0) shown.push({ at: nowMs, state, value: null, reason: `${more} more groups` });
  }
  return shown;
}

function nextUnknown(start: RuleState, { judgement, nowMs }: Evaluation): RuleState["unknown"] {
  if (judgement.kind !== "unknown") return null;
  const { reason } = judgement;
  const { sinceMs = nowMs, id = null } = start.unknown ?? {};
  return { reason, sinceMs, id };
}

function unknownEvents(
  start: RuleState,
  unknown: RuleState["unknown"],
  { state, value }: Pick<RuleState, "state" | "value">,
  nowMs: number,
): readonly AlertEvent[] {
  if (unknown !== null && start.unknown?.reason !== unknown.reason)
    return [{ at: nowMs, state: "unknown", value: null, reason: unknown.reason }];
  if (unknown === null && start.unknown !== null) return [{ at: nowMs, state, value }];
  return [];
}

type Summary = Pick<RuleState, "state" | "value" | "interval" | "completeness">;

/** The state of the whole rule, and the value of its worst group. */
function summaryOf({ groups, unknown }: RuleState, { judgement }: Evaluation): Summary {
  const all = Object.values(groups);
  const judged = all.filter((group) => group.unknown === null);
  const worst =
    judged.find(({ firing }) => firing !== null) ?? judged[0] ?? all[0] ?? firstOf(judgement);
  const { value = null, interval = null } = worst ?? {};
  const { completeness } = judgement;
  const shown = { value, interval, completeness };
  if (unknown !== null) return { state: "unknown", ...shown };
  if (judged.some(({ firing }) => firing !== null)) return { state: "firing", ...shown };
  if (judged.length > 0) return { state: "pending", ...shown };
  return { state: all.length > 0 ? "unknown" : "ok", ...shown };
}

const firstOf = (judgement: Judgement): Verdict | undefined =>
  judgement.kind === "judged" ? [...judgement.verdicts.values()][0] : undefined;

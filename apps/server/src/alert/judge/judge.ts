import { type AlertCondition, type AlertGroupKey, aggregateName } from "@hadal/sdk";
import { type FullRule, isPerGroup } from "../rule/fullRule.js";
import { judgeBand, judgeBound, judgeChange } from "./conditions.js";
import type { Verdict } from "./verdict.js";
import { type GroupValue, keyOfGroup, type WindowAnswer } from "./windowAnswer.js";

export type Judgement =
  /** Nothing can be said of any group. `completeness`: null where there is no answer. */
  | {
      readonly kind: "unknown";
      readonly reason: string;
      readonly completeness: number | null;
      /** It does not end by itself: someone has to change the rule, or give rights back. */
      readonly isBroken?: true;
    }
  | {
      readonly kind: "judged";
      readonly completeness: number;
      /** Of the values; absent: they have none. */
      readonly unit?: string;
      /** By the key of the group. */
      readonly verdicts: ReadonlyMap<string, Verdict>;
    };

/** The answers of one evaluation. */
export interface Evidence {
  readonly judged: WindowAnswer;
  readonly compared: readonly WindowAnswer[];
  /** Groups that did not go well before: they are judged also where they have no rows. */
  readonly watched: Iterable<AlertGroupKey>;
}

/** Judges a window; depends on nothing else. */
export function judge(rule: FullRule, evidence: Evidence): Judgement {
  const { judged, compared } = evidence;
  const isBand = rule.condition.op === "outside-band";
  const fault = judged.fault ?? (isBand ? null : comparedFault(compared));
  const { completeness, unit } = judged;
  const isBroken = judged.isBroken ?? false;
  if (fault !== null)
    return { kind: "unknown", reason: fault, completeness, ...(isBroken && { isBroken }) };
  const verdicts = new Map<string, Verdict>();
  for (const one of groupsToJudge(rule, evidence))
    verdicts.set(keyOfGroup(one.group), judgeGroup(rule, one, compared));
  const [only] = verdicts.values();
  // Without groups what is not known of the one value is not known of the rule.
  if (!isPerGroup(rule) && only?.kind === "unknown")
    return { kind: "unknown", reason: only.reason, completeness };
  return { kind: "judged", completeness, verdicts, ...(unit !== undefined && { unit }) };
}

const comparedFault = (compared: readonly WindowAnswer[]): string | null => {
  const fault = compared.find((one) => one.fault !== null)?.fault ?? null;
  return fault === null ? null : `in the time that is compared ${fault}`;
};

/** Groups of the answer, and those that had rows before, or did not go well, and have none now. */
function groupsToJudge(rule: FullRule, { judged, compared, watched }: Evidence): GroupValue[] {
  const groups = new Map(judged.groups);
  const add = (group: AlertGroupKey): void => {
    const key = keyOfGroup(group);
    if (!groups.has(key)) groups.set(key, valueWithoutRows(rule, group));
  };
  if (!isPerGroup(rule)) add([]);
  if (rule.condition.op === "absent")
    for (const { groups: before } of compared) for (const { group } of before.values()) add(group);
  for (const group of watched) add(group);
  return [...groups.values()];
}

/** Counts and sums of no rows are 0; of an average, say, nothing is known. */
function valueWithoutRows({ query, condition }: FullRule, group: AlertGroupKey): GroupValue {
  const isAdditive =
    condition.aggregate === undefined ||
    (query.aggregates ?? []).some(
      (spec) => additive.has(spec.fn) && aggregateName(spec) === condition.aggregate,
    );
  return { group, value: isAdditive ? 0 : null, interval: null };
}

const additive: ReadonlySet<string> = new Set(["count", "sum", "distinct"]);

function judgeGroup(rule: FullRule, one: GroupValue, compared: readonly WindowAnswer[]): Verdict {
  const key = keyOfGroup(one.group);
  switch (rule.condition.op) {
    case "above":
    case "below":
      return judgeBound(one, boundOf(rule.condition), rule);
    case "changed-by":
      return judgeChange(one, compared[0]?.groups.get(key), boundOf(rule.condition), rule);
    case "outside-band": {
      const known = compared.filter(({ fault }) => fault === null);
      const before = known.map(({ groups }) => groups.get(key)?.value ?? null);
      return judgeBand(one, before, boundOf(rule.condition), rule);
    }
    case "absent":
      return { ...one, kind: one.value === null || one.value === 0 ? "breach" : "fine" };
    case "new-group": {
      const isNew = one.value !== 0 && compared.every(({ groups }) => !groups.has(key));
      return { ...one, kind: isNew ? "breach" : "fine" };
    }
  }
}

function boundOf({ value }: AlertCondition): number {
  if (value === undefined) throw new Error("the rule was not checked: it has no value");
  return value;
}

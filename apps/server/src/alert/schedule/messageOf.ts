import { type AlertMessage, alertMessageGroupsMax, type Query, type TimeRange } from "@hadal/sdk";
import { valueGroupsOf } from "@hadal/sdk/checks";
import { conditionText } from "../rule/conditionText.js";
import type { FullRule } from "../rule/fullRule.js";
import type { Notice, RuleState } from "../state/ruleState.js";

export interface NamedRule {
  /** Of its document. */
  readonly id: string;
  readonly version: number;
  /** It comes from a file of the server: no one has saved it. */
  readonly isOfFile: boolean;
  readonly title: string;
  readonly rule: FullRule;
}

/** What channels are to say of a notice. */
export function messageOf(
  { id: ruleId, title, rule }: NamedRule,
  { state, sinceMs, groups, repetition, reason }: Notice,
  { fromMs, toMs }: TimeRange,
  { completeness, unit }: Pick<RuleState, "completeness" | "unit">,
): AlertMessage {
  const [first] = groups;
  const condition = conditionText(rule);
  return {
    ...{ state, ruleId, title, repetition, since: sinceMs, fromMs, toMs, completeness },
    text: reason === null ? condition : `${condition}: ${reason}`,
    ...{ value: first?.value ?? null, interval: first?.interval ?? null },
    ...(unit !== undefined && { unit }),
    group: first === undefined || first.group.length === 0 ? null : first.group,
    groupColumns: valueGroupsOf(rule.query).map(groupName),
    groups: groups.slice(0, alertMessageGroupsMax).map(({ group, value, interval, compared }) => ({
      ...{ group, value, interval },
      ...(compared !== null && { compared }),
    })),
    groupCount: groups.length,
    query: frozen(rule.query, { fromMs, toMs }),
    link: `/alerts/${ruleId}?at=${toMs}`,
  };
}

const frozen = (query: Query, { fromMs, toMs }: TimeRange): Query => ({
  ...{ ...query, from: fromMs, to: toMs },
});

function groupName(group: ReturnType<typeof valueGroupsOf>[number]): string {
  if (typeof group === "string") return group;
  const { as } = group;
  if (as !== undefined) return as;
  if ("column" in group) return group.column;
  if ("element" in group) return group.element;
  return "bucket" in group ? group.bucket : "time";
}

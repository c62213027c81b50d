import { type AlertMessage, alertMessageGroupsMax, type Query, type TimeRange } from "@hadal/sdk";
import { valueGroupsOf } from "@hadal/sdk/checks";
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
  { completeness }: Pick<RuleState, "completeness">,
): AlertMessage {
  const [first] = groups;
  const condition = conditionText(rule);
  return {
    ...{ state, ruleId, title, repetition, since: sinceMs, fromMs, toMs, completeness },
    text: reason === null ? condition : `${condition}: ${reason}`,
    ...{ value: first?.value ?? null, interval: first?.interval ?? null },
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

/** Such as "count is above 500". */
function conditionText({ condition }: FullRule): string {
  const { aggregate = "count", op, value, against } = condition;
  switch (op) {
    case "above":
    case "below":
      return `${aggregate} is ${op} ${value}`;
    case "changed-by":
      return `${aggregate} changed by more than ${value} % against ${against} before`;
    case "outside-band":
      return `${aggregate} is further than ${value} spreads from its usual value`;
    case "absent":
      return "there are no rows";
    case "new-group":
      return "there is a group that had no rows before";
  }
}

function groupName(group: ReturnType<typeof valueGroupsOf>[number]): string {
  if (typeof group === "string") return group;
  const { as } = group;
  if (as !== undefined) return as;
  if ("column" in group) return group.column;
  if ("element" in group) return group.element;
  return "bucket" in group ? group.bucket : "time";
}

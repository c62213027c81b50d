import { type AlertRule, alertDefaults, type Query } from "@hadal/sdk";
import { isTimeGroup, valueGroupsOf } from "@hadal/sdk/checks";

/** A rule with its defaults. */
export type FullRule = AlertRule & Required<Omit<AlertRule, "waitMs">>;

export const fullRule = (rule: AlertRule): FullRule => ({
  ...{ ...alertDefaults, channels: [] },
  ...rule,
});

/** Whether a group that has no rows is what the rule looks for, or what it is compared with. */
export const looksForGroups = ({ condition: { op } }: AlertRule): boolean =>
  op === "absent" || op === "new-group";

/** Whether each group is judged. */
export const isPerGroup = ({ condition: { op }, perGroup, query }: FullRule): boolean =>
  (perGroup || op === "new-group") && valueGroupsOf(query).length > 0;

/** The length of its query's time buckets; null: its range is the window. */
export function bucketOf({ groupBy = [] }: Query): string | null {
  return groupBy.find(isTimeGroup)?.time ?? null;
}

/** With a rule of another text no earlier window says anything. */
export const judgedText = ({ query, condition, perGroup, forTimes }: FullRule): string =>
  JSON.stringify([query, condition, perGroup, forTimes]);

import type { AlertChannelKind, AlertOperator, AlertRule, AlertState } from "@hadal/sdk";
import { durationInWords, printDuration } from "../../format/duration.js";
import { formatMeasure } from "../../format/value.js";
import { numbersOf } from "./alertForm.js";

export const operatorWords: Readonly<Record<AlertOperator, string>> = {
  ...{ above: "is above", below: "is below", "changed-by": "changed by more than" },
  "outside-band": "is outside the usual band by",
  ...{ absent: "has no data", "new-group": "has a new group" },
};

export const channelWords: Readonly<Record<AlertChannelKind, string>> = {
  ...{ webhook: "Webhook", slack: "Slack", teams: "Teams", email: "E-mail" },
  pagerduty: "PagerDuty",
};

export const stateWords: Readonly<Record<AlertState, string>> = {
  ...{ ok: "ok", pending: "pending", firing: "firing", unknown: "cannot tell", muted: "muted" },
};

export const againstInWords = (against: string): string =>
  `the same time ${durationInWords(against)} before`;

/** A rule as one sentence without its title: `count is above 500 in 5 minutes`. */
export function ruleInWords(rule: AlertRule, windowMs: number, unit: string | undefined): string {
  const { op, value, against = "7d", aggregate } = rule.condition;
  const subject = op === "absent" || op === "new-group" ? rule.query.table : aggregate;
  const name = subject ?? numbersOf(rule.query)[0] ?? "count";
  const times = rule.forTimes ?? 1;
  const parts = [
    `${name} ${operatorWords[op]}${valueInWords(op, value, unit)}`,
    ...(op === "changed-by" ? [`against ${againstInWords(against)}`] : []),
    `in ${durationInWords(printDuration(windowMs))}`,
    ...(times > 1 ? [`${times} times in a row`] : []),
    ...(rule.perGroup === true ? ["for each group"] : []),
  ];
  return parts.join(" ");
}

function valueInWords(op: AlertOperator, value: number | undefined, unit: string | undefined) {
  if (value === undefined || op === "absent" || op === "new-group") return "";
  if (op === "changed-by") return ` ${value} %`;
  if (op === "outside-band") return ` ${value} times its spread`;
  return ` ${formatMeasure(value, { unit })}`;
}

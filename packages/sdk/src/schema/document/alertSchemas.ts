import {
  alertChannelKinds,
  alertChannelsMax,
  alertEveryMsMax,
  alertEveryMsMin,
  alertForTimesMax,
  alertOperators,
  alertRecipientsMax,
  alertStates,
  alertWaitMsMax,
} from "../../model/alert/alert.js";
import { closedObject, list, type NamedSchemas, nullable, openObject, ref } from "../jsonSchema.js";
import { count, number, share, text } from "../valueSchemas.js";

const bounds = nullable({ type: "array", items: number, minItems: 2, maxItems: 2 });
const group = list({}, { description: "The values of the group." });
const groupValue = openObject({
  ...{ group, value: nullable(number), interval: bounds, "compared?": nullable(number) },
});

const channel = {
  anyOf: [
    closedObject({ kind: { const: "webhook" }, url: text, "secret?": text }),
    closedObject({ kind: { enum: ["slack", "teams"] }, url: text }),
    closedObject({
      kind: { const: "email" },
      to: list(text, { minItems: 1, maxItems: alertRecipientsMax }),
    }),
    closedObject({ kind: { const: "pagerduty" }, routingKey: text }),
  ],
};
const place = {
  ...count,
  description: "Of the channel in the rule's list; left out: each of them.",
};

/** Rules that watch queries. */
export const alertSchemas: NamedSchemas = {
  AlertRule: closedObject(
    {
      query: ref("Query"),
      condition: closedObject({
        "aggregate?": { ...text, description: "A result column with numbers." },
        op: { enum: [...alertOperators] },
        "value?": { ...number, description: "A bound; of changed-by percent." },
        "against?": { ...text, description: "How far back what is compared lies, such as 7d." },
      }),
      "everyMs?": { type: "integer", minimum: alertEveryMsMin, maximum: alertEveryMsMax },
      "forTimes?": { type: "integer", minimum: 1, maximum: alertForTimesMax },
      "waitMs?": { type: "integer", minimum: 0, maximum: alertWaitMsMax },
      "minCompleteness?": share,
      "perGroup?": { type: "boolean" },
      "channels?": list(channel, { maxItems: alertChannelsMax }),
      "repeatMs?": count,
      "judgeWithinBars?": { type: "boolean" },
      "notifyUnknown?": { type: "boolean" },
    },
    { description: "The body of a document of the kind `alert`." },
  ),
  AlertStatus: openObject({
    ...{ id: text, title: text, version: count, table: text, text },
    state: { enum: [...alertStates] },
    ...{ since: nullable(number), value: nullable(number), interval: bounds, "unit?": text },
    recent: list({ type: "array", items: nullable(number), minItems: 2, maxItems: 2 }),
    ...{ completeness: nullable(share), reason: nullable(text), mutedUntilMs: nullable(number) },
    ...{ evaluatedMs: nullable(number), groups: list(groupValue), groupCount: count },
    acknowledged: nullable(openObject({ at: number, who: nullable(text) })),
    undelivered: { ...count, description: "Messages of the last 7 days that no channel took." },
  }),
  AlertList: openObject({
    alerts: list(ref("AlertStatus")),
    health: openObject({ behind: count, lagMs: number, leader: { type: "boolean" } }),
  }),
  AlertHistory: openObject({
    history: list(
      openObject({
        ...{ at: number, state: text, value: nullable(number), "group?": group, "toMs?": number },
        ...{ "firing?": text, "who?": nullable(text), "reason?": text },
      }),
    ),
  }),
  AlertMute: closedObject({ untilMs: { ...number, description: "Not in the future: it ends." } }),
  AlertTestOf: closedObject({ "channel?": place }),
  AlertTestDraft: closedObject({
    ...{ "title?": text, rule: ref("AlertRule"), "channel?": place },
    "id?": { ...text, description: "Of the saved rule whose secrets stand where they are masked." },
  }),
  AlertTests: openObject({
    tests: list(
      openObject({
        ...{ channel: count, kind: { enum: [...alertChannelKinds] }, error: nullable(text) },
      }),
    ),
  }),
  AlertPreview: openObject({
    ...{ fromMs: number, toMs: number },
    firings: list(
      openObject({
        ...{ fromMs: number, toMs: number, value: nullable(number) },
        ...{ "group?": group, "heldBack?": text },
      }),
    ),
  }),
};

import type { AlertMessageState } from "@hadal/sdk";
import type { ChannelKind, ChannelMeans, ChannelOf, OutgoingMessage } from "./channelKind.js";
import { linksOf, short, wordsOf } from "./messageLines.js";
import { hostOf, post } from "./post.js";

const eventsUrl = "https://events.pagerduty.com/v2/enqueue";
/** Of PagerDuty, in characters. */
const summaryMax = 1_024;
const dedupKeyMax = 255;

const urlOf = ({ pagerDutyUrl = eventsUrl }: ChannelMeans): string => pagerDutyUrl;

/** Events API v2: the firing's id is the `dedup_key`, so that attempts and the end belong to one incident. */
export const pagerduty: ChannelKind<ChannelOf<"pagerduty">> = {
  check: (_channel, means) => means.egress.check(urlOf(means)),
  receiver: ({ routingKey }) => `${hostOf(eventsUrl)} ${routingKey}`,
  address: ({ routingKey }) => routingKey,
  send: (message, { routingKey }, means) =>
    post({ url: urlOf(means), body: JSON.stringify(bodyOf(message, routingKey)) }, means),
};

const actions = { firing: "trigger", unknown: "trigger", ok: "resolve" } as const satisfies Record<
  AlertMessageState,
  string
>;

function bodyOf(outgoing: OutgoingMessage, routingKey: string): object {
  const { id, message, link } = outgoing;
  const { headline, facts } = wordsOf(outgoing);
  const details = facts.map(({ name, text }) => `${name}: ${text}`);
  return {
    routing_key: routingKey,
    event_action: actions[message.state],
    dedup_key: id.slice(0, dedupKeyMax),
    client: "Hadal",
    client_url: link,
    links: linksOf(outgoing).map(({ text, url }) => ({ href: url, text })),
    payload: {
      summary: short(headline, summaryMax),
      source: "hadal",
      severity: message.state === "unknown" ? "warning" : "error",
      timestamp: new Date(message.since).toISOString(),
      component: short(message.query.table),
      custom_details: { details, value: message.value, groups: message.groupCount },
    },
  };
}

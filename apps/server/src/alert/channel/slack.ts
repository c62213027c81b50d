import type { ChannelKind, ChannelOf, OutgoingMessage } from "./channelKind.js";
import { linksOf, short, wordsOf } from "./messageLines.js";
import { hostOf, post } from "./post.js";

/** A header of Block Kit has this many characters. */
const headerMax = 150;
/** A section has this many fields. */
const fieldsMax = 10;

/** Block Kit, for incoming webhooks of Slack. */
export const slack: ChannelKind<ChannelOf<"slack">> = {
  check: ({ url }, { egress }) => egress.check(url),
  receiver: ({ url }) => hostOf(url),
  address: ({ url }) => url,
  send: (message, { url }, means) => post({ url, body: JSON.stringify(bodyOf(message)) }, means),
};

function bodyOf(message: OutgoingMessage): object {
  const { headline, facts } = wordsOf(message);
  // Plain text: names of people's rules and values mean nothing to Slack, not even `*` or `<!channel>`.
  const fields = facts.map(({ name, text }) => plain(`${name}\n${text}`));
  const links = linksOf(message).map(({ text, url }) => `<${encodeLink(url)}|${text}>`);
  return {
    // Of notifications: this one is read as mrkdwn.
    text: escapeMrkdwn(headline),
    blocks: [
      { type: "header", text: plain(short(headline, headerMax)) },
      ...inParts(fields, fieldsMax).map((part) => ({ type: "section", fields: part })),
      { type: "section", text: { type: "mrkdwn", text: links.join(" · ") } },
    ],
  };
}

const plain = (text: string): object => ({ type: "plain_text", text, emoji: false });

function inParts<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** The three signs that Slack asks to escape; formatting needs none of the others in a notification. */
const escapeMrkdwn = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** `|` and `>` would end the address. */
const encodeLink = (link: string): string =>
  escapeMrkdwn(link.replace(/[|<>\s]/g, (sign) => encodeURIComponent(sign)));

import { ChannelFailure } from "./channelFailure.js";
import type { ChannelKind, ChannelOf, OutgoingMessage } from "./channelKind.js";
import type { Mail } from "./mailer.js";
import { linksOf, type MessageLink, type MessageWords, wordsOf } from "./messageLines.js";

/** Text, HTML and the chart as a part of the mail. */
export const email: ChannelKind<ChannelOf<"email">> = {
  // The mail server is the operator's choice; addresses are checked as the rule's body is.
  check: async () => undefined,
  // All mail goes to one server.
  receiver: () => "mail",
  address: ({ to }) => to.join(),
  async send(message, { to }, { mailer }) {
    if (mailer === null)
      throw new ChannelFailure("this server sends no mail: it needs --smtp-url", { isFinal: true });
    await mailer.send(mailOf(message, to));
  },
};

const imageName = "chart.png";
const imageId = "chart@hadal";

function mailOf(outgoing: OutgoingMessage, to: readonly string[]): Mail {
  const { id, key, image } = outgoing;
  const words = wordsOf(outgoing);
  const links = linksOf(outgoing);
  return {
    to,
    subject: words.headline,
    // The same in all attempts: a mail that arrives twice is shown once.
    messageId: idOf(key),
    // One thread of all that belongs to one firing.
    references: idOf(id),
    text: textOf(words, links),
    html: htmlOf(words, { links, hasImage: image !== null }),
    image: image === null ? null : { name: imageName, id: imageId, bytes: image },
  };
}

const idOf = (text: string): string => `<${Buffer.from(text).toString("base64url")}@hadal>`;

function textOf({ headline, facts }: MessageWords, links: readonly MessageLink[]): string {
  const lines = facts.map(({ name, text }) => `${name}: ${text}`);
  const ends = links.map(({ text, url }) => `${text}: ${url}`);
  return [headline, "", ...lines, "", ...ends, ""].join("\n");
}

function htmlOf(
  { headline, facts }: MessageWords,
  { links, hasImage }: { readonly links: readonly MessageLink[]; readonly hasImage: boolean },
): string {
  const rows = facts.map(
    ({ name, text }) =>
      `<tr><th align="left" valign="top">${escapeHtml(name)}</th><td>${escapeHtml(text)}</td></tr>`,
  );
  const anchors = links.map(({ text, url }) => `<a href="${escapeHtml(url)}">${text}</a>`);
  const image = hasImage
    ? `<p><img src="cid:${imageId}" alt="Chart" style="max-width:100%"></p>`
    : "";
  return [
    '<!doctype html><html><body style="font-family:sans-serif">',
    `<h2>${escapeHtml(headline)}</h2><table cellpadding="4">${rows.join("")}</table>`,
    `${image}<p>${anchors.join(" · ")}</p></body></html>`,
  ].join("\n");
}

const entities: Readonly<Record<string, string>> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);

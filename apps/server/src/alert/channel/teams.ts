import type { ChannelKind, ChannelOf, OutgoingMessage } from "./channelKind.js";
import { linksOf, type MessageFact, wordsOf } from "./messageLines.js";
import { hostOf, post } from "./post.js";

/** An Adaptive Card, for the webhooks of Teams' workflows. */
export const teams: ChannelKind<ChannelOf<"teams">> = {
  check: ({ url }, { egress }) => egress.check(url),
  receiver: ({ url }) => hostOf(url),
  address: ({ url }) => url,
  send: (message, { url }, means) => post({ url, body: JSON.stringify(bodyOf(message)) }, means),
};

function bodyOf(message: OutgoingMessage): object {
  const { headline, facts } = wordsOf(message);
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          msteams: { width: "Full" },
          body: [
            line([{ text: headline, weight: "Bolder", size: "Large" }]),
            ...facts.map(factLine),
          ],
          actions: linksOf(message).map(({ text, url }) => ({
            ...{ type: "Action.OpenUrl", title: text, url },
          })),
        },
      },
    ],
  };
}

const factLine = ({ name, text }: MessageFact): object =>
  line([{ text: `${name}: `, weight: "Bolder" }, { text }]);

interface Run {
  readonly text: string;
  readonly weight?: "Bolder";
  readonly size?: "Large";
}

/** Unlike TextBlock and FactSet it reads no Markdown: names of people's rules and values stay text. */
const line = (runs: readonly Run[]): object => ({
  type: "RichTextBlock",
  inlines: runs.map((run) => ({ type: "TextRun", ...run })),
});

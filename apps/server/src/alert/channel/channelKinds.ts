import { createHash } from "node:crypto";
import type { AlertChannel, AlertChannelKind } from "@hadal/sdk";
import type { ChannelKind, ChannelMeans, ChannelOf, OutgoingMessage } from "./channelKind.js";
import { email } from "./email.js";
import { pagerduty } from "./pagerduty.js";
import { slack } from "./slack.js";
import { teams } from "./teams.js";
import { webhook } from "./webhook.js";

type Kinds = { readonly [Kind in AlertChannelKind]: ChannelKind<ChannelOf<Kind>> };

const kinds: Kinds = { webhook, slack, teams, email, pagerduty };

const kindOf = (channel: AlertChannel): ChannelKind<AlertChannel> =>
  kinds[channel.kind] as ChannelKind<AlertChannel>;

/** For a channel that is about to be saved. Rejects with `egress-refused`. */
export const checkChannel = (channel: AlertChannel, means: ChannelMeans): Promise<void> =>
  kindOf(channel).check(channel, means);

export const receiverOf = (channel: AlertChannel): string => kindOf(channel).receiver(channel);

/** Names whom a channel reaches, and says nothing of its secret: 128 bits of a hash. */
export const identityOf = (channel: AlertChannel): string =>
  createHash("sha256")
    .update(JSON.stringify([channel.kind, kindOf(channel).address(channel)]))
    .digest("base64url")
    .slice(0, 22);

export const sendToChannel = (
  message: OutgoingMessage,
  channel: AlertChannel,
  means: ChannelMeans,
): Promise<void> => kindOf(channel).send(message, channel, means);

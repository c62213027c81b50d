import type { AlertChannel, AlertChannelKind, AlertMessage } from "@hadal/sdk";
import type { Egress } from "../../access/egress/egress.js";
import type { Mailer } from "./mailer.js";

/** Channels of one kind: what all of them are asked. */
export interface ChannelKind<Channel extends AlertChannel> {
  /** Rejects with `egress-refused` where its address may not be sent to. Sends nothing. */
  readonly check: (channel: Channel, means: ChannelMeans) => Promise<void>;
  /** Whoever receives it: one that hangs keeps no other one waiting. */
  readonly receiver: (channel: Channel) => string;
  /** What it is reached by, which may be a secret: two channels of one address are the same one. */
  readonly address: (channel: Channel) => string;
  /** Resolves when the receiver has it; rejects with a ChannelFailure, or any Error, which is tried again. */
  readonly send: (message: OutgoingMessage, channel: Channel, means: ChannelMeans) => Promise<void>;
}

export type ChannelOf<Kind extends AlertChannelKind> = Extract<
  AlertChannel,
  { readonly kind: Kind }
>;

/** What channels send by. */
export interface ChannelMeans {
  readonly egress: Egress;
  /** Null: this server sends no mail. */
  readonly mailer: Mailer | null;
  readonly nowMs: () => number;
  /** Where PagerDuty takes events; its own address unless it is given. */
  readonly pagerDutyUrl?: string;
}

/** A message with all that belongs to it, in no form of any channel. */
export interface OutgoingMessage {
  /** Of this message to this channel; the same in all attempts. */
  readonly key: string;
  /** Of the firing. */
  readonly id: string;
  readonly message: AlertMessage;
  /** Where its chart is, with absolute times. */
  readonly link: string;
  /** A PNG; null: it could not be drawn. */
  readonly image: Uint8Array | null;
  /** What differs most from before, in words. */
  readonly finds: readonly string[];
}

import type { AlertChannel } from "@hadal/sdk";
import { ChannelFailure } from "../channel/channelFailure.js";
import type { ChannelMeans } from "../channel/channelKind.js";
import { receiverOf, sendToChannel } from "../channel/channelKinds.js";
import type { AlertDelivery } from "../delivery.js";
import { attemptsMax, pauseMs } from "./backoff.js";
import {
  claimMs,
  type DeliveryOutcome,
  type DeliveryRows,
  type DueDelivery,
} from "./deliveryRows.js";
import { type Illustrate, illustrationInTime } from "./illustration.js";
import { Turns } from "./turns.js";

/** Due messages are looked for this often. */
const lookMs = 1_000;
/** An attempt that takes longer is over: its claim ends soon after. */
const attemptMsMax = claimMs - 15_000;
/** Sent messages are kept this long, and those that were given up. */
const doneKeptMs = 7 * 86_400_000;
const deadKeptMs = 90 * 86_400_000;
const purgeMs = 3_600_000;
/** Receivers of channels that are remembered; each is a short text. */
const receiversMax = 10_000;

/**
 * The channel in this place of a rule with its secrets, or wherever `to` is now; null: the rule or the
 * channel is gone.
 */
export type FindChannel = (
  ruleId: string,
  place: number,
  to: string | null,
) => Promise<AlertChannel | null>;

export interface DelivererOptions {
  readonly rows: DeliveryRows;
  readonly channelOf: FindChannel;
  readonly illustrate: Illustrate;
  readonly means: ChannelMeans;
  /** The whole address of a path of the web app. */
  readonly linkTo: (path: string) => string;
  readonly random: () => number;
  readonly warn: (text: string) => void;
}

export interface DeliveryCounts {
  readonly sent: number;
  /** Attempts after which another one follows. */
  readonly failed: number;
  readonly dead: number;
  readonly running: number;
}

/**
 * Sends the messages of the registry. Each is claimed before it is sent and marked afterwards: whatever
 * happens in between, it is sent again with the same key and id. Any number of gateways may do this.
 */
export class Deliverer {
  readonly #options: DelivererOptions;
  readonly #turns = new Turns();
  readonly #running = new Map<string, Promise<void>>();
  /** What could not be written while the registry was away: these are not sent again by this process. */
  readonly #unwritten = new Map<string, DeliveryOutcome>();
  readonly #receivers = new Map<string, string>();
  readonly #counts = { sent: 0, failed: 0, dead: 0 };
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | null = null;
  #purgedMs = 0;
  #wasAway = false;
  #isStopped = false;

  constructor(options: DelivererOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => void this.look(), lookMs).unref();
  }

  /** Resolves when nothing is on its way. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#looking;
    await Promise.all(this.#running.values());
  }

  get counts(): DeliveryCounts {
    return { ...this.#counts, running: this.#turns.count };
  }

  /** Begins to send what is due, as far as there is room. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .then(
        () => this.#noteAway(null),
        (error: unknown) => this.#noteAway(error),
      )
      .finally(() => {
        this.#looking = null;
      });
    return this.#looking;
  }

  async #look(): Promise<void> {
    await this.#writeRest();
    const { rows, means } = this.#options;
    await this.#purge();
    if (this.#turns.isFull) return;
    for (const due of await rows.due(means.nowMs())) {
      if (this.#turns.isFull || this.#isStopped) return;
      if (this.#running.has(due.key) || this.#unwritten.has(due.key)) continue;
      const receiver = await this.#receiverOf(due);
      if (!this.#turns.mayStart(receiver)) continue;
      const delivery = await rows.claim(due.key, means.nowMs());
      if (delivery !== null) this.#begin(delivery, receiver);
    }
  }

  #begin(delivery: AlertDelivery, receiver: string): void {
    this.#turns.start(receiver);
    const work = this.#attempt(delivery).then(async (outcome) => {
      this.#turns.end(receiver, { failed: outcome.kind !== "done" });
      this.#count(outcome);
      this.#unwritten.set(delivery.key, outcome);
      await this.#write(delivery.key, outcome).catch((error: unknown) => this.#noteAway(error));
      this.#running.delete(delivery.key);
      // A place is free, and of this channel another message may be due.
      if (!this.#isStopped) void this.look();
    });
    this.#running.set(delivery.key, work);
  }

  async #attempt(delivery: AlertDelivery): Promise<DeliveryOutcome> {
    const { means } = this.#options;
    try {
      await endsWithin(attemptMsMax, this.#send(delivery));
      return { kind: "done", atMs: means.nowMs() };
    } catch (error) {
      return this.#outcomeOf(error, delivery);
    }
  }

  async #send({ key, id, ruleId, channel: index, to, message }: AlertDelivery): Promise<void> {
    const { channelOf, illustrate, linkTo, means } = this.#options;
    const channel = await channelOf(ruleId, index, to);
    if (channel === null) throw new ChannelFailure("the channel was removed", { isFinal: true });
    // The edit of a rule may have put another receiver in this place.
    this.#remember(placeOf({ ruleId, channel: index }), receiverOf(channel));
    const { image, finds } = await illustrationInTime(illustrate, message);
    const link = linkTo(message.link);
    await sendToChannel({ key, id, message, link, image, finds }, channel, means);
  }

  #outcomeOf(error: unknown, { attempts, ruleId, channel }: AlertDelivery): DeliveryOutcome {
    const { means, random, warn } = this.#options;
    const failure = error instanceof ChannelFailure ? error : null;
    const text = error instanceof Error ? error.message : String(error);
    if (failure?.isFinal !== true && attempts < attemptsMax) {
      const pause = pauseMs(attempts, random(), failure?.retryAfterMs);
      return { kind: "again", nextAt: means.nowMs() + pause, error: text };
    }
    warn(`alerts: a message of rule ${ruleId} to its channel ${channel} is given up: ${text}`);
    return { kind: "dead", atMs: means.nowMs(), error: text };
  }

  #count({ kind }: DeliveryOutcome): void {
    if (kind === "done") this.#counts.sent += 1;
    else if (kind === "again") this.#counts.failed += 1;
    else this.#counts.dead += 1;
  }

  async #write(key: string, outcome: DeliveryOutcome): Promise<void> {
    await this.#options.rows.settle(key, outcome);
    this.#unwritten.delete(key);
  }

  async #writeRest(): Promise<void> {
    for (const [key, outcome] of this.#unwritten) await this.#write(key, outcome);
  }

  async #receiverOf(due: DueDelivery): Promise<string> {
    const place = placeOf(due);
    const known = this.#receivers.get(place);
    if (known !== undefined) return known;
    const channel = await this.#options.channelOf(due.ruleId, due.channel, null);
    return this.#remember(place, channel === null ? "none" : receiverOf(channel));
  }

  #remember(place: string, receiver: string): string {
    if (this.#receivers.size >= receiversMax) this.#receivers.clear();
    this.#receivers.set(place, receiver);
    return receiver;
  }

  async #purge(): Promise<void> {
    const nowMs = this.#options.means.nowMs();
    if (Math.abs(nowMs - this.#purgedMs) < purgeMs) return;
    await this.#options.rows.purge({ doneMs: nowMs - doneKeptMs, deadMs: nowMs - deadKeptMs });
    this.#purgedMs = nowMs;
  }

  #noteAway(error: unknown): void {
    const isAway = error !== null;
    if (isAway && !this.#wasAway) {
      const text = error instanceof Error ? error.message : String(error);
      this.#options.warn(`alerts: no messages are sent now: ${text}`);
    }
    this.#wasAway = isAway;
  }
}

const placeOf = ({ ruleId, channel }: Pick<DueDelivery, "ruleId" | "channel">): string =>
  `${channel} ${ruleId}`;

function endsWithin(ms: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChannelFailure("it took too long")), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

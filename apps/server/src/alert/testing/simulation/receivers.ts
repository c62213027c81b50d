import { Egress, type EgressRequest } from "../../../access/egress/egress.js";
import type { EgressAnswer } from "../../../access/egress/egressAnswer.js";
import type { World } from "./world.js";

/** A message as it came to its receiver. */
export interface Arrival {
  readonly receiver: string;
  readonly key: string;
  readonly id: string;
  readonly ruleId: string;
  readonly state: "firing" | "ok" | "unknown";
  readonly repetition: number;
  readonly text: string;
  readonly value: number | null;
  readonly groups: readonly { readonly group: readonly unknown[]; readonly value: number | null }[];
  /** The end of its window. */
  readonly toMs: number;
  readonly atMs: number;
}

/** `refuses`: it never gets the message; the others take it and answer late, badly, or not at all. */
export type ReceiverMood = "answers" | "refuses" | "fails" | "hangs" | "answers late";

const answerMsMax = 5_000;

/** Those that messages go to, with all that came. */
export class Receivers {
  readonly #world: World;
  readonly arrivals: Arrival[] = [];
  readonly #moods = new Map<string, ReceiverMood>();

  constructor(world: World) {
    this.#world = world;
  }

  be(receiver: string, mood: ReceiverMood): void {
    this.#moods.set(receiver, mood);
  }

  moodOf(receiver: string): ReceiverMood {
    return this.#moods.get(receiver) ?? "answers";
  }

  take({ url, headers, body }: EgressRequest): void {
    const message = JSON.parse(body);
    this.arrivals.push({
      ...message,
      ...{ receiver: url, key: headers["x-hadal-delivery"] ?? "", atMs: this.#world.nowMs },
    });
  }
}

/** The network of one gateway; `pass`: so much time goes by, or the gateway is killed before. */
export class SimulatedEgress extends Egress {
  readonly #receivers: Receivers;
  readonly #world: World;
  readonly #pass: (ms: number) => Promise<void>;

  constructor(receivers: Receivers, world: World, pass: (ms: number) => Promise<void>) {
    super({ allowed: [] });
    this.#receivers = receivers;
    this.#world = world;
    this.#pass = pass;
  }

  override async check(): Promise<void> {}

  override async post(request: EgressRequest): Promise<EgressAnswer> {
    await this.#pass(this.#world.between(1, 50));
    const mood = this.#receivers.moodOf(request.url);
    if (mood === "refuses") throw new Error("connect ECONNREFUSED");
    this.#receivers.take(request);
    if (mood === "hangs") {
      await this.#pass(answerMsMax);
      throw new Error("it did not answer in time");
    }
    const [fast, slow] = [this.#world.between(1, 50), this.#world.between(1_000, 4_900)];
    await this.#pass(mood === "answers late" ? slow : fast);
    return { status: mood === "fails" ? 503 : 200, text: "", retryAfter: null };
  }
}

import type { Registry } from "../../../registry/registry.js";
import { sendToChannel } from "../../channel/channelKinds.js";
import { Deliverer } from "../../deliver/deliverer.js";
import { DeliveryRows } from "../../deliver/deliveryRows.js";
import type { AlertDelivery } from "../../delivery.js";
import { AlertScheduler } from "../../schedule/alertScheduler.js";
import type { NamedRule } from "../../schedule/messageOf.js";
import { sentFirst, UnclaimedRows, withoutLeaseCheck } from "./plants.js";
import { SimulatedEgress } from "./receivers.js";
import type { SharedParts } from "./sharedParts.js";
import { leaseIn, simulatedRegistry } from "./simulatedRegistry.js";

const schedulerEveryMs = 500;
const delivererEveryMs = 1_000;
const rulesEveryMs = 1_000;

/** One run of a gateway's process: the real scheduler and the real deliverer. */
export class SimulatedGateway {
  readonly name: string;
  /** How far its clock is off, in ms. */
  offsetMs: number;
  /** Until when it does not reach the registry. */
  cutOffUntilMs = 0;
  readonly #shared: SharedParts;
  readonly #startedMs: number;
  readonly #egress: SimulatedEgress;
  readonly #scheduler: AlertScheduler;
  readonly #deliverer: Deliverer;
  #pausedUntilMs = 0;
  #isDead = false;
  #rules: readonly NamedRule[];
  #evaluations = 0;
  #nextIds: string[] = [];
  #givenIds: string[] = [];

  constructor(shared: SharedParts, offsetMs: number) {
    const { world, receivers } = shared;
    this.#shared = shared;
    this.name = shared.newName("gateway");
    this.offsetMs = offsetMs;
    this.#startedMs = world.nowMs;
    this.#rules = shared.rules;
    this.#egress = new SimulatedEgress(receivers, world, (ms) => this.#pass(ms));
    this.#scheduler = this.#createScheduler();
    this.#deliverer = this.#createDeliverer();
    this.#every(schedulerEveryMs, () => void this.#schedule());
    this.#every(delivererEveryMs, () => void this.#deliverer.look());
    this.#every(rulesEveryMs, () => {
      if (!this.#isAway()) this.#rules = shared.rules;
    });
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Whether nothing keeps it from the evaluation of rules. */
  get isFit(): boolean {
    const { world, lossyUntilMs } = this.#shared;
    const freeMs = Math.max(this.#pausedUntilMs, lossyUntilMs);
    return !this.#isDead && !this.#isAway() && world.nowMs >= freeMs;
  }

  /** Nothing that it had begun goes on. */
  kill(): void {
    this.#isDead = true;
  }

  /** As SIGSTOP does, or a machine that sleeps. */
  pauseUntil(ms: number): void {
    this.#pausedUntilMs = ms;
  }

  #createScheduler(): AlertScheduler {
    const { world, truth, faults, newName } = this.#shared;
    return new AlertScheduler({
      registry: this.#registryBy(this.#stateWrite()),
      ...{ holder: this.name, rules: () => this.#rules, lateMs: () => 0 },
      secretsOfFile: () => ({}),
      ask: async (questions) => {
        await this.#pass(world.between(1, 900));
        return questions.map(({ query }) => truth.answer(query));
      },
      firstRowMs: async () => null,
      ...{ nowMs: () => this.#nowMs, now: () => world.nowMs - this.#startedMs },
      newId: () => {
        const id = this.#nextIds.shift() ?? newName("firing");
        this.#givenIds.push(id);
        return id;
      },
      warn: (text) => {
        if (!text.includes("is away")) faults.push(`${this.name} warned: ${text}`);
      },
    });
  }

  #createDeliverer(): Deliverer {
    const { world, plant, registry } = this.#shared;
    const own = this.#registryBy((work) => registry.write(work));
    return new Deliverer({
      rows: plant === "no claim" ? new UnclaimedRows(own) : new DeliveryRows(own),
      channelOf: async (ruleId, place) => {
        await this.#pass(world.between(0, 20));
        return this.#rules.find(({ id }) => id === ruleId)?.rule.channels[place] ?? null;
      },
      illustrate: async () => {
        await this.#pass(world.between(0, 2_000));
        if (world.onceIn(4)) throw new Error("it could not be drawn");
        return { image: null, finds: [] };
      },
      means: this.#means,
      linkTo: (path) => `https://hadal.example.com${path}`,
      random: () => world.random.below(1_000) / 1_000,
      warn: () => undefined,
    });
  }

  get #means() {
    return { egress: this.#egress, mailer: null, nowMs: () => this.#nowMs };
  }

  get #nowMs(): number {
    return this.#shared.world.nowMs + this.offsetMs;
  }

  #isAway(): boolean {
    const { world, awayUntilMs } = this.#shared;
    return world.nowMs < Math.max(awayUntilMs, this.cutOffUntilMs);
  }

  async #schedule(): Promise<void> {
    await this.#scheduler.run();
    const { evaluations } = this.#scheduler.metrics;
    if (evaluations > this.#evaluations) this.#shared.evaluatedMs = this.#shared.world.nowMs;
    this.#evaluations = evaluations;
  }

  /** Wherever it waits it may be killed, or paused. */
  #pass(ms: number): Promise<void> {
    return new Promise((resolve) => this.#later(ms, resolve));
  }

  #later(ms: number, run: () => void): void {
    const { world } = this.#shared;
    world.after(ms, () => {
      if (this.#isDead) return;
      const pauseMs = this.#pausedUntilMs - world.nowMs;
      if (pauseMs > 0) this.#later(pauseMs, run);
      else run();
    });
  }

  #every(ms: number, run: () => void): void {
    const again = (): void => {
      run();
      this.#later(ms, again);
    };
    this.#later(this.#shared.world.between(1, ms), again);
  }

  #registryBy(write: Registry["write"]): Registry {
    const { world, registry } = this.#shared;
    return simulatedRegistry(registry, {
      nowMs: () => world.nowMs + this.#shared.registryOffsetMs,
      pass: (ms) => this.#pass(ms),
      delayMs: () => world.between(0, 40),
      isAway: () => this.#isAway(),
      losesAnswer: () => world.nowMs < this.#shared.lossyUntilMs && world.onceIn(4),
      write,
    });
  }

  /** What changes states is written by whoever has the lease, and by no one else. */
  #stateWrite(): Registry["write"] {
    const { registry, plant, faults } = this.#shared;
    const checked: Registry["write"] = (work) =>
      registry.write(async (transaction) => {
        const before = await leaseIn(transaction);
        const value = await work(transaction);
        const after = await leaseIn(transaction);
        const isChange = before !== undefined && before.version !== after?.version;
        if (isChange && before.holder !== this.name)
          faults.push(`${this.name} wrote states, and ${before.holder} had the lease`);
        return value;
      });
    if (plant === "no lease check") return withoutLeaseCheck(checked, this.name);
    if (plant !== "sent before it is written") return checked;
    return sentFirst(checked, {
      send: (message) => this.#sendNow(message),
      takeIds: (next) => {
        const given = this.#givenIds;
        this.#nextIds = [...next];
        this.#givenIds = [];
        return given;
      },
    });
  }

  async #sendNow({ key, id, ruleId, channel, message }: AlertDelivery): Promise<void> {
    const to = this.#rules.find((rule) => rule.id === ruleId)?.rule.channels[channel];
    const outgoing = { key, id, message, link: message.link, image: null, finds: [] };
    if (to !== undefined) await sendToChannel(outgoing, to, this.#means);
  }
}

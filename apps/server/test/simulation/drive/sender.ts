import { type AckLevel, HadalError, problemCodes } from "@hadal/sdk";
import { minuteMs } from "../check/checkAnswer.js";
import {
  batchName,
  bitBatchesMax,
  type Oracle,
  type OracleRow,
  type SentBatch,
} from "../check/oracle.js";
import type { RunningGateway, SimCluster } from "../members/simCluster.js";
import type { World } from "../world/world.js";

export const table = "events";

const attemptsMax = 12;
/** Not covered by the server yet: a key that is sent again through another gateway. */
const keysKeepTheirGateway = true;
/** A gateway answers every send within 15 seconds, beside the time of the last question to a leaf. */
const answerMsMax = 40_000;
/** Clients wait for an answer this long. */
const patienceMsMax = 20_000;
/** Acknowledged in memory, rows are on the disk after this time at the latest. */
const unsyncedMsMax = 1_500;

/** A client that sends rows, and again with the same key until it has an answer. */
export class Sender {
  readonly #world: World;
  readonly #oracle: Oracle;
  readonly #gateways: () => readonly RunningGateway[];
  readonly #acks: readonly AckLevel[];
  readonly #lateMsMax: number;
  readonly #gatewayNames: readonly string[];
  #isPatient = true;

  constructor(world: World, oracle: Oracle, { gateways, gatewayNames, copies }: SimCluster) {
    const replicated = ["replicated", "replicated"] as const;
    this.#acks = ["durable", "durable", "durable", "received", ...(copies > 1 ? replicated : [])];
    // Of minutes that ended before this time a gateway says something without the others.
    this.#lateMsMax = gatewayNames.length === 1 ? Number.POSITIVE_INFINITY : minuteMs;
    this.#world = world;
    this.#oracle = oracle;
    this.#gateways = () => gateways();
    this.#gatewayNames = gatewayNames;
  }

  /** From here on no send is repeated. */
  stop(): void {
    this.#isPatient = false;
  }

  sendNew(): void {
    const { random, trueMs } = this.#world;
    const number = this.#oracle.batches.length;
    const count = random.int(1, 5);
    const firstBit = number < bitBatchesMax ? 1n << BigInt(number) : 0n;
    const rows = Array.from(
      { length: count },
      (_, n): OracleRow => ({
        timeMs: Math.max(
          eventTime(trueMs - random.int(0, 240_000), random.chance(0.25)),
          trueMs - this.#lateMsMax,
        ),
        v: random.int(-1_000, 1_000),
        bit: n === 0 ? firstBit : 0n,
      }),
    );
    const batch: SentBatch = {
      ...{ number, rows, key: `key-${number}` },
      body: bodyOf(batchName({ number }), rows),
      ack: random.pick(this.#acks),
      ...{ state: "open", acknowledgedMs: Number.POSITIVE_INFINITY, mayBeLost: false, attempts: 0 },
    };
    this.#oracle.batches.push(batch);
    this.send(batch);
  }

  /** Sends what was sent before: nothing may change. */
  sendAgain(): void {
    const { batches } = this.#oracle;
    if (batches.length > 0) this.send(this.#world.random.pick(batches));
  }

  /** The key of an acknowledged batch with other rows: it must be refused. */
  sendConflict(): void {
    const done = this.#oracle.batches.filter(({ state }) => state === "acknowledged");
    if (done.length === 0) return;
    const { key, ack, number } = this.#world.random.pick(done);
    const name = `conflict-${number}`;
    this.#oracle.forbidden.add(name);
    const body = bodyOf(name, [{ timeMs: this.#world.trueMs, v: 1, bit: 0n }]);
    this.#post({ key, ack, body }, (outcome) => {
      if (outcome === "stored") this.#world.breach("I3", `${name} was taken in with ${key}`);
    });
  }

  /** Rows that no server may take. */
  sendWrong(): void {
    const name = `wrong-${this.#oracle.forbidden.size}`;
    this.#oracle.forbidden.add(name);
    const body = `{"time":"no time","batch":"${name}","n":0,"v":1,"bit":0}\n`;
    this.#post({ key: name, ack: "durable", body }, (outcome) => {
      if (outcome === "stored") this.#world.breach("I3", `${name} was taken in`);
    });
  }

  send(batch: SentBatch): void {
    const { random } = this.#world;
    batch.attempts++;
    const isReplyLost = random.chance(0.05);
    const isSent = this.#post(batch, (outcome) => {
      const isOfTheFuture = outcome === "rows-rejected" && this.#world.wasClockBehind;
      if (isReplyLost || outcome === "unknown" || isOfTheFuture) {
        this.#retry(batch);
        return;
      }
      if (outcome === "stored") this.#acknowledge(batch);
      else this.#world.breach("I1", `${batchName(batch)} was refused: ${outcome}`);
    });
    if (!isSent) this.#retry(batch);
  }

  /**
   * What was acknowledged in memory alone may be lost with any leaf that ends now; where a disk has
   * failed, also older rows. With a whole disk goes what was not said to be on two machines.
   */
  noteEnd(what: "process" | "disk"): void {
    const { nowMs, disk } = this.#world;
    for (const batch of this.#oracle.batches) {
      const isRecent = batch.state === "open" || nowMs - batch.acknowledgedMs < unsyncedMsMax;
      if (batch.ack === "received" && disk.hasFailed) batch.mayBeLost = true;
      if (batch.ack === "received" && isRecent) batch.mayBeLost = true;
      // No copy may have it before it is acknowledged as replicated.
      const isCopied = batch.ack === "replicated" && batch.state === "acknowledged";
      if (what === "disk" && !isCopied) batch.mayBeLost = true;
    }
  }

  /** The name of the one that all sends with a key go to. */
  #gatewayOf(key: string): string {
    const number = Number(key.slice(key.indexOf("-") + 1));
    return this.#gatewayNames[number % this.#gatewayNames.length]!;
  }

  #acknowledge(batch: SentBatch): void {
    if (batch.state === "acknowledged") return;
    batch.state = "acknowledged";
    if (batch.ack === "replicated") batch.mayBeLost = false;
    batch.acknowledgedMs = this.#world.nowMs;
  }

  #retry(batch: SentBatch): void {
    if (!this.#isPatient || batch.attempts >= attemptsMax || batch.state !== "open") return;
    const world = this.#world;
    const again = (): void => {
      if (batch.state === "open" && this.#isPatient) this.send(batch);
    };
    world.after(world.delayMs(20, 2_000), again, world.outside);
  }

  /** `onOutcome`: `stored`, `unknown`, or why it was refused. False: no gateway is there. */
  #post(
    { key, ack, body }: Pick<SentBatch, "key" | "ack" | "body">,
    onOutcome: (outcome: string) => void,
  ): boolean {
    const world = this.#world;
    const all = this.#gateways();
    const gateways = keysKeepTheirGateway
      ? all.filter(({ process }) => process.name === this.#gatewayOf(key))
      : all;
    if (gateways.length === 0) return false;
    const { process, deps } = world.random.pick(gateways);
    let isOver = false;
    let isLeft = false;
    const leave = (outcome: string): void => {
      if (isLeft) return;
      isLeft = true;
      world.trace(() => `send of ${key} (${ack}): ${outcome}`);
      world.after(0, () => onOutcome(outcome), world.outside);
    };
    const end = (outcome: string): void => {
      isOver = true;
      process.onEnd.delete(onEnd);
      leave(outcome);
    };
    const onEnd = (): void => end("unknown");
    process.onEnd.add(onEnd);
    // A client waits for a while, and tries again although the gateway is still about it.
    const patienceMs = world.random.chance(0.1) ? world.random.int(10, 1_000) : patienceMsMax;
    world.after(patienceMs, () => leave("unknown"), world.outside);
    world.trace(() => `send ${key} to ${process.name}`);
    world.after(
      world.delayMs(0.1, 2),
      () => {
        const bytes = Buffer.from(body);
        deps.ingest.rows(requestOf(key, ack, bytes)).then(
          () => end("stored"),
          (error: unknown) => end(outcomeOf(error)),
        );
      },
      process,
    );
    const sentMs = world.nowMs;
    const late = (): void => {
      if (isOver || process.wasStoppedSince(sentMs)) return;
      world.breach("sends end", `${key} has no answer after ${answerMsMax} ms`);
    };
    world.after(answerMsMax, late, world.outside);
    return true;
  }
}

/** Bounds of minutes are where mistakes are. */
const eventTime = (ms: number, isAtMinute: boolean): number =>
  isAtMinute ? Math.floor(ms / minuteMs) * minuteMs : ms;

function requestOf(key: string, ack: SentBatch["ack"], bytes: Uint8Array) {
  return {
    ...{ table, ack, idempotencyKey: key, timeUnit: "ms" as const },
    body: (async function* () {
      yield bytes;
    })(),
    contentLength: bytes.length,
    contentType: "application/x-ndjson",
    contentEncoding: undefined,
    timeName: undefined,
  };
}

/** Whoever gets a problem that may pass does not know whether the rows are stored. */
function outcomeOf(error: unknown): string {
  if (!(error instanceof HadalError)) return `an error: ${String(error)}`;
  return problemCodes[error.code].status >= 500 || problemCodes[error.code].status === 429
    ? "unknown"
    : error.code;
}

function bodyOf(name: string, rows: readonly OracleRow[]): string {
  return rows
    .map(
      ({ timeMs, v, bit }, n) =>
        `{"time":${timeMs},"batch":"${name}","n":${n},"v":${v},"bit":${bit}}\n`,
    )
    .join("");
}

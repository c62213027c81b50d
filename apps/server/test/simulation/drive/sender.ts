import { type AckLevel, HadalError, problemCodes } from "@hadal/sdk";
import type { RowIngest } from "../../../src/ingest/ingestRows.js";
import { minuteMs } from "../check/checkAnswer.js";
import {
  batchName,
  bitsOf,
  type Oracle,
  type OracleRow,
  partRowsMax,
  type SentBatch,
  tableNames,
} from "../check/oracle.js";
import type { RunningGateway, SimCluster } from "../members/simCluster.js";
import type { World } from "../world/world.js";

const attemptsMax = 12;
/** A gateway answers every send within 15 seconds, beside the time of the last question to a leaf. */
const answerMsMax = 40_000;
/** Clients wait for an answer this long. */
const patienceMsMax = 20_000;
/** After this time all gateways know a leaf that has joined. */
const settledMsMax = 4_000;
/** Acknowledged in memory, rows are on the disk after this time at the latest. */
const unsyncedMsMax = 1_500;

/** A client that sends rows, and again with the same key until it has an answer. */
export class Sender {
  readonly #world: World;
  readonly #oracle: Oracle;
  readonly #gateways: () => readonly RunningGateway[];
  readonly #acks: readonly AckLevel[];
  readonly #lateMsMax: number;
  readonly #tables: readonly string[];
  /** By key, the attempts that their gateway has not answered, nor a later one. */
  readonly #unanswered = new Map<string, { readonly gateway: string; readonly sentMs: number }[]>();
  /** By key, the gateways that it came through. */
  readonly #ways = new Map<string, Set<string>>();
  #isPatient = true;

  constructor(
    world: World,
    oracle: Oracle,
    { gateways, gatewayNames, copies }: SimCluster,
    tables: readonly string[],
  ) {
    this.#tables = tables;
    const replicated = ["replicated", "replicated"] as const;
    this.#acks = ["durable", "durable", "durable", "received", ...(copies > 1 ? replicated : [])];
    // Of minutes that ended before this time a gateway says something without the others.
    this.#lateMsMax = gatewayNames.length === 1 ? Number.POSITIVE_INFINITY : minuteMs;
    this.#world = world;
    this.#oracle = oracle;
    this.#gateways = () => gateways();
  }

  /** From here on no send is repeated. */
  stop(): void {
    this.#isPatient = false;
  }

  sendNew(): void {
    const { random } = this.#world;
    const number = this.#oracle.batches.length;
    const isOfTables = this.#tables.length > 1 && random.chance(0.5);
    const tables = isOfTables ? this.#tables : [random.pick(this.#tables)];
    // More rows are several parts, on several leaves.
    const counts = tables.map(() =>
      random.chance(0.35)
        ? random.int(partRowsMax + 1, 2 * partRowsMax)
        : random.int(1, partRowsMax),
    );
    const places = tables.flatMap((table, i) => Array<string>(counts[i]!).fill(table));
    const batch: SentBatch = {
      ...{ number, isOfTables, key: `key-${number}` },
      rows: places.map((table, n) => this.#newRow(table, n)),
      ack: random.pick(this.#acks),
      ...{ state: "open", acknowledgedMs: Number.POSITIVE_INFINITY, mayBeLost: false },
      ...{ attempts: 0, possible: 0, shown: new WeakMap() },
    };
    this.#oracle.batches.push(batch);
    this.send(batch);
  }

  #newRow(table: string, n: number): OracleRow {
    const { random, trueMs } = this.#world;
    const timeMs = Math.max(
      eventTime(trueMs - random.int(0, 240_000), random.chance(0.25)),
      trueMs - this.#lateMsMax,
    );
    return { table, timeMs, v: random.int(-1_000, 1_000), n, number: this.#oracle.rowCount++ };
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
    const { key, ack, number, rows } = this.#world.random.pick(done);
    const name = `conflict-${number}`;
    this.#oracle.forbidden.add(name);
    const row = { ...rows[0]!, timeMs: this.#world.trueMs };
    this.#post({ key, ack, send: rowsOf(name, [row]) }, (outcome) => {
      if (outcome === "stored") this.#world.breach("I3", `${name} was taken in with ${key}`);
    });
  }

  /** Rows that no server may take, and others of another table that come with them. */
  sendWrong(): void {
    const name = `wrong-${this.#oracle.forbidden.size}`;
    this.#oracle.forbidden.add(name);
    const rows = this.#tables.map((table) => ({
      ...{ table, n: 0, v: 1, number: Number.POSITIVE_INFINITY },
      timeMs: this.#world.trueMs,
    }));
    rows[0] = { ...rows[0]!, timeMs: Number.NaN };
    const send = rows.length > 1 ? tablesOf(name, rows) : rowsOf(name, rows);
    this.#post({ key: name, ack: "durable", send }, (outcome) => {
      if (outcome === "stored") this.#world.breach("I3", `${name} was taken in`);
    });
  }

  send(batch: SentBatch): void {
    const { random } = this.#world;
    const { key, ack, rows, isOfTables } = batch;
    batch.attempts++;
    batch.possible++;
    const isReplyLost = random.chance(0.05);
    const encode = isOfTables ? tablesOf : rowsOf;
    const sent = { key, ack, send: encode(batchName(batch), rows) };
    const isSent = this.#post(sent, (outcome) => {
      const isOfTheFuture = outcome === "rows-rejected" && this.#world.wasClockBehind;
      if (outcome === "nothing") batch.possible--;
      if (isReplyLost || outcome === "unknown" || outcome === "nothing" || isOfTheFuture) {
        this.#retry(batch);
        return;
      }
      if (outcome === "stored") this.#acknowledge(batch);
      else this.#world.breach("I1", `${batchName(batch)} was refused: ${outcome}`);
    });
    if (isSent) return;
    batch.possible--;
    this.#retry(batch);
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

  /**
   * Those that a key may come through. Another one than before gets it once the others have answered,
   * as of two that have it at the same moment both may count its rows; and once all know the same
   * leaves, as one that has just joined may have the rows.
   */
  #gatewaysFor(key: string): readonly RunningGateway[] {
    const { nowMs, membersChangedMs, withoutRegistry } = this.#world;
    const isSettled = withoutRegistry.size === 0 && nowMs - membersChangedMs > settledMsMax;
    const ways = this.#ways.get(key) ?? new Set();
    const unanswered = this.#unanswered.get(key) ?? [];
    return this.#gateways().filter(({ process: { name } }) => {
      const isKnown = ways.size === 0 || (ways.size === 1 && ways.has(name)) || isSettled;
      return isKnown && unanswered.every(({ gateway }) => gateway === name);
    });
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

  /**
   * `onOutcome`: `stored`, `unknown`, `nothing` where nothing is stored and it may be sent again, or
   * why it was refused. False: no gateway is there.
   */
  #post({ key, ack, send }: Post, onOutcome: (outcome: string) => void): boolean {
    const world = this.#world;
    const gateways = this.#gatewaysFor(key);
    if (gateways.length === 0) return false;
    const { process, deps } = world.random.pick(gateways);
    const attempt = { gateway: process.name, sentMs: world.nowMs };
    this.#unanswered.set(key, [...(this.#unanswered.get(key) ?? []), attempt]);
    this.#ways.set(key, (this.#ways.get(key) ?? new Set()).add(process.name));
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
    const answer = (outcome: string): void => {
      const others = this.#unanswered.get(key)?.filter(({ sentMs }) => sentMs > attempt.sentMs);
      this.#unanswered.set(key, others ?? []);
      end(outcome);
    };
    // A client waits for a while, and tries again although the gateway is still about it.
    const patienceMs = world.random.chance(0.1) ? world.random.int(10, 1_000) : patienceMsMax;
    world.after(patienceMs, () => leave("unknown"), world.outside);
    world.trace(() => `send ${key} to ${process.name}`);
    world.after(
      world.delayMs(0.1, 2),
      () => {
        send(deps.ingest, key, ack).then(
          () => answer("stored"),
          (error: unknown) => answer(outcomeOf(error)),
        );
      },
      process,
    );
    const late = (): void => {
      if (isOver || process.wasStoppedSince(attempt.sentMs)) return;
      world.breach("sends end", `${key} has no answer after ${answerMsMax} ms`);
    };
    world.after(answerMsMax, late, world.outside);
    return true;
  }
}

/** Bounds of minutes are where mistakes are. */
const eventTime = (ms: number, isAtMinute: boolean): number =>
  isAtMinute ? Math.floor(ms / minuteMs) * minuteMs : ms;

interface Post {
  readonly key: string;
  readonly ack: AckLevel;
  readonly send: Send;
}

type Send = (ingest: RowIngest, key: string, ack: AckLevel) => Promise<unknown>;

/** Rows of one table. */
function rowsOf(name: string, rows: readonly OracleRow[]): Send {
  const bytes = Buffer.from(rows.map((row) => `${printRow(name, row)}\n`).join(""));
  const contentType = "application/x-ndjson";
  return (ingest, key, ack) =>
    ingest.rows({ ...requestOf(key, ack, bytes), contentType, table: rows[0]!.table });
}

/** Rows of all tables in one request. */
function tablesOf(name: string, rows: readonly OracleRow[]): Send {
  const lists = tableNames.map((table) => {
    const ofTable = rows.filter((row) => row.table === table);
    return `"${table}":[${ofTable.map((row) => printRow(name, row)).join()}]`;
  });
  const bytes = Buffer.from(`{"tables":{${lists.join()}}}`);
  const checkMayIngest = (): void => undefined;
  return (ingest, key, ack) =>
    ingest.batches({ ...requestOf(key, ack, bytes), contentType: undefined, checkMayIngest });
}

const printRow = (name: string, row: OracleRow): string => {
  const { timeMs, v, n } = row;
  const [bit, high] = bitsOf(row);
  const time = Number.isNaN(timeMs) ? '"no time"' : timeMs;
  return `{"time":${time},"batch":"${name}","place":${1 << n},"v":${v},"bit":${bit},"high":${high}}`;
};

function requestOf(key: string, ack: AckLevel, bytes: Uint8Array) {
  return {
    ...{ ack, idempotencyKey: key, timeUnit: "ms" as const, timeName: undefined },
    body: (async function* () {
      yield bytes;
    })(),
    contentLength: bytes.length,
    contentEncoding: undefined,
  };
}

/** Whoever gets a problem that may pass does not know whether the rows are stored. */
function outcomeOf(error: unknown): string {
  if (!(error instanceof HadalError)) return `an error: ${String(error)}`;
  if (error.errors.some(({ code }) => code === "nothing-stored")) return "nothing";
  return problemCodes[error.code].status >= 500 || problemCodes[error.code].status === 429
    ? "unknown"
    : error.code;
}

import type { Result } from "@hadal/sdk";
import { batchName, Oracle, type SentBatch, tableNames } from "../check/oracle.js";
import { clusterOfMachines } from "../members/machines.js";
import { oneMachineCluster } from "../members/oneMachine.js";
import type { SimCluster } from "../members/simCluster.js";
import { closeDatabases } from "../standIns/databases.js";
import type { Breach } from "../world/timeline.js";
import { useWorld, World } from "../world/world.js";
import { Asker } from "./asker.js";
import { Faults, randomRates } from "./faults.js";
import { Sender } from "./sender.js";

export interface Outcome {
  readonly seed: number;
  readonly breaches: readonly Breach[];
  readonly steps: number;
  readonly events: number;
  readonly simulatedMs: number;
  readonly batches: number;
  readonly answers: Readonly<Record<string, number>>;
}

const bootMsMax = 10_000;
/** A gateway that has not published its counts for 3 seconds makes the completeness unknown. */
const unpublishedMsMax = 4_000;
/** After this time without faults every answer is whole. */
const healMsMax = 90_000;

/** One simulated history of a cluster, from a seed; the same seed is the same history. */
export async function simulate(
  seed: number,
  onTrace: ((line: string) => void) | null = null,
): Promise<Outcome> {
  const world = new World(seed, onTrace);
  useWorld(world);
  const unexpected = (error: unknown): void => world.unexpected(world.current, error);
  globalThis.process.on("unhandledRejection", unexpected);
  try {
    return await new Simulation(seed, world).run();
  } finally {
    globalThis.process.off("unhandledRejection", unexpected);
    for (const process of [...world.processes]) process.end();
    closeDatabases(world);
    useWorld(null);
  }
}

class Simulation {
  readonly #seed: number;
  readonly #world: World;
  readonly #cluster: SimCluster;
  readonly #oracle: Oracle;
  readonly #sender: Sender;
  readonly #asker: Asker;
  readonly #faults: Faults;
  readonly #tables: readonly string[];
  #steps = 0;

  constructor(seed: number, world: World) {
    this.#seed = seed;
    this.#world = world;
    const topology = world.random.chance(0.5) ? oneMachineCluster : clusterOfMachines;
    this.#cluster = topology(world);
    const gateways = () => this.#cluster.gateways();
    const isAlone = this.#cluster.gatewayNames.length === 1;
    this.#oracle = new Oracle(isAlone ? 0 : unpublishedMsMax, this.#cluster.copies > 1);
    this.#tables = world.random.chance(0.3) ? tableNames : tableNames.slice(0, 1);
    this.#sender = new Sender(world, this.#oracle, this.#cluster, this.#tables);
    this.#asker = new Asker(world, this.#oracle, gateways, this.#tables);
    this.#faults = new Faults(world, this.#cluster, randomRates(world), (what) => {
      this.#sender.noteEnd(what);
    });
  }

  async run(): Promise<Outcome> {
    const world = this.#world;
    for (const unit of this.#cluster.units) unit.keepRunning();
    await world.advance(bootMsMax, () => this.#cluster.gateways().length > 0);
    if (this.#cluster.gateways().length === 0) world.breach("start", "no gateway serves");
    const [few, many] = world.random.chance(0.06) ? [60, 160] : [8, 34];
    const steps = world.random.int(few, many);
    while (this.#steps < steps && world.breaches.length === 0) {
      this.#steps++;
      this.#step();
      await world.advance(world.nowMs + world.delayMs(1, 800));
    }
    if (world.breaches.length === 0) await this.#settle();
    return {
      ...{ seed: this.#seed, breaches: world.breaches, steps: this.#steps },
      ...{ events: world.eventCount, simulatedMs: world.nowMs },
      batches: this.#oracle.batches.length,
      answers: this.#asker.counts,
    };
  }

  #step(): void {
    const { random } = this.#world;
    const x = random.next();
    if (x < 0.36) this.#sender.sendNew();
    else if (x < 0.64) this.#asker.askSomething();
    else if (x < 0.69) this.#sender.sendAgain();
    else if (x < 0.71) this.#sender.sendConflict();
    else if (x < 0.73) this.#sender.sendWrong();
    else if (x < 0.79) this.#asker.askAndCancel();
    else this.#faults.strike();
  }

  /** I1, I5: without faults everything that was acknowledged is there, and said to be. */
  async #settle(): Promise<void> {
    const world = this.#world;
    this.#faults.healAll();
    await world.advance(world.nowMs + 3_000);
    this.#sender.stop();
    const deadlineMs = world.nowMs + healMsMax;
    let lacking: string | null = "no answer";
    while (lacking !== null && world.nowMs < deadlineMs && world.breaches.length === 0) {
      lacking = await this.#whatLacks();
      if (lacking !== null) await world.advance(world.nowMs + 1_000);
    }
    if (lacking === null || world.breaches.length > 0) return;
    const text = `${healMsMax} ms after the last fault: ${lacking}`;
    world.breach(lacking.startsWith("lost") ? "I1" : "I5", text);
  }

  async #whatLacks(): Promise<string | null> {
    for (const table of this.#tables) {
      const lacking = await this.#whatLacksOf(table);
      if (lacking !== null) return lacking;
    }
    return null;
  }

  /** Why an answer about everything in a table is not whole; null: it is. */
  async #whatLacksOf(table: string): Promise<string | null> {
    const world = this.#world;
    const sent = this.#oracle.batches.filter(({ rows }) => rows.some((row) => row.table === table));
    const batches = sent.filter(({ state }) => state === "acknowledged");
    let found: Result | null | undefined;
    this.#asker.ask("rows", this.#asker.everything(table), 2_000).then((result) => {
      found = result;
    });
    await world.advance(world.nowMs + 4_000, () => found !== undefined);
    // A cluster that never got a row, or has lost all of them as it may, has no column to ask for.
    if (found === null && batches.every(({ mayBeLost }) => mayBeLost)) return null;
    if (found == null) return "no answer";
    const { columns, rows, completeness } = found as Result;
    const { known, rowsExpected = 0, rowsAnswered = 0, leaves } = completeness;
    if (known === false) return `completeness is not known: ${completeness.reason}`;
    if (leaves.missing.length > 0) return `${leaves.missing.join()} did not answer`;
    const at = columns.findIndex(({ name }) => name === "batch");
    const seen = new Set(rows.map((row) => String(row[at])));
    const lost = batches.filter((batch) => !batch.mayBeLost && !seen.has(batchName(batch)));
    if (lost.length > 0) return `lost are ${lost.map(batchName).join()}`;
    const unseen = sent.filter((batch) => !seen.has(batchName(batch)));
    const places = columns.findIndex(({ name }) => name === "place");
    const seenRows = new Set(rows.map((row) => `${row[at]} ${row[places]}`));
    const allowed = sent.filter(({ mayBeLost }) => mayBeLost);
    const allowedRows = allowed
      .flatMap((batch) =>
        batch.rows.map((row) => ({ ...row, id: `${batchName(batch)} ${1 << row.n}` })),
      )
      .filter((row) => row.table === table && !seenRows.has(row.id)).length;
    return rowsExpected - rowsAnswered > allowedRows
      ? `${rowsAnswered} of ${rowsExpected} rows answered, without ${unseen.map(printBatch).join()}`
      : null;
  }
}

const printBatch = ({ number, rows, ack, state, mayBeLost }: SentBatch): string =>
  `b${number} (${rows.length} rows, ${ack}, ${state}${mayBeLost ? ", may be lost" : ""})`;

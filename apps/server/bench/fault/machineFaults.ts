import { setTimeout as sleep } from "node:timers/promises";
import { HadalError, type Query } from "@hadal/sdk";
import { descendantsOf } from "../../test/support/processTree.js";
import { type RunningHadal, stopProcess } from "../../test/support/startCluster.js";
import {
  type ClusterGateway,
  type Machines,
  startMachines,
} from "../../test/support/startMachines.js";

const machineCount = 12;
const fromMs = Date.UTC(2026, 0, 1);
const deadlineMs = 2_000;
const batchRows = 200;
const loadedBatches = 200;
const killCount = 10;
const queriesEveryMs = 200;

type Say = (line: string) => void;

/** Twelve machines on addresses of loopback, each with a leaf and the copy of another one. */
class FaultyMachines {
  readonly machines: Machines;
  readonly gateway: ClusterGateway;
  readonly #running: RunningHadal[];
  /** Batches that were acknowledged; batch i has the rows from `i * batchRows` on. */
  readonly acked = new Set<number>();
  #sent = 0;

  private constructor(machines: Machines, gateway: ClusterGateway, running: RunningHadal[]) {
    this.machines = machines;
    this.gateway = gateway;
    this.#running = running;
  }

  static async start(): Promise<FaultyMachines> {
    const machines = await startMachines();
    const running: RunningHadal[] = [];
    for (let number = 1; number <= machineCount; number++)
      running.push(await machines.startAggregator(number, flags));
    return new FaultyMachines(machines, await machines.startGateway(), running);
  }

  /** Sends a batch until it is acknowledged by two machines. */
  async send(): Promise<void> {
    const batch = this.#sent++;
    const lines = Array.from({ length: batchRows }, (_, i) => {
      const n = batch * batchRows + i;
      return `{"time":${fromMs + n},"n":${n},"part":"p${n % 50}"}`;
    });
    const options = {
      contentType: "application/x-ndjson",
      ack: "replicated" as const,
      idempotencyKey: `batch-${batch}`,
    };
    for (;;) {
      try {
        await this.gateway.client.ingestBody("t", lines.join("\n"), options);
        this.acked.add(batch);
        return;
      } catch (error) {
        if (!(error instanceof HadalError) || error.status < 500) throw error;
        await sleep(100);
      }
    }
  }

  get count(): Query {
    return {
      ...{ table: "t", from: fromMs, to: fromMs + 10_000_000, timeoutMs: deadlineMs },
      aggregates: [{ fn: "count" }, { fn: "sum", column: "n" }, { fn: "distinct", column: "n" }],
    };
  }

  async kill(number: number): Promise<void> {
    const { child } = this.#running[number - 1]!;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    for (const pid of [child.pid!, ...(await descendantsOf(child.pid!))])
      process.kill(pid, "SIGKILL");
    await ended;
  }

  async signal(number: number, signal: "SIGSTOP" | "SIGCONT"): Promise<void> {
    const { pid } = this.#running[number - 1]!.child;
    for (const one of [pid!, ...(await descendantsOf(pid!))]) process.kill(one, signal);
  }

  async stop(number: number): Promise<void> {
    await stopProcess(this.#running[number - 1]!);
  }

  async restart(number: number): Promise<void> {
    this.#running[number - 1] = await this.machines.startAggregator(number, flags);
  }

  /** Milliseconds until an answer has all rows, which must be those that were acknowledged. */
  async untilRight(): Promise<number> {
    const startMs = performance.now();
    const rows = this.acked.size * batchRows;
    let sum = 0;
    for (const batch of this.acked)
      sum += batch * batchRows * batchRows + (batchRows * (batchRows - 1)) / 2;
    for (;;) {
      const { rows: found, completeness } = await this.gateway.client.query(this.count);
      if (completeness.fraction === 1) {
        const [[, count, total, distinct] = []] = found;
        if (count === rows && total === sum && Number(distinct) > rows * 0.95)
          return performance.now() - startMs;
        throw new Error(`WRONG: ${count} rows of ${rows}, sum ${total} of ${sum}`);
      }
      if (performance.now() - startMs > 60_000)
        throw new Error(`after a minute: ${JSON.stringify(completeness)}`);
      await sleep(50);
    }
  }
}

const flags = ["--leaves", "1", "--leaf-memory", "128", "--scan-threads", "1"];

interface Asked {
  readonly atMs: number;
  readonly tookMs: number;
  /** NaN: a problem instead of an answer. */
  readonly fraction: number;
}

/** Asks five times a second while `work` goes on. A whole answer must be right, a partial one not too high. */
async function askWhile(cluster: FaultyMachines, work: () => Promise<void>): Promise<Asked[]> {
  const asked: Asked[] = [];
  const startMs = performance.now();
  const rows = cluster.acked.size * batchRows;
  const asking = new Set<Promise<void>>();
  const ask = async (): Promise<void> => {
    const askedMs = performance.now();
    let fraction = Number.NaN;
    try {
      const { completeness, rows: found } = await cluster.gateway.client.query(cluster.count);
      ({ fraction } = completeness);
      const count = Number(found[0]?.[0] ?? 0);
      if (fraction > count / rows + 0.001) throw new Error(`WRONG: ${count} rows at ${fraction}`);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
    }
    asked.push({ atMs: askedMs - startMs, tookMs: performance.now() - askedMs, fraction });
  };
  const timer = setInterval(() => {
    const one = ask().finally(() => asking.delete(one));
    asking.add(one);
  }, queriesEveryMs);
  await work();
  clearInterval(timer);
  await Promise.all(asking);
  return asked;
}

function printAsked(asked: readonly Asked[]): string {
  const fractions = asked.map(({ fraction }) => fraction);
  const problems = fractions.filter(Number.isNaN).length;
  const partial = asked.filter(({ fraction }) => fraction < 1);
  const least = Math.min(...fractions.filter((fraction) => !Number.isNaN(fraction)));
  const longest = Math.max(...asked.map(({ tookMs }) => tookMs));
  return `${asked.length} queries, the longest ${longest.toFixed(0)} ms; ${partial.length} partial, at least ${least.toFixed(3)}; ${problems} problems`;
}

async function killsWhileSending(cluster: FaultyMachines, say: Say): Promise<void> {
  let isOver = false;
  const before = cluster.acked.size;
  const sending = Array.from({ length: 4 }, async () => {
    while (!isOver) await cluster.send();
  });
  for (let kill = 0; kill < killCount; kill++) {
    const number = 1 + ((kill * 5) % machineCount);
    await sleep(300);
    await cluster.kill(number);
    await sleep(500);
    await cluster.restart(number);
  }
  isOver = true;
  await Promise.all(sending);
  const wholeMs = await cluster.untilRight();
  say(
    `F1 ${killCount} machines killed while ${(cluster.acked.size - before) * batchRows} rows came, acknowledged by two: lost 0, twice 0; all rows ${wholeMs.toFixed(0)} ms after the last`,
  );
}

async function killWhileAsking(cluster: FaultyMachines, say: Say): Promise<void> {
  const asked = await askWhile(cluster, async () => {
    await sleep(2_000);
    await cluster.kill(3);
    await sleep(8_000);
  });
  const partial = asked.filter(({ fraction }) => !(fraction === 1));
  const lastMs = Math.max(2_000, ...partial.map(({ atMs }) => atMs));
  say(
    `F2 a machine killed, read from its copies: ${printAsked(asked)}; whole again ${(lastMs - 2_000).toFixed(0)} ms after the kill`,
  );
  await cluster.restart(3);
  await cluster.untilRight();
}

async function stoppedMachine(cluster: FaultyMachines, say: Say): Promise<void> {
  const asked = await askWhile(cluster, async () => {
    await sleep(1_000);
    await cluster.signal(5, "SIGSTOP");
    await sleep(10_000);
    await cluster.signal(5, "SIGCONT");
    await sleep(2_000);
  });
  const backMs = await cluster.untilRight();
  say(`F9 a machine stopped for 10 s: ${printAsked(asked)}; right ${backMs.toFixed(0)} ms after`);
}

async function endedMachine(cluster: FaultyMachines, say: Say): Promise<void> {
  let tookMs = 0;
  const asked = await askWhile(cluster, async () => {
    await sleep(1_000);
    const startMs = performance.now();
    await cluster.stop(7);
    tookMs = performance.now() - startMs;
    await sleep(2_000);
    await cluster.restart(7);
  });
  await cluster.untilRight();
  say(`F4 a machine ended in ${tookMs.toFixed(0)} ms and started again: ${printAsked(asked)}`);
}

async function registryAway(cluster: FaultyMachines, say: Say): Promise<void> {
  const before = cluster.acked.size;
  const asked = await askWhile(cluster, async () => {
    await cluster.machines.postgres.stop();
    await sleep(15_000);
    await cluster.machines.postgres.start();
    await sleep(3_000);
  });
  for (let i = 0; i < 10; i++) await cluster.send();
  await cluster.untilRight();
  say(
    `registry away for 15 s: ${printAsked(asked)}; ${cluster.acked.size - before} batches sent after it`,
  );
}

/** RELIABILITY's faults on twelve machines: each prints its figures, and throws where an answer is wrong. */
export async function machineFaults(say: Say): Promise<void> {
  const startMs = performance.now();
  const cluster = await FaultyMachines.start();
  try {
    say(`${machineCount} machines after ${((performance.now() - startMs) / 1_000).toFixed(0)} s`);
    for (let i = 0; i < loadedBatches; i++) await cluster.send();
    await cluster.untilRight();
    await killWhileAsking(cluster, say);
    await stoppedMachine(cluster, say);
    await endedMachine(cluster, say);
    await registryAway(cluster, say);
    await killsWhileSending(cluster, say);
  } finally {
    await cluster.machines.remove();
  }
}

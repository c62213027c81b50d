import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AckLevel, type BodyOptions, HadalError, type Query, type Result } from "@hadal/sdk";
import { descendantsOf } from "../../../test/support/processTree.js";
import { type RunningHadal, stopProcess } from "../../../test/support/startCluster.js";
import {
  type ClusterGateway,
  type MachineRun,
  type Machines,
  startMachines,
} from "../../../test/support/startMachines.js";
import type { MachineNetwork } from "./machineNetwork.js";

const fromMs = Date.UTC(2026, 0, 1);
export const batchRows = 200;
const deadlineMs = 2_000;
/** Of anything that is waited for. */
const waitMsMax = 90_000;
const gatewayNumber = 99;

export interface FaultyMachinesOptions {
  readonly machineCount: number;
  /** Null: machines are addresses of loopback. */
  readonly network: MachineNetwork | null;
  readonly flags?: readonly string[];
  /** What differs for machines, and for the gateway, when they start first. */
  readonly runs?: ReadonlyMap<number, Partial<MachineRun>>;
}

export interface NextBatch {
  readonly body: string;
  readonly options: BodyOptions & { readonly idempotencyKey: string; readonly ack: AckLevel };
  readonly noteAcked: () => void;
}

const flagsDefault = ["--leaves", "1", "--leaf-memory", "128", "--scan-threads", "1"];

/** Machines with a leaf each and the copy of another one, and the rows that they should have. */
export class FaultyMachines {
  readonly machines: Machines;
  readonly network: MachineNetwork | null;
  /** What differs for a machine that starts next. */
  readonly runs: Map<number, Partial<MachineRun>>;
  /** Batches that were acknowledged, in that order. */
  readonly acked: number[] = [];
  gateway!: ClusterGateway;
  readonly #flags: readonly string[];
  readonly #running = new Map<number, RunningHadal>();
  #sent = 0;

  private constructor(
    machines: Machines,
    { network, flags = flagsDefault, runs = new Map() }: FaultyMachinesOptions,
  ) {
    this.machines = machines;
    this.network = network;
    this.runs = new Map(runs);
    this.#flags = flags;
  }

  static async start(options: FaultyMachinesOptions): Promise<FaultyMachines> {
    const { machineCount, network } = options;
    let cluster: FaultyMachines | null = null;
    const machines = await startMachines({
      runOf: (number) => ({
        ...(network === null || number > machineCount ? {} : network.runOf(number)),
        ...cluster?.runs.get(number),
      }),
      ...(network === null ? {} : { reachDatabase: network.reachDatabase.bind(network) }),
    });
    cluster = new FaultyMachines(machines, options);
    try {
      for (let number = 1; number <= machineCount; number++) await cluster.restart(number);
      await cluster.restartGateway();
      return cluster;
    } catch (error) {
      await cluster.remove();
      throw error;
    }
  }

  get numbers(): readonly number[] {
    return [...this.#running.keys()];
  }

  /** The next batch to send. `noteAcked`: from now on every whole answer has it. */
  nextBatch(ack: AckLevel): NextBatch {
    const batch = this.#sent++;
    return {
      body: bodyOf(batch),
      options: { contentType: "application/x-ndjson", ack, idempotencyKey: `batch-${batch}` },
      noteAcked: () => void this.acked.push(batch),
    };
  }

  /** Sends a batch until it is acknowledged. */
  async send(ack: AckLevel = "replicated"): Promise<void> {
    const { body, options, noteAcked } = this.nextBatch(ack);
    await this.until(`${options.idempotencyKey} acknowledged`, async () => {
      await this.gateway.client.ingestBody("t", body, options);
      return true;
    });
    noteAcked();
  }

  async load(batchCount: number, ack: AckLevel = "replicated"): Promise<void> {
    const end = this.#sent + batchCount;
    const sendSome = async (): Promise<void> => {
      while (this.#sent < end) await this.send(ack);
    };
    await Promise.all(Array.from({ length: 4 }, sendSome));
  }

  /** Every batch is a group: a batch that is there in part, or twice, shows. */
  get byBatch(): Query {
    return {
      ...{ table: "t", from: fromMs, to: fromMs + 100_000_000, timeoutMs: deadlineMs },
      ...{ groupBy: ["batch"], limit: 10_000 },
      aggregates: [{ fn: "count" }, { fn: "sum", column: "n" }],
    };
  }

  /** Throws where an answer says anything else than what was sent. `ackedCount`: before it was asked. */
  check({ rows, completeness }: Result, ackedCount: number): void {
    const found = new Set<number>();
    for (const [batch, , count, sum] of rows) {
      const number = Number(batch);
      const right = number * batchRows * batchRows + (batchRows * (batchRows - 1)) / 2;
      const isKnown = number >= 0 && number < this.#sent && !found.has(number);
      if (!isKnown || count !== batchRows || sum !== right)
        throw new Error(
          `WRONG: batch ${batch}: ${count} rows of ${batchRows}, sum ${sum}, not ${right}`,
        );
      found.add(number);
    }
    const { fraction } = completeness;
    const before = this.acked.slice(0, ackedCount);
    const lacking = before.filter((batch) => !found.has(batch));
    if (fraction === 1 && lacking.length > 0)
      throw new Error(`WRONG: a whole answer lacks ${lacking.length} of ${ackedCount} batches`);
    if (fraction > found.size / ackedCount + 0.001)
      throw new Error(`WRONG: ${found.size} of ${ackedCount} batches are said to be ${fraction}`);
  }

  /** Milliseconds until an answer has all rows. */
  untilRight(): Promise<number> {
    return this.until("all rows", async () => {
      const ackedCount = this.acked.length;
      const result = await this.gateway.client.query(this.byBatch);
      this.check(result, ackedCount);
      return result.completeness.fraction === 1;
    });
  }

  /** Milliseconds until two machines have each row. */
  untilCopied(): Promise<number> {
    return this.until("whole copies", async () => {
      const { machines } = await this.gateway.client.cluster();
      const whole = machines.flatMap(({ copies }) =>
        copies.filter(({ state }) => state === "whole"),
      );
      return new Set(whole.map(({ leaf }) => leaf)).size >= this.numbers.length;
    });
  }

  /** Milliseconds until something is so. What the server cannot do now is tried again. */
  async until(what: string, isSo: () => Promise<boolean>): Promise<number> {
    const startMs = performance.now();
    let last = "";
    while (performance.now() - startMs < waitMsMax) {
      try {
        if (await isSo()) return performance.now() - startMs;
        last = "it is not";
      } catch (error) {
        if (!(error instanceof HadalError) || (error.status > 0 && error.status < 500)) throw error;
        last = JSON.stringify(error.toProblem());
      }
      await sleep(50);
    }
    throw new Error(`not so after ${waitMsMax / 1_000} s: ${what}: ${last}`);
  }

  childOf(number: number): RunningHadal {
    const running = this.#running.get(number);
    if (running === undefined) throw new Error(`there is no machine ${number}`);
    return running;
  }

  /** The supervisor of a machine and all of its processes. */
  async pidsOf(number: number): Promise<readonly number[]> {
    const { pid = 0 } = this.childOf(number).child;
    return [pid, ...(await descendantsOf(pid))];
  }

  async signal(number: number, signal: NodeJS.Signals): Promise<void> {
    for (const pid of await this.pidsOf(number)) process.kill(pid, signal);
  }

  /** As a machine goes that loses its power. */
  async kill(number: number): Promise<void> {
    const { exited } = this.childOf(number);
    await this.signal(number, "SIGKILL");
    await exited;
  }

  async stop(number: number): Promise<void> {
    await stopProcess(this.childOf(number));
  }

  async removeDisk(number: number): Promise<void> {
    await rm(join(this.machines.folder, `m${number}`), { recursive: true, force: true });
  }

  async restart(number: number, flags: readonly string[] = []): Promise<void> {
    const started = await this.machines.startAggregator(number, [...this.#flags, ...flags]);
    this.#running.set(number, started);
  }

  async killGateway(): Promise<void> {
    const { child, exited } = this.gateway.process;
    child.kill("SIGKILL");
    await exited;
  }

  async stopGateway(): Promise<void> {
    await stopProcess(this.gateway.process);
  }

  async restartGateway(flags: readonly string[] = []): Promise<void> {
    this.gateway = await this.machines.startGateway(gatewayNumber, flags);
  }

  async remove(): Promise<void> {
    await this.machines.remove();
    this.network?.close();
  }
}

function bodyOf(batch: number): string {
  const lines = Array.from({ length: batchRows }, (_, i) => {
    const n = batch * batchRows + i;
    return `{"time":${fromMs + n},"n":${n},"batch":${batch},"part":"p${n % 50}"}`;
  });
  return lines.join("\n");
}

import type { HadalClient } from "@hadal/sdk";
import {
  type ClusterGateway,
  type Machines,
  startMachines,
} from "../../test/support/startMachines.js";
import { demoMix } from "./demoMix.js";
import { measureClients, measureTimes, type Times } from "./measureTimes.js";
import { rangesOfHours, scanQuery, sendRequests, seriesQuery } from "./requestRows.js";
import { timesOfLevels } from "./treeLevels.js";

export interface ExperimentOptions {
  /** Of each leaf, at the smallest size. */
  readonly rows: number;
  /** Machines at most; each has one leaf. */
  readonly machines: number;
  readonly runs: number;
  /** Of the demo's table. */
  readonly demoRows: number;
  /** Queries of the mix whose percentiles are printed. */
  readonly mixed: number;
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const timesText = ({ meanMs, minMs, maxMs }: Times): string =>
  `${meanMs.toFixed(1).padStart(8)} (${minMs.toFixed(1)}–${maxMs.toFixed(1)})`;
const plannedMachines = [10, 20, 40, 80, 160] as const;
const leavesOfPlanned = 8;
const clientCounts = [1, 2, 4, 8, 16, 32] as const;
const queriesEachMin = 10;

/**
 * The experiments of the Scuba paper, section 5 (S114–S117). Times of a few machines are measured:
 * real processes, all of them on this one. Larger clusters are predicted from those by the planner.
 */
export async function runExperiments(options: ExperimentOptions): Promise<void> {
  const machines = await startMachines();
  try {
    await speedAndScale(machines, options);
  } finally {
    await machines.remove();
  }
  await printLevels(4 * options.runs);
  print("");
  print(await demoMix(options.demoRows, options.mixed));
}

async function speedAndScale(machines: Machines, options: ExperimentOptions): Promise<void> {
  const { rows, runs } = options;
  const flags = ["--leaves", "1", "--leaf-memory", "1024", "--copies", "1", "--seal-after", "5"];
  let gateway: ClusterGateway | null = null;
  let sent = 0;
  const header = (first: string): void =>
    print(`${first}   scan 29 h, ms   time series 29 h, ms   time series 3 h, ms`);
  const measure = async ({ client }: ClusterGateway): Promise<string> => {
    const scan = await measureTimes(client, scanQuery(29), runs);
    const long = await measureTimes(client, seriesQuery(29), runs);
    const short = await measureTimes(client, seriesQuery(3), runs);
    return [scan, long, short].map(timesText).join("  ");
  };
  print(`Scale-up (S116), measured: ${rows.toLocaleString("en")} rows a leaf, one leaf a machine`);
  header("machines");
  for (let count = 1; count <= options.machines; count++) {
    await machines.startAggregator(count, flags);
    gateway ??= await machines.startGateway();
    await untilLeaves(gateway, count);
    await sendRequests(gateway.client, { from: sent, count: rows });
    sent += rows;
    print(`${String(count).padStart(8)}  ${await measure(gateway)}`);
  }
  if (gateway === null) throw new Error("no machine was started");
  await printPlanned(gateway.client, rows);
  print("");
  print(`Speed-up (S115), measured: ${options.machines} machines`);
  header("rows a leaf");
  for (const factor of [1, 2, 4]) {
    const wanted = factor * rows * options.machines;
    await sendRequests(gateway.client, { from: sent, count: wanted - sent });
    sent = wanted;
    print(`${(factor * rows).toLocaleString("en").padStart(11)}  ${await measure(gateway)}`);
  }
  await printClients(gateway.client, options);
}

/** Rows go to a new machine only once the gateway knows it. */
async function untilLeaves({ client }: ClusterGateway, count: number): Promise<void> {
  for (;;) {
    const { members } = await client.status();
    const alive = members.filter(({ role, state }) => role === "leaf" && state === "alive");
    if (alive.length >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** By Equation 5 as the planner has it, from T_S, T_A, T_D and T_G of the queries above. */
async function printPlanned(client: HadalClient, rows: number): Promise<void> {
  print(`predicted by the planner, not measured: ${leavesOfPlanned} leaves a machine, fan-out 5`);
  print("machines   leaves   levels      scan, ms   time series, ms");
  for (const machines of plannedMachines) {
    const cluster = { machines, leaves: leavesOfPlanned, rows, fanOut: 5 };
    const scan = await client.plan({ ...cluster, shape: "scan" });
    const series = await client.plan({ ...cluster, shape: "time-series" });
    const cells = [machines, machines * leavesOfPlanned, scan.levels].map((n, i) =>
      String(n).padStart(i === 0 ? 8 : 9),
    );
    const [scanMs, seriesMs] = [scan, series].map(({ predictedMs }) =>
      predictedMs === null ? "not known" : predictedMs.toFixed(1),
    );
    print(`${cells.join("")}${scanMs!.padStart(14)}${seriesMs!.padStart(18)}`);
  }
}

async function printClients(client: HadalClient, { runs }: ExperimentOptions): Promise<void> {
  print("");
  print(`Many clients (S117), measured: time series, ${4 * runs} queries or more without a pause`);
  print("clients   hours   queries/s   mean ms");
  for (const hours of rangesOfHours) {
    for (const clients of clientCounts) {
      const each = Math.max(queriesEachMin, Math.ceil((4 * runs) / clients));
      const { perSecond, meanMs } = await measureClients(client, seriesQuery(hours), {
        ...{ clients, runs: each },
      });
      const cells = [String(clients).padStart(7), String(hours).padStart(8)];
      print(
        `${cells.join("")}${perSecond.toFixed(1).padStart(12)}${meanMs.toFixed(1).padStart(10)}`,
      );
    }
  }
}

async function printLevels(runs: number): Promise<void> {
  print("");
  print("Levels of the tree, measured: 4 machines with one leaf each, a scan of 20,000 rows");
  print("fan-out   levels   scan, ms");
  const times = await timesOfLevels(runs);
  for (const { fanOut, levels, ...one } of times)
    print(`${String(fanOut).padStart(7)}${String(levels).padStart(9)}  ${timesText(one)}`);
  const [few, more] = times;
  const [mean, least] = [more!.meanMs - few!.meanMs, more!.minMs - few!.minMs];
  print(`one more level costs ${mean.toFixed(1)} ms, ${least.toFixed(1)} ms by the fastest`);
}

import { readdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { askWhile, printAsked, sendWhile } from "./askWhile.js";
import type { FaultyMachines } from "./faultyMachines.js";
import { type MachineFault, ms } from "./machineFault.js";
import type { MachineNetwork, Peer, Way } from "./machineNetwork.js";

const cycleCount = 20;
const cutMs = 20_000;

function networkOf({ network }: FaultyMachines): MachineNetwork {
  if (network === null) throw new Error("this fault needs namespaces");
  return network;
}

/** The worst state of a machine's leaves, as the gateway's connections have it. */
async function stateOf(cluster: FaultyMachines, number: number): Promise<string> {
  const { members } = await cluster.gateway.client.status();
  const states = members
    .filter(({ role, machine }) => role === "leaf" && machine === `m${number}`)
    .map(({ state }) => state);
  return ["dead", "suspect", "alive"].find((state) => states.includes(state as never)) ?? "gone";
}

const untilState = (
  cluster: FaultyMachines,
  number: number,
  isIt: (state: string) => boolean,
): Promise<number> =>
  cluster.until(`m${number} changes its state`, async () => isIt(await stateOf(cluster, number)));

const openFiles = async (pids: readonly number[]): Promise<number> => {
  const lists = await Promise.all(
    pids.map((pid) => readdir(`/proc/${pid}/fd`).catch((): string[] => [])),
  );
  return lists.reduce((sum, { length }) => sum + length, 0);
};

async function allPids(cluster: FaultyMachines): Promise<readonly number[]> {
  const lists = await Promise.all(cluster.numbers.map((number) => cluster.pidsOf(number)));
  return [...lists.flat(), cluster.gateway.process.child.pid ?? 0];
}

/** Requests that the gateway has under way or waiting, by its metrics. */
async function openRequests({ gateway }: FaultyMachines): Promise<number> {
  const text = await (await fetch(`${gateway.url}/metrics`)).text();
  const names = ["queries_running", "queries_waiting", "window_waiting", "sends_waiting"];
  const values = names.map((name) =>
    Number(new RegExp(`^hadal_${name} (\\d+)`, "m").exec(text)?.[1] ?? 0),
  );
  return values.reduce((sum, value) => sum + value, 0);
}

export const halfOpenLink: MachineFault = async (cluster, say) => {
  const network = networkOf(cluster);
  await cluster.untilCopied();
  // Each query has another tree, whose links stay open.
  for (let query = 0; query < 5 * cluster.numbers.length; query++) await cluster.untilRight();
  const pids = await allPids(cluster);
  const before = await openFiles(pids);
  const suspectMs: number[] = [];
  const deadMs: number[] = [];
  const first = await askWhile(cluster, async () => {
    await network.cut(2, "all", "both");
    suspectMs.push(await untilState(cluster, 2, (state) => state !== "alive"));
    deadMs.push(suspectMs[0]! + (await untilState(cluster, 2, (state) => state === "dead")));
    await sleep(Math.max(0, cutMs - deadMs[0]!));
    await network.heal(2);
  });
  const healMs = await untilState(cluster, 2, (state) => state === "alive");
  say(
    `F10 a link half open for ${cutMs / 1_000} s: suspect after ${ms(suspectMs[0]!)}, dead after ${ms(deadMs[0]!)}, alive ${ms(healMs)} after it healed; ${printAsked(first)}`,
  );
  for (let cycle = 0; cycle < cycleCount; cycle++) {
    const number = cluster.numbers[cycle % cluster.numbers.length]!;
    await network.cut(number, "gateway", "both");
    const suspect = await untilState(cluster, number, (state) => state !== "alive");
    suspectMs.push(suspect);
    deadMs.push(suspect + (await untilState(cluster, number, (state) => state === "dead")));
    await network.heal(number);
    await untilState(cluster, number, (state) => state === "alive");
  }
  await cluster.untilRight();
  await cluster.untilCopied();
  // Half-open ends on the machines are found out by their own pings.
  await sleep(10_000);
  const after = await openFiles(pids);
  say(
    `F10 ${cycleCount} times: suspect after at most ${ms(Math.max(...suspectMs))}, dead after at most ${ms(Math.max(...deadMs))}; open files of ${pids.length} processes ${before} -> ${after}; requests left open ${await openRequests(cluster)}`,
  );
};

interface Partition {
  readonly name: string;
  readonly cuts: readonly (readonly [number: number, peer: Peer, way: Way])[];
}

const partitions: readonly Partition[] = [
  { name: "the gateway does not reach a machine", cuts: [[6, "gateway", "in"]] },
  { name: "a machine does not reach the gateway", cuts: [[6, "gateway", "out"]] },
  { name: "gateway and machine, both ways", cuts: [[6, "gateway", "both"]] },
  { name: "two machines, both ways", cuts: [[1, 2, "both"]] },
  { name: "a machine and the registry", cuts: [[8, "registry", "both"]] },
  { name: "a machine and all others", cuts: [[8, "all", "both"]] },
  {
    name: "five of twelve machines",
    cuts: [8, 9, 10, 11, 12].map((number) => [number, "all", "both"] as const),
  },
];

export const partitioned: MachineFault = async (cluster, say) => {
  const network = networkOf(cluster);
  for (const { name, cuts } of partitions) {
    await cluster.untilCopied();
    let during = 0;
    const asked = await askWhile(cluster, async () => {
      during = await sendWhile(
        cluster,
        async () => {
          for (const [number, peer, way] of cuts) await network.cut(number, peer, way);
          await sleep(15_000);
          for (const [number] of cuts) await network.heal(number);
        },
        { ack: "durable", senders: 2 },
      );
    });
    const rightMs = await cluster.untilRight();
    say(
      `F11 ${name}, 15 s: ${printAsked(asked)}; ${during} batches acknowledged meanwhile; all rows, none twice, ${ms(rightMs)} after it healed`,
    );
  }
};

export const lostPackets: MachineFault = async (cluster, say) => {
  const network = networkOf(cluster);
  await cluster.untilCopied();
  for (const number of cluster.numbers) await network.lose(number, 0.3);
  let during = 0;
  const asked = await askWhile(cluster, async () => {
    during = await sendWhile(cluster, () => sleep(20_000), { ack: "durable", senders: 2 });
  });
  for (const number of cluster.numbers) await network.heal(number);
  const rightMs = await cluster.untilRight();
  say(
    `F12 30 % of packets to all machines lost for 20 s: ${printAsked(asked)}; ${during} batches acknowledged meanwhile; right ${ms(rightMs)} after`,
  );
};

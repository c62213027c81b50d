import { setTimeout as sleep } from "node:timers/promises";
import { HadalError } from "@hadal/sdk";
import { askWhile, printAsked, sendWhile } from "./askWhile.js";
import { batchRows } from "./faultyMachines.js";
import { type MachineFault, ms } from "./machineFault.js";

const killCount = 10;

export const killsWhileSending: MachineFault = async (cluster, say) => {
  const { numbers } = cluster;
  const before = cluster.acked.length;
  await sendWhile(cluster, async () => {
    for (let kill = 0; kill < killCount; kill++) {
      const number = numbers[(kill * 5) % numbers.length]!;
      await sleep(300);
      await cluster.kill(number);
      await sleep(500);
      await cluster.restart(number);
    }
  });
  const wholeMs = await cluster.untilRight();
  const rows = (cluster.acked.length - before) * batchRows;
  say(
    `F1 ${killCount} machines killed while ${rows} rows came, acknowledged by two: lost 0, twice 0; all rows ${ms(wholeMs)} after the last`,
  );
};

export const killWhileAsking: MachineFault = async (cluster, say) => {
  await cluster.untilCopied();
  const asked = await askWhile(cluster, async () => {
    await sleep(2_000);
    await cluster.kill(3);
    await sleep(8_000);
  });
  const partial = asked.filter(({ fraction }) => !(fraction === 1));
  const lastMs = Math.max(2_000, ...partial.map(({ atMs }) => atMs));
  say(
    `F2 a machine killed, read from its copies: ${printAsked(asked)}; whole again ${ms(lastMs - 2_000)} after the kill`,
  );
  await cluster.restart(3);
  await cluster.untilRight();
};

/** What a query is answered with now. */
async function answerOf(cluster: Parameters<MachineFault>[0]): Promise<string> {
  try {
    const { completeness } = await cluster.gateway.client.query(cluster.byBatch);
    return `an answer of ${completeness.fraction}`;
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return `${error.status} ${error.code} (${error.message})`;
  }
}

export const allMachinesDead: MachineFault = async (cluster, say) => {
  const { numbers } = cluster;
  const said = new Set<string>();
  await Promise.all(numbers.map((number) => cluster.kill(number)));
  const deadMs = performance.now();
  while (performance.now() - deadMs < 3_000) {
    const answer = await answerOf(cluster);
    if (answer.startsWith("an answer")) throw new Error(`WRONG: all machines are dead: ${answer}`);
    said.add(answer.replaceAll(/m\d+-leaf-\d+/g, "LEAF").slice(0, 160));
    await sleep(200);
  }
  await Promise.all(numbers.map((number) => cluster.restart(number)));
  const wholeMs = await cluster.untilRight();
  say(
    `F3 all machines killed: ${[...said].join(" | ")}; whole ${ms(wholeMs)} after the last was ready again`,
  );
};

export const stoppedMachine: MachineFault = async (cluster, say) => {
  await cluster.untilCopied();
  const asked = await askWhile(cluster, async () => {
    await sleep(1_000);
    await cluster.signal(5, "SIGSTOP");
    await sleep(10_000);
    await cluster.signal(5, "SIGCONT");
    await sleep(2_000);
  });
  const backMs = await cluster.untilRight();
  say(`F9 a machine stopped for 10 s: ${printAsked(asked)}; right ${ms(backMs)} after`);
};

export const endedMachine: MachineFault = async (cluster, say) => {
  await cluster.untilCopied();
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
  say(`F4 a machine ended in ${ms(tookMs)} and started again: ${printAsked(asked)}`);
};

export const registryAway: MachineFault = async (cluster, say) => {
  const before = cluster.acked.length;
  const asked = await askWhile(cluster, async () => {
    await cluster.machines.postgres.stop();
    await sleep(15_000);
    await cluster.machines.postgres.start();
    await sleep(3_000);
  });
  for (let i = 0; i < 10; i++) await cluster.send();
  await cluster.untilRight();
  say(
    `registry away for 15 s: ${printAsked(asked)}; ${cluster.acked.length - before} batches sent after it`,
  );
};

/** A machine's disk is deleted while it runs, and then the machine is killed; it returns with an empty one. */
export const deletedDisk: MachineFault = async (cluster, say) => {
  await cluster.untilCopied();
  let [deleteMs, restartMs, copiedMs] = [0, 0, 0];
  const before = cluster.acked.length;
  const asked = await askWhile(cluster, async () => {
    await sendWhile(cluster, async () => {
      await sleep(1_000);
      await cluster.removeDisk(4);
      await sleep(3_000);
      await cluster.kill(4);
      // What the processes wrote in their last moments.
      await cluster.removeDisk(4);
      deleteMs = performance.now();
      await untilJoined(cluster, 4);
      restartMs = performance.now() - deleteMs;
    });
    copiedMs = await cluster.untilCopied();
  });
  const wholeMs = await cluster.untilRight();
  const rows = (cluster.acked.length - before) * batchRows;
  say(
    `a machine's disk deleted while ${rows} rows came, acknowledged by two: ${printAsked(asked)}; back with its rows ${ms(restartMs)} after it was killed, all copies whole ${ms(copiedMs)} later, lost 0, twice 0; right after ${ms(wholeMs)}`,
  );
};

/** The name of a machine without its disk is free once the cluster takes it for dead. */
async function untilJoined(cluster: Parameters<MachineFault>[0], number: number): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await cluster.restart(number);
    } catch (error) {
      if (attempt === 40) throw error;
      await sleep(500);
    }
  }
}

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { spawnHadal } from "../../../test/support/startCluster.js";
import { askWhile, printAsked, sendWhile } from "./askWhile.js";
import { batchRows, FaultyMachines } from "./faultyMachines.js";
import { ms, type Say } from "./machineFault.js";

const machineCount = 3;
const gatewayNumber = 99;
const loadedBatches = 60;
const flags = ["--leaves", "1", "--leaf-memory", "128", "--scan-threads", "1", "--seal-after", "2"];

/** `bin/hadal.js` of an earlier version that is built, one protocol version behind at most. */
export const olderProgram = process.env.HADAL_OLDER_PROGRAM ?? null;

/** F23: machines of an older version are replaced one by one under load, and the gateway last. */
export async function rollingUpgrade(older: string, say: Say): Promise<void> {
  const olderRun = { command: [process.execPath, older] };
  const numbers = Array.from({ length: machineCount }, (_, i) => i + 1);
  const cluster = await FaultyMachines.start({
    ...{ machineCount, network: null, flags },
    runs: new Map([...numbers, gatewayNumber].map((number) => [number, olderRun])),
  });
  try {
    await cluster.load(loadedBatches, "durable");
    await cluster.untilRight();
    let during = 0;
    let killed = 0;
    const asked = await askWhile(cluster, async () => {
      during = await sendWhile(
        cluster,
        async () => {
          for (const number of numbers) {
            cluster.runs.delete(number);
            // A version that does not end in time is killed.
            await cluster.stop(number).catch(() => killed++);
            await cluster.restart(number);
          }
          cluster.runs.delete(gatewayNumber);
          await cluster.stopGateway();
          await cluster.restartGateway();
        },
        { ack: "durable", senders: 2 },
      );
    });
    const rightMs = await cluster.untilRight();
    const copiedMs = await cluster.untilCopied();
    await cluster.load(10);
    say(
      `F23 ${machineCount} machines and the gateway replaced by the next version, one by one (${killed} had to be killed): ${printAsked(asked)}; ${during} batches acknowledged meanwhile; ${loadedBatches * batchRows} rows of the older version read; right after ${ms(rightMs)}, copies whole after ${ms(copiedMs)}`,
    );
    say(
      `F23 the older version on the registry of the newer one: ${await refusalOf(cluster, older)}`,
    );
    await newerSegment(cluster, say);
  } finally {
    await cluster.remove();
  }
}

async function refusalOf(cluster: FaultyMachines, older: string): Promise<string> {
  const { database, folder } = cluster.machines;
  const place = ["--data-dir", join(folder, "m1"), "--machine", "m1", "--port", "0"];
  const joining = ["--join", database, "--cluster-key-file", join(folder, "key")];
  await cluster.stop(1);
  const started = spawnHadal(
    ["serve", "--role", "aggregator", "--host", "127.0.0.2", ...place, ...joining],
    {},
    undefined,
    [process.execPath, older],
  );
  const code = await started.exited;
  await cluster.restart(1);
  await cluster.untilRight();
  if (code === 0) throw new Error("the older version joined");
  return `ended with ${code}, "${started.output.err.trim().split("\n").at(-1)}"; nothing is lost`;
}

/** A segment of a version that does not exist yet: its rows are said to be missing, and the file stays. */
async function newerSegment(cluster: FaultyMachines, say: Say): Promise<void> {
  const leafFolder = join(cluster.machines.folder, "m2");
  let path: string | undefined;
  await cluster.until("a sealed segment", async () => {
    const names = await readdir(leafFolder, { recursive: true });
    path = names.find((name) => /segment-\d+\.hds$/.test(name) && !name.startsWith("copies"));
    return path !== undefined;
  });
  const file = join(leafFolder, path!);
  await cluster.stop(2);
  const bytes = await readFile(file);
  const newer = Buffer.from(bytes);
  newer.writeUInt32LE(newer.readUInt32LE(4) + 1, 4);
  await writeFile(file, newer);
  await cluster.restart(2);
  let least = 1;
  await cluster.until("an answer without these rows", async () => {
    const ackedCount = cluster.acked.length;
    const result = await cluster.gateway.client.query(cluster.byBatch);
    cluster.check(result, ackedCount);
    least = result.completeness.fraction;
    return least < 1;
  });
  await cluster.stop(2);
  const isUntouched = (await readFile(file)).equals(newer);
  await writeFile(file, bytes);
  await cluster.restart(2);
  await cluster.untilRight();
  if (!isUntouched) throw new Error("the file of a newer version was changed");
  say(
    `F23 a segment of a newer version: an answer says ${least.toFixed(3)}, the file is untouched, and its version reads all rows`,
  );
}

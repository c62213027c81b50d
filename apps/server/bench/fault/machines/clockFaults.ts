import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { HadalError } from "@hadal/sdk";
import { askWhile, printAsked, sendWhile } from "./askWhile.js";
import type { FaultyMachines } from "./faultyMachines.js";
import { type MachineFault, ms } from "./machineFault.js";

const library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";
const machineNumber = 4;
const gatewayNumber = 99;
const jumps = ["+1h", "-1h", "+10y"] as const;

/** A clock that a file sets, read again each second. Durations stay right. */
const fakeClock = (file: string) => ({
  environment: {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_CACHE_DURATION: "1",
    FAKETIME_DONT_FAKE_MONOTONIC: "1",
  },
});

export const jumpingClock: MachineFault = async (cluster, say) => {
  if (!existsSync(library)) throw new Error(`F13 needs ${library} (Debian: libfaketime)`);
  const file = join(cluster.machines.folder, "clock");
  await writeFile(file, "+0");
  // Rows of the bench are months old, and must stay.
  const retention = { maxAgeMs: 2 * yearMs, maxBytes: null };
  await cluster.gateway.client.setTable("t", { retention });
  cluster.runs.set(machineNumber, fakeClock(file));
  await cluster.stop(machineNumber);
  await cluster.restart(machineNumber);
  for (const jump of jumps) {
    await cluster.untilCopied();
    let during = 0;
    const asked = await askWhile(cluster, async () => {
      during = await sendWhile(cluster, async () => {
        await sleep(500);
        await writeFile(file, jump);
        await sleep(8_000);
      });
    });
    const rightMs = await cluster.untilRight();
    say(
      `F13 a machine's clock ${jump}: ${printAsked(asked)}; ${during} batches acknowledged meanwhile; right after ${ms(rightMs)}`,
    );
  }
  await cluster.kill(machineNumber);
  await cluster.restart(machineNumber);
  say(`F13 the machine started with +10y: right after ${ms(await cluster.untilRight())}`);
  await writeFile(file, "+0");
  await gatewayClock(cluster, file);
  say("F13 a gateway started with +10y, rows kept for 2 years: none removed");
  say(`F13 rows of a client whose clock is off: ${await clientClock(cluster)}`);
  cluster.runs.delete(machineNumber);
  await cluster.stop(machineNumber);
  await cluster.restart(machineNumber);
};

/** A gateway whose clock is wrong from its start expires no rows that are live. */
async function gatewayClock(cluster: FaultyMachines, file: string): Promise<void> {
  await writeFile(file, "+10y");
  cluster.runs.set(gatewayNumber, fakeClock(file));
  try {
    await cluster.stopGateway();
    await cluster.restartGateway();
    const asked = await askWhile(cluster, () => sleep(15_000));
    if (!asked.some(({ fraction }) => fraction === 1)) throw new Error("no answer was whole");
  } finally {
    cluster.runs.delete(gatewayNumber);
    await writeFile(file, "+0");
  }
  await cluster.stopGateway();
  await cluster.restartGateway();
  await cluster.untilRight();
}

const hourMs = 3_600_000;
const yearMs = 365.25 * 24 * hourMs;
const clientTimes: Readonly<Record<string, number>> = {
  "+1h": hourMs,
  "-1h": -hourMs,
  "+9y": 9 * yearMs,
  "+11y": 11 * yearMs,
};

/** What becomes of rows that a client stamps with its own clock: each is stored, or refused with a reason. */
async function clientClock({ gateway }: FaultyMachines): Promise<string> {
  const said: string[] = [];
  for (const [name, offMs] of Object.entries(clientTimes)) {
    const time = Math.round(Date.now() + offMs);
    const body = JSON.stringify({ time, n: 1 });
    const outcome = await gateway.client
      .ingestBody("clocks", body, { contentType: "application/x-ndjson" })
      .then(
        () => "stored",
        (error: unknown) => reasonOf(error),
      );
    if (outcome === "stored") {
      const { rows } = await gateway.client.query({
        ...{ table: "clocks", from: time, to: time + 1 },
        aggregates: [{ fn: "count" }],
      });
      if (rows[0]?.[0] !== 1) throw new Error(`WRONG: a row of ${name} is not found`);
    }
    said.push(`${name} ${outcome}`);
  }
  return said.join(", ");
}

function reasonOf(error: unknown): string {
  if (!(error instanceof HadalError)) throw error;
  const [first] = error.errors ?? [];
  return `refused with ${first?.code ?? error.code}`;
}

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type HadalClient, type Query } from "@hadal/sdk";
import { afterEach, describe, expect, test } from "vitest";
import { askAll, sendRows } from "../support/allTime.js";
import { expectEachRowOnce, pushRows, rowsFromMs } from "../support/journalRows.js";
import { descendantsOf, isRunning } from "../support/processTree.js";
import {
  type Cluster,
  type RunningHadal,
  spawnHadal,
  startCluster,
} from "../support/startCluster.js";
import { pause, waitUntil } from "../support/waitUntil.js";

const leaves = 2;
const timeoutMs = 120_000;
/** From the kill of a gateway to the first answer of the next one. */
const backMsMax = 8_000;

let cluster: Cluster | undefined;
let folder = "";
/** Whole programs of a test; it may have failed before it ended them. */
const programs: RunningHadal[] = [];

afterEach(async () => {
  await cluster?.stop();
  cluster = undefined;
  for (const { child, exited } of programs.splice(0)) {
    child.kill("SIGKILL");
    await exited;
  }
  if (folder !== "") await rm(folder, { recursive: true, force: true });
  folder = "";
});

async function start(environment: Readonly<Record<string, string>> = {}): Promise<Cluster> {
  folder = await mkdtemp(join(tmpdir(), "hadal-gateway-"));
  cluster = await startCluster({ leaves, dataDir: folder, environment });
  return cluster;
}

/** The new gateway's process, once it answers. */
function nextGateway(running: Cluster, before: number, withinMs = backMsMax): Promise<number> {
  return waitUntil(
    "the next gateway",
    async () => {
      const pid = await running.gatewayPid().catch(() => before);
      return pid === before ? null : pid;
    },
    withinMs,
  );
}

async function killGateway(running: Cluster): Promise<number> {
  const pid = await running.gatewayPid();
  expect(pid).toBeGreaterThan(1);
  expect(pid).not.toBe(running.pid);
  process.kill(pid, "SIGKILL");
  return nextGateway(running, pid);
}

const linesOf = (text: string, about: string): string[] =>
  text.split("\n").filter((line) => line.includes(about));

describe("a gateway that is killed (C16)", () => {
  test("is back within seconds, from the fifth time on slowly: no acknowledged row is lost or doubled, live queries go on", {
    timeout: timeoutMs,
  }, async () => {
    const table = "journal";
    const running = await start();
    const { client } = running;
    const leafPids = await running.leafPids();
    let accepted = 0;
    const ingest = client.ingest(table, {
      ...{ batchRows: 200, batchMs: 20, pendingRowsMax: 2_000 },
      onBatch: (reply) => {
        accepted += reply.accepted;
      },
    });
    let isDone = false;
    const pushing = pushRows(ingest, () => isDone);
    const acceptMore = async (): Promise<void> => {
      const enough = accepted + 4_000;
      await waitUntil("rows", () => (accepted >= enough ? true : null), 30_000);
    };
    await acceptMore();
    let counted = 0;
    const live = client.live(
      { table, from: rowsFromMs, to: "now", aggregates: [{ fn: "count" }] },
      {
        everyMs: 50,
        onResult: ({ rows, final }) => {
          if (final) counted = Number(rows[0]?.[0]);
        },
      },
    );
    try {
      for (let kill = 0; kill < 4; kill++) {
        const before = counted;
        await killGateway(running);
        await acceptMore();
        await waitUntil("the live query to go on", () => (counted > before ? true : null));
      }
    } finally {
      isDone = true;
      live.stop();
    }
    const { pushed, summary } = await pushing;
    expect(summary).toEqual({ accepted: pushed, rejected: 0, lost: 0 });
    await expectEachRowOnce(client, table, pushed);
    expect(await running.leafPids()).toEqual(leafPids);
    expect(running.output.out).toBe(`Hadal is ready: ${running.url}\n`);
    for (let kill = 4; kill < 6; kill++) await killGateway(running);
    const quick = "gateway ended with SIGKILL; it is started again in 50 ms";
    const slow = (times: number, s: number): string =>
      `gateway ended with SIGKILL, ${times} times within a minute; it is started again in ${s} s`;
    expect(linesOf(running.output.err, "gateway ended")).toEqual([
      ...Array(4).fill(quick),
      slow(5, 1),
      slow(6, 2),
    ]);
    await expectEachRowOnce(client, table, pushed);
  });

  test("by SIGTERM ends cleanly, and the next one starts", { timeout: timeoutMs }, async () => {
    const running = await start();
    const pid = await running.gatewayPid();
    process.kill(pid, "SIGTERM");
    await nextGateway(running, pid);
    expect(running.output.err).toBe("gateway ended with 0; it is started again in 50 ms\n");
  });
});

/** Loaded into each process by Node.js: a signal makes a bug. */
const bug = `import { isMainThread } from "node:worker_threads";
  if (isMainThread) process.on("SIGUSR2", () => {
    Promise.reject(new Error("planted"));
  });`;
const environment = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bug)}`,
};

describe("a rejection that nothing handles", () => {
  test("ends the gateway with its stack, and the next one has what was saved", {
    timeout: timeoutMs,
  }, async () => {
    const running = await start(environment);
    await sendRows(running, "t", [{ time: 1_000, n: 1 }]);
    await running.client.saveFunction("half", { source: "(n) => n / 2" });
    const pid = await running.gatewayPid();
    process.kill(pid, "SIGUSR2");
    await nextGateway(running, pid);
    expect(running.output.err).toMatch(
      /gateway: an unexpected error ends the process: Error: planted\n\s+at /,
    );
    expect(running.output.err).not.toContain("may not all be written");
    expect(running.output.err).toContain("gateway ended with 1; it is started again in 50 ms");
    expect(await running.client.function("half")).toMatchObject({ version: 1 });
    expect((await askAll(running, "t")).rows).toEqual([[1, 1]]);
  });

  test("ends a leaf, which first writes the rows that are acknowledged as received", {
    timeout: timeoutMs,
  }, async () => {
    const running = await start(environment);
    const pids = await running.leafPids();
    let sent = 0;
    for (; sent < 400; sent++) {
      const reply = await running.client.ingestBody("t", `{"time":${1_000 + sent}}`, {
        ...{ contentType: "application/x-ndjson", timeUnit: "ms", ack: "received" },
      });
      expect(reply).toMatchObject({ accepted: 1, ack: "received" });
    }
    for (const pid of pids.values()) process.kill(pid, "SIGUSR2");
    await waitUntil("new leaves", async () => {
      const now = await running.leafPids();
      return [...now].every(([id, pid]) => pid !== 0 && pid !== pids.get(id)) ? true : null;
    });
    await waitUntil("every row", async () => {
      const { rows, completeness } = await askAll(running, "t", { exact: false });
      return completeness.fraction === 1 && rows[0]?.[0] === sent ? true : null;
    });
    for (const id of pids.keys()) {
      expect(running.output.err).toMatch(
        new RegExp(`${id}: an unexpected error ends the process: Error: planted\\n\\s+at `),
      );
      expect(running.output.err).toContain(`${id} ended with 1; it is started again in 50 ms`);
    }
  });
});

/** The whole program with the demo and a function in the sandbox, and all its processes. */
async function startWithDemo(): Promise<{
  readonly running: RunningHadal;
  readonly pids: readonly number[];
  readonly client: HadalClient;
}> {
  folder ||= await mkdtemp(join(tmpdir(), "hadal-gateway-"));
  const args = ["serve", "--port", "0", "--data-dir", folder, "--leaves", String(leaves)];
  const running = spawnHadal(args, { HADAL_DEMO_ROWS: "20000" });
  programs.push(running);
  const url = await waitUntil(
    "the address",
    () => /ready: (\S+)\n/.exec(running.output.out)?.[1] ?? null,
    40_000,
  );
  const client = createClient({ url });
  const last: Query = { table: "requests", from: "-1h", to: "now", timeoutMs: 20_000 };
  await waitUntil("rows", async () => {
    const result = await client.query(last).catch(() => null);
    return Number(result?.rows[0]?.[0]) > 0 ? true : null;
  });
  const js = "(row) => { var unused = 0; return 1; }";
  await client.query({
    ...last,
    derive: [{ as: "one", js }],
    aggregates: [{ fn: "sum", column: "one" }],
  });
  const supervisor = running.child.pid ?? 0;
  const pids = [supervisor, ...(await descendantsOf(supervisor))];
  // Gateway, leaves, demo, and a sandbox.
  expect(pids.length).toBeGreaterThanOrEqual(1 + 1 + leaves + 1 + 1);
  return { running, pids, client };
}

async function expectAllEnded(pids: readonly number[]): Promise<void> {
  await waitUntil("all processes to end", async () => {
    const states = await Promise.all(pids.map(isRunning));
    return states.includes(true) ? null : true;
  });
}

describe("the supervisor", () => {
  test("killed leaves nothing running, and the next start goes on at once", {
    timeout: timeoutMs,
  }, async () => {
    const first = await startWithDemo();
    first.client.close();
    first.running.child.kill("SIGKILL");
    // Not awaited: the next server waits for what the last one still writes.
    const second = await startWithDemo();
    second.client.close();
    await expectAllEnded(first.pids);
    second.running.child.kill("SIGINT");
    expect(await second.running.exited).toBe(0);
    await expectAllEnded(second.pids);
    expect(linesOf(second.running.output.err, "ended with")).toEqual([]);
  });

  test("killed in the middle of a start leaves nothing running", {
    timeout: timeoutMs,
  }, async () => {
    folder = await mkdtemp(join(tmpdir(), "hadal-gateway-"));
    for (const afterMs of [150, 300, 450, 600]) {
      const args = ["serve", "--port", "0", "--data-dir", folder, "--leaves", String(leaves)];
      const { child, exited } = spawnHadal(args, { HADAL_DEMO_ROWS: "20000" });
      await pause(afterMs);
      const pids = await descendantsOf(child.pid ?? 0);
      child.kill("SIGKILL");
      await exited;
      await expectAllEnded(pids);
    }
  });

  test("starts a gateway again with its demo", { timeout: timeoutMs }, async () => {
    const { running, client } = await startWithDemo();
    const history = () =>
      waitUntil("the history", async () => {
        const { demo } = await client.status();
        return demo?.fraction === 1 ? demo : null;
      });
    await history();
    const { members } = await client.status();
    process.kill(members.find(({ role }) => role === "gateway")?.pid ?? 0, "SIGKILL");
    const killedMs = Date.now();
    await waitUntil("rows of later seconds", async () => {
      const tables = await client.tables().catch(() => []);
      return Number(tables[0]?.toMs) > killedMs + 3_000 ? true : null;
    });
    expect(await history()).toMatchObject({ problem: null });
    client.close();
    running.child.kill("SIGTERM");
    expect(await running.exited).toBe(0);
    expect(linesOf(running.output.err, "demo")).toEqual([]);
  });
});

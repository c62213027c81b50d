import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSeededRandom } from "./oracle/seed/seededRandom.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

/** `hadal follow`: what is written to files comes to the table once, whatever becomes of files, program and server. */

const program = fileURLToPath(new URL("../bin/hadal.js", import.meta.url));
let cluster: Cluster;
let folder: string;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  folder = await mkdtemp(join(tmpdir(), "hadal-follow-"));
});

afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await cluster?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Following {
  readonly child: ChildProcess;
  readonly errors: () => string;
  /** The exit code, and what it printed. */
  readonly ended: Promise<readonly [number | null, string]>;
}

function follow(table: string, paths: readonly string[], ...flags: string[]): Following {
  const state = ["--state-dir", join(folder, `state-${table}`), "--url", cluster.url];
  const args = [program, "follow", ...paths, "--table", table, ...state, ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  running.add(child);
  let out = "";
  let errors = "";
  child.stdout.on("data", (bytes: Buffer) => {
    out += bytes.toString();
  });
  child.stderr.on("data", (bytes: Buffer) => {
    errors += bytes.toString();
  });
  const ended = once(child, "close").then(([code]) => {
    running.delete(child);
    return [code as number | null, out] as const;
  });
  return { child, errors: () => errors, ended };
}

async function stop({ child, ended }: Following): Promise<string> {
  child.kill("SIGTERM");
  const [code, out] = await ended;
  expect(code).toBe(0);
  return out;
}

/** Rows of a table, and how many distinct messages they have. */
async function counts(table: string): Promise<readonly [number, number]> {
  const sql = `SELECT count(*) AS n, count(DISTINCT message) AS d FROM ${table} WHERE time >= '2000-01-01T00:00:00Z' AND time < '2100-01-01T00:00:00Z'`;
  const result = await cluster.client.query(sql).catch((error: { code?: string }) => {
    if (error.code === "unknown-table") return null;
    throw error;
  });
  const at = (name: string) => result?.columns.findIndex((column) => column.name === name) ?? 0;
  return result === null
    ? [0, 0]
    : [Number(result.rows[0]?.[at("n")]), Number(result.rows[0]?.[at("d")])];
}

async function untilStored(table: string, rows: number): Promise<void> {
  await expect.poll(() => counts(table), { timeout: 20_000, interval: 100 }).toEqual([rows, rows]);
}

let written = 0;
const lines = (count: number): string =>
  Array.from({ length: count }, () => `line ${written++} of a log that is followed\n`).join("");

test("files, folders and patterns; rename, copytruncate, new files, lines in two parts", async () => {
  const logs = join(folder, "logs");
  await mkdir(join(logs, "deep"), { recursive: true });
  await writeFile(join(logs, "deep", "a.log"), lines(3));
  await writeFile(join(logs, "b.log"), `${lines(2)}half of `);
  await writeFile(join(logs, "old.log.gz"), "packed");
  const one = join(folder, "one.txt");
  const paths = [join(logs, "deep"), join(logs, "*.log"), one];
  const following = follow("rotated", paths);
  await untilStored("rotated", 5);
  await appendFile(join(logs, "b.log"), "a line\n");
  await untilStored("rotated", 6);
  // A file that is named, and made later.
  await writeFile(one, lines(1));
  await untilStored("rotated", 7);
  // Renamed: what is still written to the old file is not lost, and the new file is another one.
  await rename(join(logs, "b.log"), join(logs, "b.log.1"));
  await appendFile(join(logs, "b.log.1"), lines(2));
  await writeFile(join(logs, "b.log"), lines(4));
  await untilStored("rotated", 13);
  // Copied and truncated, and at once longer than before.
  await copyFile(join(logs, "b.log"), join(logs, "b.log.2"));
  await truncate(join(logs, "b.log"), 0);
  await appendFile(join(logs, "b.log"), lines(50));
  await untilStored("rotated", 63);
  await truncate(one, 0);
  await appendFile(one, lines(1));
  await untilStored("rotated", 64);
  expect(await stop(following)).toBe("64 rows accepted, 0 rejected\n");
  // Where it ended it goes on.
  await appendFile(one, lines(3));
  const next = follow("rotated", paths, "--once");
  expect(await next.ended).toEqual([0, "3 rows accepted, 0 rejected\n"]);
  expect(await counts("rotated")).toEqual([67, 67]);
}, 120_000);

/** Passes requests on to the server; `fate` says at which of them the sender is killed, and when. */
async function startProxy(
  fate: () => "passed" | "killed before" | "killed after",
  kill: () => void,
) {
  const server = createServer(async (request, reply) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const chosen = fate();
    if (chosen === "killed before") return kill();
    const headers = Object.entries(request.headers).filter(([name]) =>
      ["content-type", "idempotency-key"].includes(name),
    ) as [string, string][];
    const answer = await fetch(cluster.url + request.url, {
      ...{ method: "POST", headers, body: Buffer.concat(parts) },
    });
    const body = await answer.text();
    // The rows are stored, and the sender does not know it.
    if (chosen === "killed after") return kill();
    reply.writeHead(answer.status, { "content-type": "application/json" }).end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("killed before and after the rows are stored, with rotation meanwhile: no line lost, none doubled", async () => {
  const random = createSeededRandom(7);
  const log = join(folder, "killed.log");
  let following: Following | null = null;
  const kills = { "killed before": 0, "killed after": 0 };
  const proxy = await startProxy(
    () => {
      const fate = random.pick(["passed", "killed before", "killed after"] as const);
      if (fate === "passed" || kills[fate] === 5) return "passed";
      kills[fate]++;
      return fate;
    },
    () => following?.child.kill("SIGKILL"),
  );
  let total = 0;
  let rotations = 0;
  const write = async (): Promise<void> => {
    const count = random.int(1, 400);
    await appendFile(log, lines(count));
    total += count;
    if (random.chance(0.6)) await rename(log, `${log}.${++rotations}`);
  };
  // Rotated files match, too: one that is made and renamed while nothing follows is found.
  const paths = [join(folder, "killed.log*")];
  const args = ["--url", proxy.url, "--once"];
  try {
    for (;;) {
      await write();
      await write();
      following = follow("killed", paths, ...args);
      const ended = following.ended;
      // More comes while it sends.
      await write();
      const [code] = await ended;
      if (code === 0 && kills["killed before"] + kills["killed after"] === 10) break;
      expect(code, following.errors()).toBeOneOf([0, null]);
    }
    const [code] = await follow("killed", paths, ...args).ended;
    expect(code).toBe(0);
  } finally {
    proxy.server.close();
  }
  expect(rotations).toBeGreaterThan(3);
  expect(await counts("killed")).toEqual([total, total]);
}, 120_000);

test("a server that is away is waited for; stack traces stay together; refused lines are shown", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "hadal-away-"));
  const log = join(folder, "away.log");
  const event = (i: number) =>
    `2026-11-21 09:00:0${i},000 ERROR shop.Cart - failed ${i}\n\tat a.B(C:${i})\n`;
  const first = await startCluster({ leaves: 1, dataDir });
  const whole = cluster;
  cluster = first;
  try {
    await writeFile(log, `nothing\n${event(0)}`);
    const following = follow("away", [log], "--pattern", "log4j");
    await untilStored("away", 1);
    expect(following.errors()).toContain("refused: The pattern does not match the line");
    await first.stop();
    await appendFile(log, event(1) + event(2));
    await expect.poll(following.errors, { timeout: 20_000 }).toContain("waiting for the server");
    await appendFile(log, event(3));
    cluster = await startCluster({ leaves: 1, dataDir, port: Number(new URL(first.url).port) });
    await untilStored("away", 4);
    const [, out] = [following.child.kill("SIGTERM"), (await following.ended)[1]];
    expect(out).toBe("4 rows accepted, 1 rejected\n");
    const sql = `SELECT count(*) FROM away WHERE time >= '2026-01-01T00:00:00Z' AND time < '2027-01-01T00:00:00Z' AND message CONTAINS 'at a.B'`;
    expect((await cluster.client.query(sql)).rows[0]?.[0]).toBe(4);
    await cluster.stop();
  } finally {
    cluster = whole;
    await rm(dataDir, { recursive: true, force: true });
  }
}, 120_000);

test("lines of JSON; a name that leads nowhere does not end the others", async () => {
  const logs = join(folder, "json");
  await mkdir(logs);
  await symlink(join(logs, "loop.ndjson"), join(logs, "loop.ndjson"));
  const row = (i: number) =>
    `${JSON.stringify({ time: 1_795_252_800_000 + i, message: `row ${i}` })}\n`;
  await writeFile(join(logs, "a.ndjson"), row(0) + row(1) + row(2).slice(0, 20));
  const paths = [logs, join(logs, "loop.ndjson")];
  const following = follow("json", paths, "--format", "ndjson");
  await untilStored("json", 2);
  await appendFile(join(logs, "a.ndjson"), `${row(2).slice(20)}no row\n${row(3)}`);
  await untilStored("json", 4);
  expect(await stop(following)).toBe("4 rows accepted, 1 rejected\n");
  // From the end: what is there at the first start is not sent.
  const late = join(logs, "late.ndjson");
  await writeFile(late, row(9));
  const flags = ["--format", "ndjson", "--from", "end", "--once"];
  expect((await follow("late", [late], ...flags).ended)[1]).toBe("0 rows accepted, 0 rejected\n");
  await appendFile(late, row(10));
  expect((await follow("late", [late], ...flags).ended)[1]).toBe("1 row accepted, 0 rejected\n");
}, 60_000);

test("two of the same do not run at once", async () => {
  const log = join(folder, "twice.log");
  await writeFile(log, lines(1));
  const following = follow("twice", [log]);
  await untilStored("twice", 1);
  const second = follow("twice", [log]);
  expect((await second.ended)[0]).toBe(1);
  expect(second.errors()).toContain("in use");
  await stop(following);
}, 60_000);

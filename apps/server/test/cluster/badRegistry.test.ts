import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Machines, startMachines } from "../support/startMachines.js";
import { waitUntil } from "../support/waitUntil.js";

let machines: Machines;
const web = createServer((_, reply) => reply.end("no PostgreSQL"));
beforeAll(async () => {
  machines = await startMachines();
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
}, 60_000);
afterAll(async () => {
  web.close();
  await machines.remove();
}, 60_000);

/** An address of the same PostgreSQL. */
function like(change: (url: URL) => void): string {
  const url = new URL(machines.database);
  change(url);
  return url.href;
}

async function inDatabase<Value>(url: string, work: (client: pg.Client) => Promise<Value>) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const tablesOf = (url: string) =>
  inDatabase(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public' order by 1",
    );
    return rows.map(({ name }) => name);
  });

interface Refused {
  readonly what: string;
  readonly join: string;
  /** The last line of what it says. */
  readonly says: RegExp;
  /** It may come up, and is waited for; what is there and refuses is not. */
  readonly isAwaited?: boolean;
}

test("a member whose registry is not there, or is not Hadal's, ends with one line that says so", async () => {
  const [other, newer] = [
    await machines.postgres.createDatabase(),
    await machines.postgres.createDatabase(),
  ];
  await inDatabase(other, (client) => client.query("create table member (of_a_club text)"));
  await inDatabase(newer, async (client) => {
    await client.query("create table kysely_migration (name text primary key, timestamp text)");
    await client.query("insert into kysely_migration values ('999-later', 'x')");
  });
  const { port } = web.address() as AddressInfo;
  const cases: readonly Refused[] = [
    {
      what: "a dead port",
      join: "postgres://hadal:secret@127.0.0.1:9/hadal",
      says: /^hadal: postgres:\/\/127.0.0.1:9\/hadal cannot be used: connect ECONNREFUSED 127.0.0.1:9\.$/,
      isAwaited: true,
    },
    {
      what: "a web server",
      join: `postgres://hadal:secret@127.0.0.1:${port}/hadal`,
      says: /^hadal: postgres:\/\/127.0.0.1:\d+\/hadal cannot be used: Connection terminated/,
      isAwaited: true,
    },
    {
      what: "a gateway that is not there",
      join: "http://127.0.0.1:59999",
      says: /^hadal: http:\/\/127.0.0.1:59999 cannot be reached: connection refused\.$/,
      isAwaited: true,
    },
    {
      what: "a wrong password",
      join: like((url) => {
        url.password = "secret";
      }),
      says: /^hadal: postgres:.* cannot be used: password authentication failed for user "hadal"\.$/,
    },
    {
      what: "a database that does not exist",
      join: like((url) => {
        url.pathname = "/nowhere";
      }),
      says: /^hadal: postgres:.*nowhere cannot be used: database "nowhere" does not exist\.$/,
    },
    {
      what: "the tables of another program",
      join: other,
      says: /relation "member" already exists\. .*Hadal needs a database of its own\.$/,
    },
    {
      what: "a newer Hadal",
      join: newer,
      says: /^hadal: The registry was made by a newer Hadal \(its migration 999-later\)\./,
    },
  ];
  await Promise.all(
    cases.map(async ({ what, join: url, says, isAwaited = false }, i) => {
      const role = i % 2 === 0 ? "aggregator" : "gateway";
      const folder = join(machines.folder, `bad-${i}`);
      const started = machines.spawn(50 + i, [
        ...["--role", role, "--join", url, "--data-dir", folder],
      ]);
      expect(await started.exited, what).toBe(1);
      const { out, err } = started.output;
      const lines = err.trimEnd().split("\n");
      expect(lines, what).toHaveLength(isAwaited ? 2 : 1);
      expect(lines.at(-1), what).toMatch(says);
      expect(err, what).not.toContain("secret");
      expect(out, what).toBe("");
    }),
  );
  // Beside the empty lists of migrations, which are made before the first one is tried.
  const left = (await tablesOf(other)).filter((name) => !name.startsWith("kysely_"));
  expect(left).toEqual(["member"]);
  expect(await tablesOf(newer)).toEqual(["kysely_migration"]);
}, 60_000);

test("--join with a gateway's URL is enough to find the registry; without the key it is refused", async () => {
  const gateway = await machines.startGateway();
  await machines.startAggregator(1, ["--join", gateway.url]);
  const member = await waitUntil("the machine is a member", async () => {
    const { machines: listed } = await gateway.client.cluster();
    return listed.find(({ name, state }) => name === "m1" && state === "alive") ?? null;
  });
  expect(member.leaves).toHaveLength(2);
  const { port } = web.address() as AddressInfo;
  const otherKey = join(machines.folder, "other-key");
  await writeFile(otherKey, "a key that is another cluster's");
  const refusals: readonly (readonly [flags: readonly string[], says: RegExp])[] = [
    [
      ["--join", gateway.url, "--cluster-key-file", otherKey],
      /^hadal: http:\S+ refuses: The key is not that of the cluster; all members have the same one\.$/,
    ],
    [
      ["--join", `http://127.0.0.1:${port}`],
      /^hadal: http:\S+ is no gateway of a Hadal cluster \(it answered 200\)\.$/,
    ],
    [["--join", "http://name:secret@127.0.0.1:1"], /^hadal: --join is the URL of a gateway/],
  ];
  for (const [flags, says] of refusals) {
    const refused = machines.spawn(2, ["--role", "aggregator", ...flags]);
    expect(await refused.exited).not.toBe(0);
    expect(refused.output.err.trim().split("\n").at(-1)).toMatch(says);
    expect(refused.output.err).not.toContain("postgres:");
  }
}, 60_000);

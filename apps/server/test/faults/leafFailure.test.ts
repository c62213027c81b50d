import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadJsonModule } from "@hadal/kernel-wasm";
import { createClient, type HadalClient, type Query } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { admissionLimitsDefault } from "../../src/base/limit/admissionLimits.js";
import { clientLimitsDefault } from "../../src/base/limit/clientLimits.js";
import { functionLimitsDefault } from "../../src/base/limit/functionLimits.js";
import { ingestLimitsDefault } from "../../src/base/limit/ingestLimits.js";
import { userLimitsDefault } from "../../src/base/limit/userLimits.js";
import { createLeafConnection } from "../../src/cluster/connectToLeaf.js";
import type { LeafConnection } from "../../src/cluster/leafConnection.js";
import type { ResolvedQuery } from "../../src/plan/query/resolvedQuery.js";
import { startGateway } from "../../src/role/gateway/gateway.js";
import { leafEnvironment } from "../../src/role/processMessages.js";
import type { RunningServer } from "../../src/role/runningServer.js";
import { type RunningHadal, spawnHadal } from "../support/startCluster.js";
import { waitUntil } from "../support/waitUntil.js";

/** Far beyond what an answer takes: whoever waits for the deadline is found out by the test's own. */
const timeoutMs = 50_000;
const key = "a key of the test's own";
const rowsSent = 400;

let folder: string;
let gateway: RunningServer;
let client: HadalClient;
const leaves: RunningHadal[] = [];
const connections: LeafConnection[] = [];
/** Leaves that are asked what no leaf can understand: they stumble as over a bug of ours. */
const faulty = new Set<string>();

/** Two real leaf processes under a real gateway, which stands here so that what it asks of a leaf can be spoilt. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-test-"));
  for (const id of ["leaf-1", "leaf-2"]) {
    const flags = ["serve", "--role", "leaf", "--port", "0", "--leaf-memory", "256"];
    const leaf = spawnHadal([...flags, "--data-dir", join(folder, id)], {
      [leafEnvironment.id]: id,
      [leafEnvironment.key]: key,
    });
    leaves.push(leaf);
    const address = await waitUntil(
      id,
      () => /ws:\/\/(\S+)/.exec(leaf.output.out)?.[1] ?? null,
      40_000,
    );
    connections.push(createLeafConnection({ id, address: () => address, key }));
  }
  await waitUntil("both", () =>
    connections.every(({ state }) => state === "alive") ? true : null,
  );
  const spoiled = connections.map(spoilt);
  gateway = await startGateway({
    ...{ host: "127.0.0.1", port: 0, dataDir: folder, database: null, warn: () => {} },
    leaves: () => spoiled,
    admissionLimits: { ...admissionLimitsDefault, cacheBytes: 0 },
    ingestLimits: ingestLimitsDefault,
    clientLimits: clientLimitsDefault,
    userLimits: userLimitsDefault,
    functionLimits: functionLimitsDefault,
    sandbox: "weak",
    jsonModule: await loadJsonModule(),
  });
  client = createClient({ url: gateway.url });
  const rows = Array.from({ length: rowsSent / 8 }, (_, i) => ({ time: i * 1_000, n: i }));
  for (let i = 0; i < 8; i++) {
    const body = rows.map((row) => JSON.stringify(row)).join("\n");
    await client.ingestBody("t", body, {
      contentType: "application/x-ndjson",
      timeUnit: "ms",
    });
  }
}, 120_000);

afterAll(async () => {
  client?.close();
  await gateway?.close();
  for (const connection of connections) connection.close();
  for (const { child, exited } of leaves) {
    child.kill("SIGTERM");
    await exited;
  }
  await rm(folder, { recursive: true, force: true });
});

function spoilt(connection: LeafConnection): LeafConnection {
  return new Proxy(connection, {
    get(target, name) {
      if (name !== "streamQuery") {
        const value = Reflect.get(target, name, target) as unknown;
        return typeof value === "function" ? value.bind(target) : value;
      }
      return ((query, options) =>
        target.streamQuery(
          faulty.has(target.id)
            ? ({ ...query, states: [null] } as unknown as ResolvedQuery)
            : query,
          options,
        )) satisfies LeafConnection["streamQuery"];
    },
  });
}

const query: Query = { table: "t", from: 0, to: 1_000_000, timeoutMs };

/** The reason in a leaf's log, under the id that the client got. */
function reasonUnder(text: string): string {
  const id = /under ([0-9a-f-]{36})/.exec(text)?.[1] ?? "no id";
  return leaves.map(({ output }) => output.err.slice(output.err.indexOf(id) >>> 0)).join("");
}

test("one leaf that fails is missing, and a note says that it failed, at once", async () => {
  const whole = await client.query(query);
  expect(whole.completeness.fraction).toBe(1);
  expect(whole.notes).toBeUndefined();
  faulty.add("leaf-2");
  const result = await client.query(query);
  faulty.clear();
  expect(result.completeness.leaves).toMatchObject({ answered: 1, missing: ["leaf-2"] });
  const note = result.notes?.find(({ text }) => text.startsWith("leaf-2 is missing"))?.text ?? "";
  expect(note).toContain("the log of the server has the reason under");
  expect(reasonUnder(note)).toMatch(/TypeError.*\n\s+at /);
  expect(JSON.stringify(result)).not.toContain("TypeError");
});

test.each([false, true])("when all fail, a problem says so at once (exact: %s)", async (exact) => {
  faulty.add("leaf-1").add("leaf-2");
  const failed = await client.query({ ...query, exact }).catch((error: unknown) => error);
  faulty.clear();
  expect(failed).toMatchObject({ code: "leaf-failed", status: 500, retry: false });
  const { message } = failed as Error;
  expect(message).toMatch(/^Failed at this query: leaf-1, leaf-2\./);
  expect(message).not.toMatch(/TypeError|\n/);
  expect(reasonUnder(message)).toMatch(/TypeError.*\n\s+at /);
});

test("exact refuses what one leaf cannot answer, and both leaves go on", async () => {
  faulty.add("leaf-1");
  await expect(client.query({ ...query, exact: true })).rejects.toMatchObject({
    code: "leaf-failed",
  });
  faulty.clear();
  const { rows, completeness } = await client.query({ ...query, exact: true });
  expect([rows[0]?.[0], completeness.fraction]).toEqual([rowsSent, 1]);
});

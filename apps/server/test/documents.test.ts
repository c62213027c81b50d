import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { DocumentDraft } from "@hadal/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../src/registry/testing/postgresServer.js";
import { type Cluster, startCluster } from "./support/startCluster.js";
import { waitUntil } from "./support/waitUntil.js";

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.remove());

const draft = (title: string): DocumentDraft => ({
  ...{ kind: "query", title },
  body: { query: { table: "visits", from: "-3h", to: "now" }, path: "/explore?v=1&table=visits" },
});

/** Raw HTTP, as curl would send it. */
const send = ({ url }: Cluster, path: string, init: RequestInit = {}) =>
  fetch(`${url}/api/v1${path}`, {
    ...init,
    headers: { "content-type": "application/json", ...init.headers },
  });

test.each(["SQLite", "PostgreSQL"])(
  "saved queries in %s: versions, conflicts, search, restart",
  async (kind) => {
    const environment =
      kind === "SQLite" ? {} : { HADAL_DATABASE_URL: await postgres.createDatabase() };
    let cluster = await startCluster({ leaves: 1, environment });
    try {
      const { documents } = cluster.client;
      const created = await documents.create(draft("Errors by country"));
      expect(created).toMatchObject({ version: 1, createdBy: null, body: draft("").body });
      const { id } = created;
      const saved = await documents.save(id, draft("Errors by city"), { version: 1 });
      expect(saved.version).toBe(2);
      await expect(documents.save(id, draft("Late"), { version: 1 })).rejects.toMatchObject({
        ...{ code: "version-conflict", status: 412 },
        members: { current: { version: 2, title: "Errors by city" }, yours: { title: "Late" } },
      });
      const old = await documents.version(id, 1);
      await documents.save(id, { kind: "query", title: old.title, body: old.body });
      expect((await documents.versions(id)).map(({ title }) => title)).toEqual([
        ...["Errors by country", "Errors by city", "Errors by country"],
      ]);
      await documents.create({ kind: "dashboard", title: "Site", body: { sections: [] } });
      expect(
        (await documents.list({ kind: "query", text: "ERRORS" })).map((one) => one.id),
      ).toEqual([id]);

      const reply = await send(cluster, `/documents/${id}`);
      expect(reply.headers.get("etag")).toBe('"3"');
      const conflict = await send(cluster, `/documents/${id}`, {
        ...{ method: "PUT", body: JSON.stringify(draft("x")), headers: { "if-match": '"2"' } },
      });
      expect(conflict.status).toBe(412);
      expect(await conflict.json()).toMatchObject({
        code: "version-conflict",
        current: { version: 3 },
      });
      for (const [path, init, status] of [
        ["/documents", { method: "POST", body: '{"kind":"function","title":"x","body":{}}' }, 400],
        ["/documents?kind=function", {}, 400],
        ["/documents/function:double", {}, 404],
        [`/documents/${id}/versions/0`, {}, 404],
        [`/documents/${id}/versions/99`, {}, 404],
        [`/documents/${id}`, { method: "DELETE", headers: { "if-match": "two" } }, 400],
      ] as const) {
        expect((await send(cluster, path, init)).status, path).toBe(status);
      }

      if (kind === "PostgreSQL") {
        await cluster.stop();
        // Nothing of a document is in the data folder.
        cluster = await startCluster({ leaves: 1, environment });
        expect((await cluster.client.documents.find(id)).title).toBe("Errors by country");
      }
      await cluster.client.documents.delete(id, { version: 3 });
      await expect(cluster.client.documents.find(id)).rejects.toMatchObject({
        code: "unknown-document",
      });
    } finally {
      await cluster.stop();
    }
  },
  60_000,
);

test("with PostgreSQL stopped, queries and ingest go on, and changes wait for it", async () => {
  const url = await postgres.createDatabase();
  const cluster = await startCluster({ leaves: 1, environment: { HADAL_DATABASE_URL: url } });
  const { client } = cluster;
  const rows = (times: number) => `{"time":${times}}\n`;
  const options = { contentType: "application/x-ndjson", timeUnit: "ms" } as const;
  const count = async () =>
    (
      await client.query({
        table: "t",
        from: 0,
        to: 100,
        derive: [{ as: "one", js: "(row) => 1" }],
      })
    ).rows[0]?.[0];
  try {
    await client.ingestBody("t", rows(1), options);
    await client.saveFunction("one", { source: "(x) => 1" });
    await postgres.stop();
    const refusal = { code: "registry-unavailable", status: 503, retry: true };
    await expect(client.documents.create(draft("x"))).rejects.toMatchObject(refusal);
    await expect(client.saveFunction("two", { source: "(x) => 2" })).rejects.toMatchObject(refusal);
    await expect(client.saveLink("/status")).rejects.toMatchObject(refusal);
    await expect(client.setTable("t", {} as never)).rejects.toMatchObject({ retry: true });
    await client.ingestBody("t", rows(2), options);
    expect(await count()).toBe(2);
    expect((await client.function("one")).version).toBe(1);
    // A gateway that starts meanwhile goes on with what was read last.
    process.kill(await cluster.gatewayPid(), "SIGKILL");
    await waitUntil("the next gateway", () => client.status().catch(() => null), 20_000);
    await client.ingestBody("t", rows(3), options);
    expect(await count()).toBe(3);
    expect((await client.function("one")).version).toBe(1);
    await postgres.start();
    await waitUntil("the registry", () => client.saveLink("/status").catch(() => null), 20_000);
    await client.saveFunction("two", { source: "(x) => 2" });
  } finally {
    await cluster.stop();
  }
}, 90_000);

test("a registry file that is deleted under a server is reported, and no empty one takes its place", async () => {
  const cluster = await startCluster({ leaves: 1 });
  const path = join(cluster.dataDir, "registry.db");
  try {
    await cluster.client.documents.create(draft("kept"));
    await rm(path);
    await expect(cluster.client.documents.create(draft("x"))).rejects.toMatchObject({
      code: "registry-unavailable",
    });
    expect(await cluster.client.tables()).toEqual([]);
    await expect(readFile(path)).rejects.toMatchObject({ code: "ENOENT" });
  } finally {
    await cluster.stop();
  }
}, 60_000);

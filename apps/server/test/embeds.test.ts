import { once } from "node:events";
import { createClient, type EmbedDraft, type HadalClient, type Query } from "@hadal/sdk";
import { printSql } from "@hadal/sdk/sql";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { sendRows } from "./support/allTime.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

/** Embeds of the real program, as a page of another host uses them. */

const host = "https://intranet.example";
/** What the interface promises. */
const revokedMsMax = 5_000;
const rows = 1_000;
const startMs = Date.UTC(2026, 0, 1);
const range = { from: startMs, to: startMs + 60_000 } as const;
const count: Query = { ...range, table: "visits", aggregates: [{ fn: "count" }] };
const draft: EmbedDraft = {
  ...{ title: "Visits", table: "visits", views: ["timeseries"], rangeMsMax: 3_600_000 },
  ...{ groupBy: ["time", "page"], hiddenColumns: ["ip"], frameAncestors: [host] },
  filter: [{ column: "shop", op: "=", value: "berlin" }],
};
const ended = {
  ...{ code: "unauthenticated", status: 401 },
  message: expect.stringContaining("expired or was revoked"),
};

let cluster: Cluster;
const opened: HadalClient[] = [];

/** The socket as a page of that origin opens it. */
function visitor(token: string, origin = host): HadalClient {
  class PageSocket extends WebSocket {
    constructor(url: string, protocols?: string[]) {
      super(url, protocols, { origin });
    }
  }
  const webSocket = PageSocket as never;
  const fetchOfPage: typeof fetch = (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set("origin", origin);
    return fetch(input, { ...init, headers });
  };
  const client = createClient({ url: cluster.url, token, webSocket, fetch: fetchOfPage });
  opened.push(client);
  return client;
}

beforeAll(async () => {
  cluster = await startCluster({ leaves: 1, environment: { HADAL_USER_LIVE_QUERIES: "3" } });
  const lines = Array.from({ length: rows }, (_, i) => ({
    ...{ time: startMs + i, page: `/p${i % 3}`, ip: `10.0.0.${i % 200}`, ms: i },
    shop: i % 4 === 0 ? "berlin" : "paris",
  }));
  await sendRows(cluster, "visits", lines);
}, 60_000);
afterAll(async () => {
  for (const client of opened) client.close();
  await cluster?.stop();
});

describe("a page of another host", () => {
  test("asks by HTTP and by socket, and sees what its token shows", async () => {
    const { token, html } = await cluster.client.embeds.create(draft);
    expect(html).toContain(`<script type="module" src="${cluster.url}/embed/hadal-chart.js">`);
    const page = visitor(token);
    const self = await page.embeds.self();
    expect(self).toMatchObject({ title: "Visits", groupBy: ["time", "page"], mayOpen: true });
    expect(self.columns.map(({ name }) => name)).not.toContain("ip");
    expect(JSON.stringify(self)).not.toContain("berlin");
    const { rows: counted } = await page.query({ ...count, groupBy: ["page"] });
    expect(counted.reduce((sum, [, n]) => sum + Number(n), 0)).toBe(rows / 4);
    const httpOnly = createClient({ url: cluster.url, token });
    expect((await httpOnly.query(count)).rows[0]?.[0]).toBe(rows / 4);
    expect((await page.query(printSql(count))).rows[0]?.[0]).toBe(rows / 4);
    const values = await page.values("visits", "page", range);
    expect(values.map(({ count: n }) => n).reduce((a, b) => Number(a) + Number(b), 0)).toBe(250);
    for (const refused of [
      () => page.query({ ...count, groupBy: ["shop"] }),
      () => page.query({ ...range, table: "visits", sampleView: {} }),
      () => page.query({ ...count, to: startMs + 3_600_001 }),
      () => page.query({ ...count, table: "others" }),
      () => page.query(printSql({ ...count, aggregates: [{ fn: "min", column: "shop" }] })),
      () => page.values("visits", "shop", range),
      () => page.facets({ ...range, table: "visits", columns: ["ms"] }),
      () => page.tables(),
      () => page.embeds.create(draft),
    ]) {
      await expect(refused()).rejects.toMatchObject({ code: "token-scope", status: 403 });
    }
    const hidden = page.query({ ...count, groupBy: ["ip"] });
    await expect(hidden).rejects.toMatchObject({ code: "unknown-column" });
  });

  test("that the token does not name is refused, by HTTP and by socket", async () => {
    const { token } = await cluster.client.embeds.create(draft);
    const reply = await fetch(`${cluster.url}/api/v1/embeds/self`, {
      headers: { authorization: `Bearer ${token}`, origin: "https://other.example" },
    });
    expect([reply.status, (await reply.json()).code]).toEqual([403, "origin-refused"]);
    const socket = new WebSocket(
      `${cluster.url.replace("http", "ws")}/api/v1/live`,
      ["hadal.v1", `hadal.bearer.${token}`],
      { origin: "https://other.example" },
    );
    const [error] = (await once(socket, "error")) as [Error];
    expect(error.message).toContain("403");
    await expect(visitor(token, "https://other.example").query(count)).rejects.toMatchObject({
      code: "origin-refused",
    });
  });

  test("shares the limits of its embed with all other pages of it", async () => {
    const { id, token } = await cluster.client.embeds.create(draft);
    const again = await cluster.client.embeds.token(id);
    const live = async (client: HadalClient) => {
      const query = client.live(count, { everyMs: 60_000 });
      // It goes on until it is stopped: a loop that ends would stop it.
      await query[Symbol.asyncIterator]().next();
      return query;
    };
    const pages = [visitor(token), visitor(again.token), visitor(token)];
    const first = await Promise.all(pages.map(live));
    const refusal = await new Promise((onProblem) => {
      first.push(visitor(again.token).live(count, { everyMs: 60_000, onProblem }));
    });
    expect(refusal).toMatchObject({ code: "quota-exceeded" });
    const other = await cluster.client.embeds.create(draft);
    first.push(await live(visitor(other.token)));
    for (const query of first) query.stop();
  });
});

describe("live queries and batches end with a problem that says why", () => {
  /** How long after `happen` they end, and with what. */
  async function endedAfter(token: string, happen: () => Promise<unknown>) {
    const page = visitor(token);
    const problems: unknown[] = [];
    const firsts: Promise<void>[] = [];
    const ends = [
      new Promise<void>((resolve) => {
        firsts.push(
          new Promise((answered) => {
            page.batch([{ tile: "a", query: count }], {
              everyMs: 500,
              onResult: () => answered(),
              onProblem: (_, problem) => {
                problems.push(problem);
                resolve();
              },
            });
          }),
        );
      }),
      (async () => {
        let answered = (): void => undefined;
        firsts.push(new Promise((resolve) => (answered = resolve)));
        try {
          for await (const _ of page.live(count, { everyMs: 500 })) answered();
        } catch (problem) {
          problems.push(problem);
        }
      })(),
    ];
    await Promise.all(firsts);
    const startedMs = performance.now();
    await happen();
    await Promise.all(ends);
    return { ms: performance.now() - startedMs, problems };
  }

  test("when the embed is revoked", async () => {
    const { id, token } = await cluster.client.embeds.create(draft);
    const { ms, problems } = await endedAfter(token, () => cluster.client.embeds.revoke(id));
    expect(ms).toBeLessThan(revokedMsMax);
    expect(problems.length).toBeGreaterThanOrEqual(2);
    for (const problem of problems) expect(problem).toMatchObject(ended);
    await expect(visitor(token).query(count)).rejects.toMatchObject(ended);
    await expect(createClient({ url: cluster.url, token }).query(count)).rejects.toMatchObject(
      ended,
    );
    const frame = await fetch(`${cluster.url}/embed/${id}`);
    expect([frame.status, await frame.text()]).toEqual([
      ...[410, expect.stringContaining("This chart was withdrawn")],
    ]);
  });

  test("when the token expires", async () => {
    const { token, expiresMs } = await cluster.client.embeds.create({
      ...{ ...draft, expiresInMs: 4_000 },
    });
    const { problems } = await endedAfter(token, async () => undefined);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresMs);
    expect(Date.now()).toBeLessThan(expiresMs + revokedMsMax);
    expect(problems.length).toBeGreaterThanOrEqual(2);
    for (const problem of problems) expect(problem).toMatchObject(ended);
  });
});

test("a host signs tokens with a key of its own, until that is removed", async () => {
  const { publicKey, privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519" });
  const jwk = (await exportJWK(publicKey)) as { kty: string };
  const { kid } = await cluster.client.embeds.addKey({ jwk, tables: ["visits"] });
  const { title: _, ...hadal } = draft;
  const token = await new SignJWT({ hadal, jti: "1" })
    .setProtectedHeader({ alg: "EdDSA", kid })
    .setAudience("hadal-embed")
    .setExpirationTime("1h")
    .sign(privateKey);
  const page = visitor(token);
  expect((await page.query(count)).rows[0]?.[0]).toBe(rows / 4);
  const [header, payload, signature] = token.split(".") as [string, string, string];
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
  const wider = { ...claims, hadal: { ...claims.hadal, filter: [] } };
  const forged = [header, Buffer.from(JSON.stringify(wider)).toString("base64url"), signature];
  await expect(visitor(forged.join(".")).query(count)).rejects.toMatchObject({ status: 403 });
  await cluster.client.embeds.removeKey(kid);
  await expect(visitor(token).query(count)).rejects.toMatchObject(ended);
});

test("the script, its parts and the page for frames are served to every page", async () => {
  const { id } = await cluster.client.embeds.create(draft);
  const script = await fetch(`${cluster.url}/embed/hadal-chart.js`, { headers: { origin: host } });
  expect([script.status, script.headers.get("access-control-allow-origin")]).toEqual([200, "*"]);
  const [part] = /assets\/[\w.-]+\.js/.exec(await script.text()) ?? [];
  const asset = await fetch(`${cluster.url}/embed/${part}`, { headers: { origin: host } });
  expect([asset.status, asset.headers.get("cache-control")]).toEqual([
    ...[200, "public, max-age=31536000, immutable"],
  ]);
  const frame = await fetch(`${cluster.url}/embed/${id}`);
  expect(frame.headers.get("content-security-policy")).toMatch(
    /(^|; )frame-ancestors https:\/\/intranet\.example$/,
  );
  expect((await fetch(`${cluster.url}/embed/none`)).status).toBe(404);
});

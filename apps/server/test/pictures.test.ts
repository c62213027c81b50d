import { writeFileSync } from "node:fs";
import {
  createClient,
  type Dashboard,
  type DashboardTile,
  type EmbedDraft,
  type HadalClient,
  type Query,
} from "@hadal/sdk";
import { PNG } from "pngjs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { adminOf } from "./support/people.js";
import { type Cluster, startCluster } from "./support/startCluster.js";

/** Pictures of boards, tiles and embeds, drawn by the real program. */

const minuteMs = 60_000;
const toMs = Date.UTC(2026, 10, 21, 12);
const fromMs = toMs - 180 * minuteMs;
const services = ["cart", "search", "pay"];
const countries = ["DE", "US", "JP", "BR"];
const rowCount = 7_200;

/** Three quarters of the rows are of the last three hours; those before have another mix of countries. */
const row = (i: number) => ({
  time: toMs - Math.floor((i * 240 * minuteMs) / rowCount) - 1,
  service: services[i % 7 < 4 ? 0 : i % 7 < 6 ? 1 : 2],
  country: countries[i > 5_400 ? 3 : i % 5 === 0 ? 1 : i % 4],
  status: i % 50 === 0 ? 500 : 200,
  latency_us: 900 + ((i * 7_919) % 90_000),
  size: (i * 31) % 5_000,
  tags: ["web", ...(i % 3 === 0 ? ["beta"] : [])],
  trace: ["main", i % 2 === 0 ? "read" : "write", `leaf${i % 4}`],
  user: `u${i % 40}`,
});

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ leaves: 2 });
  const rows = Array.from({ length: rowCount }, (_, i) => row(i));
  const sent = await fetch(`${cluster.url}/api/v1/tables/visits/rows`, {
    ...{ method: "POST", headers: { "content-type": "application/x-ndjson" } },
    body: rows.map((one) => JSON.stringify(one)).join("\n"),
  });
  expect(sent.status, await sent.text()).toBe(200);
}, 60_000);
afterAll(() => cluster?.stop());

const hour: Query = { table: "visits", from: fromMs, to: toMs };
const byService: Query = { ...hour, groupBy: ["service"], aggregates: [{ fn: "count" }] };

/** Each view with a query that it can show, and what its picture says beside title and status. */
const views: readonly {
  readonly view: string;
  readonly query: Query;
  readonly options?: Readonly<Record<string, string>>;
  readonly says: readonly string[];
}[] = [
  { view: "timeseries", query: byService, says: ["cart", "search"] },
  { view: "area", query: byService, says: ["cart", "search"] },
  { view: "table", query: byService, says: ["cart", "search", "pay"] },
  { view: "bar", query: byService, says: ["cart"] },
  { view: "distribution", query: hour, says: ["latency_us", "p95"] },
  { view: "heatmap", query: hour, says: ["latency_us"] },
  { view: "percentiles", query: hour, says: ["p99"] },
  { view: "pie", query: byService, says: ["cart"] },
  { view: "treemap", query: byService, says: ["cart"] },
  { view: "sankey", query: { ...hour, groupBy: ["service", "country"] }, says: ["cart", "US"] },
  { view: "pivot", query: { ...hour, groupBy: ["service", "country"] }, says: ["cart", "US"] },
  { view: "scatter", query: hour, options: { x: "size" }, says: ["latency_us", "size"] },
  { view: "map", query: hour, says: ["US"] },
  { view: "tags", query: hour, says: ["beta"] },
  { view: "leaderboards", query: hour, says: ["cart", "service"] },
  { view: "flame", query: hour, options: { stack: "trace" }, says: ["main", "leaf2"] },
  { view: "status", query: byService, says: ["cart"] },
  { view: "calendar", query: { ...hour, from: "2026-11-01T00:00:00Z" }, says: ["21"] },
  { view: "bignumber", query: hour, says: ["count"] },
  { view: "timeline", query: hour, says: [] },
  { view: "changes", query: { ...hour, compare: { offset: "3h" } }, says: ["country", "BR"] },
  { view: "rows", query: hour, says: ["cart", "service"] },
  { view: "query", query: byService, says: ["cart"] },
];

const tile = (id: string, more: Partial<DashboardTile> = {}): DashboardTile =>
  ({ id, x: 0, y: 0, w: 6, h: 6, query: byService, view: "table", ...more }) as DashboardTile;

async function board(client: HadalClient, body: Dashboard, title = "Visits"): Promise<string> {
  const saved = await client.documents.create({ kind: "dashboard", title, body: body as never });
  return saved.id;
}

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

/** What the SVG writes, its entities read. */
const wordsOf = (svg: string): string =>
  [...svg.matchAll(/>([^<>]+)</g)]
    .map(([, text = ""]) => text)
    .join("\n")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const decode = (bytes: Uint8Array): PNG => PNG.sync.read(Buffer.from(bytes));

/** How many colours a picture has, at most 100. */
function coloursOf({ data }: PNG): number {
  const seen = new Set<number>();
  for (let at = 0; at < data.length && seen.size < 100; at += 4) seen.add(data.readInt32LE(at));
  return seen.size;
}

test.each(views)("a picture of the view $view", async ({ view, query, options, says }) => {
  const { documents } = cluster.client;
  const from = typeof query.from === "number" ? fromMs : String(query.from);
  const body: Dashboard = {
    ...{ from, to: toMs, timeZone: "UTC" },
    ...(query.compare && { compare: query.compare }),
    sections: [
      {
        tiles: [
          tile("t", { query, view, viewOptions: options ?? {}, title: `View ${view}` } as never),
        ],
      },
    ],
  };
  const id = await board(cluster.client, body);
  const wanted = { tile: "t", width: 900, height: 520 } as const;
  const svg = textOf(await documents.image(id, { ...wanted, format: "svg" }));
  const words = wordsOf(svg);
  const folder = process.env.HADAL_PICTURES;
  if (folder !== undefined) writeFileSync(`${folder}/${view}.svg`, svg);
  for (const text of [`View ${view}`, "2/2 leaves", "100 % of rows", ...says])
    expect(words).toContain(text);
  const png = decode(await documents.image(id, wanted));
  expect([png.width, png.height]).toEqual([900, 520]);
  expect(coloursOf(png)).toBeGreaterThan(20);
  // For eyes: HADAL_PICTURES=/tmp/pictures vitest run test/pictures.test.ts
  if (folder !== undefined) {
    for (const theme of ["light", "dark"] as const)
      writeFileSync(
        `${folder}/${view}-${theme}.png`,
        await documents.image(id, { ...wanted, theme }),
      );
  }
});

test("the numbers of a picture are those of the answer", async () => {
  const { client } = cluster;
  const { rows } = await client.query({
    ...byService,
    filter: [{ column: "status", op: "=", value: 500 }],
  });
  const id = await board(client, {
    ...{ from: fromMs, to: toMs, filter: [{ column: "status", op: "=", value: 500 }] },
    sections: [{ tiles: [tile("t")] }],
  });
  const svg = textOf(await client.documents.image(id, { format: "svg" }));
  expect(rows).toHaveLength(3);
  for (const [service, count] of rows) expect(wordsOf(svg)).toContain(`${service}\n${count}`);
  // Another time, other numbers: the PNG is another one too.
  const now = await client.documents.image(id);
  const before = await client.documents.image(id, { from: fromMs - 3 * 60 * minuteMs, to: fromMs });
  expect(decode(now).data.equals(decode(before).data)).toBe(false);
});

test("a whole board: sizes, themes, formats, and how complete it is", async () => {
  const id = await board(cluster.client, {
    ...{ from: fromMs, to: toMs },
    sections: [
      {
        title: "<b>One</b>",
        tiles: [tile("a", { title: "<script>x</script>" } as never), tile("b", { x: 6 })],
      },
    ],
  });
  const path = `${cluster.url}/api/v1/documents/${id}`;
  const reply = await fetch(`${path}/image.svg`);
  const svg = await reply.text();
  expect(reply.headers.get("x-hadal-completeness")).toMatch(/^1; rows \d+\/\d+; leaves 2\/2$/);
  expect(reply.headers.get("content-type")).toBe("image/svg+xml");
  expect(reply.headers.get("content-security-policy")).toContain("sandbox");
  expect(reply.headers.get("cache-control")).toBe("private, max-age=10");
  expect(svg).not.toMatch(/<script|<b>/);
  expect(wordsOf(svg)).toContain("<script>x</script>");
  const light = decode(await cluster.client.documents.image(id));
  const dark = decode(await cluster.client.documents.image(id, { theme: "dark" }));
  expect(light.width).toBe(1_280);
  expect([dark.width, dark.height]).toEqual([light.width, light.height]);
  expect(light.data[0]).toBeGreaterThan(200);
  expect(dark.data[0]).toBeLessThan(60);
  const pdf = textOf(await cluster.client.documents.image(id, { format: "pdf" }));
  expect(pdf.slice(0, 5)).toBe("%PDF-");
  expect(pdf).toContain(`/MediaBox [0 0 ${light.width * 0.75} ${light.height * 0.75}]`);
  if (process.env.HADAL_PICTURES !== undefined)
    writeFileSync(
      `${process.env.HADAL_PICTURES}/board.pdf`,
      await cluster.client.documents.image(id, { format: "pdf" }),
    );
});

test("what cannot be drawn is a clear problem, soon", async () => {
  const { client } = cluster;
  const many = Array.from({ length: 500 }, (_, i) => tile(`t${i}`, { y: 6 * i }));
  const large = await board(client, { sections: [{ tiles: many }] });
  const startMs = performance.now();
  await expect(client.documents.image(large)).rejects.toMatchObject({ code: "bad-request" });
  expect(performance.now() - startMs).toBeLessThan(10_000);
  const gone = await board(client, {
    sections: [
      { tiles: [tile("a"), tile("b", { query: { ...byService, table: "gone" } } as never)] },
    ],
  });
  const reply = await fetch(`${cluster.url}/api/v1/documents/${gone}/image.svg`);
  expect(reply.headers.get("x-hadal-completeness")).toMatch(/^0; /);
  expect(wordsOf(await reply.text())).toContain("No table is called gone.");
  for (const [wanted, code] of [
    ["tile=b", "unknown-table"],
    ["tile=none", "bad-request"],
    ["width=5", "bad-request"],
    ["width=100000", "bad-request"],
    ["theme=blue", "bad-request"],
    ["timeZone=Mars", "bad-request"],
    ["from=yesterdayish", "time-range-invalid"],
    ["other=1", "bad-request"],
  ]) {
    const refused = await fetch(`${cluster.url}/api/v1/documents/${gone}/image.png?${wanted}`);
    expect([wanted, ((await refused.json()) as { code: string }).code]).toEqual([wanted, code]);
  }
  await expect(client.documents.image("none")).rejects.toMatchObject({ code: "unknown-document" });
});

test("no picture has more than its reader may read", async () => {
  const admin = adminOf(cluster.url);
  const { token } = await admin.createToken(["query:visits"]);
  const other = await admin.createToken(["query:others"]);
  const as = (secret: string) =>
    createClient({ url: cluster.url, token: secret, webSocket: WebSocket as never });
  const id = await board(cluster.client, {
    from: fromMs,
    to: toMs,
    sections: [{ tiles: [tile("a")] }],
  });
  expect(textOf(await as(token).documents.image(id, { format: "svg" }))).toContain("cart");
  await expect(as(other.token).documents.image(id, { format: "svg" })).rejects.toMatchObject({
    code: "unknown-document",
  });
});

const embed: EmbedDraft = {
  ...{ title: "Visits of Germany", table: "visits", views: ["table", "bar"] },
  filter: [{ column: "country", op: "=", value: "DE" }],
  ...{ hiddenColumns: ["user"], groupBy: ["service", "time"], rangeMsMax: 6 * 3_600_000 },
  ...{ query: byService, view: "table" },
};

test("pictures of an embed: within its token, or by a signed address", async () => {
  const { client, url } = cluster;
  const { id, token } = await client.embeds.create(embed);
  const path = `${url}/api/v1/embeds/${id}/image`;
  const ask = async (address: string, secret?: string) => {
    const headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
    const reply = await fetch(address, { headers });
    const text = await reply.text();
    const code = reply.ok ? "" : (JSON.parse(text) as { code: string }).code;
    return { status: reply.status, text, code, headers: reply.headers };
  };
  const { rows } = await client.query({ ...byService, filter: embed.filter ?? [] });
  const own = await ask(`${path}.svg?width=640&height=400`, token);
  expect(own.status, own.text).toBe(200);
  expect(own.text).toContain('width="640" height="400"');
  for (const [service, count] of rows)
    expect(wordsOf(own.text)).toMatch(
      new RegExp(`${service}\\n${Number(count) < 1_000 ? count : ""}`),
    );
  expect(own.headers.get("x-hadal-completeness")).toMatch(/^1; .*leaves 2\/2$/);

  const asked = (query: Query, view = "table") =>
    ask(`${path}.svg?view=${view}&query=${encodeURIComponent(JSON.stringify(query))}`, token);
  expect((await asked(byService, "bar")).status).toBe(200);
  for (const refused of [
    await asked(byService, "rows"),
    await asked({ ...byService, groupBy: ["country"] }),
    await asked({ ...byService, filter: [{ column: "user", op: "=", value: "u1" }] }),
    await asked({ ...byService, from: fromMs - 30 * 3_600_000 }),
    await asked({ ...byService, table: "others" }),
    await ask(`${url}/api/v1/embeds/other/image.svg`, token),
    await ask(`${url}/api/v1/documents/x/image.svg`, token),
  ])
    expect([400, 403, 404]).toContain(refused.status);
  expect((await ask(`${path}.svg`)).code).toBe("unknown-embed");

  const signed = await client.embeds.imageUrl(id, { width: 500, height: 300, format: "svg" });
  const shown = await ask(signed.url);
  expect(shown.status, shown.text).toBe(200);
  expect(shown.text).toContain('width="500" height="300"');
  // An <img> of another page shows it.
  expect(shown.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  expect(own.headers.get("cross-origin-resource-policy")).toBe("same-origin");
  const tampered = signed.url.replace(
    /signature=(.{60})(.)/,
    (_, head: string, letter: string) => `signature=${head}${letter === "A" ? "B" : "A"}`,
  );
  expect((await ask(tampered)).status).toBe(403);
  // It is no token: nothing else takes it.
  const signature = new URL(signed.url).searchParams.get("signature") ?? "";
  expect((await ask(`${path}.svg`, signature)).status).toBe(403);
  expect((await ask(`${url}/api/v1/embeds/self?signature=${signature}`)).status).not.toBe(200);
  expect((await ask(signed.url.replace(id, "other"))).status).toBe(404);
  await expect(client.embeds.imageUrl(id, { view: "rows" })).rejects.toMatchObject({
    code: "token-scope",
  });
  await expect(client.embeds.imageUrl(id, { width: 1 })).rejects.toMatchObject({
    code: "invalid-query",
  });
  await client.embeds.revoke(id);
  await expect.poll(async () => (await ask(signed.url)).status, { timeout: 6_000 }).toBe(401);
});

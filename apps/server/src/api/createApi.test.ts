import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { apiBase, createClient } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { rowsText, withFolder } from "../ingest/testing/gateway.js";
import { query, resultOf, withApi } from "./testing/startApi.js";

const rowsUrl = `${apiBase}/tables/t/rows`;
const ndjson = { "content-type": "application/x-ndjson" };

/** What a server answers to a request of these lines. */
async function sendRaw(port: number, lines: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${lines}connection: close\r\n\r\n`);
  let reply = "";
  for await (const part of socket) reply += String(part);
  return reply;
}

describe("the rest", () => {
  it("closes even if a browser keeps an unused connection", () =>
    withApi({}, async ({ app }) => {
      await app.listen({ host: "127.0.0.1", port: 0 });
      const accepted = once(app.server, "connection");
      const { port } = app.server.address() as AddressInfo;
      const unused = connect(port, "127.0.0.1");
      await Promise.all([accepted, once(unused, "connect")]);
      const ended = once(unused, "close");
      await app.close();
      await ended;
    }));

  it("reports status, health and metrics", () => {
    let reason: string | null = "leaves are starting";
    return withApi(
      { deps: { unready: () => reason, metrics: async () => "other_metric 1\n" } },
      async ({ app }) => {
        expect((await app.inject({ url: "/healthz" })).statusCode).toBe(200);
        expect((await app.inject({ url: "/readyz" })).json()).toMatchObject({
          status: 503,
          detail: reason,
        });
        reason = null;
        expect((await app.inject({ url: "/readyz" })).statusCode).toBe(200);
        await app.inject({
          method: "POST",
          url: `${rowsUrl}?timeUnit=ms`,
          headers: ndjson,
          payload: `${rowsText(2)}\nx`,
        });
        const status = (await app.inject({ url: `${apiBase}/status` })).json();
        expect(status).toEqual({
          ledger: {
            state: "whole",
            reason: null,
            comparedMs: null,
            lostRows: [],
            lostColumns: [],
            doubts: [],
          },
          members: [],
          tables: [],
          queries: [],
          admission: { running: 0, waiting: 0, refused: 0, answerBytes: 0 },
          demo: null,
          sandbox: { state: "unused", keeps: [] },
          ingest: {
            rowsAccepted: 2,
            rowsRejected: 1,
            batches: 1,
            tables: [{ name: "t", accepted: 2, rejected: 1, late: 2, future: 0 }],
            ...{ bytesHeld: 0, waiting: 0, refused: 0 },
            stages: [{ stage: "open", rows: 2, lagMs: 1_500 }],
          },
          sources: [],
        });
        const metrics = (await app.inject({ url: "/metrics" })).body;
        expect(metrics).toMatch(/^hadal_rows_accepted_total 2$/m);
        expect(metrics).toMatch(
          /hadal_http_request_seconds_count\{[^}]*route="\/api\/v1\/tables\/:table\/rows",status="200"\} 1/,
        );
        expect(metrics).toMatch(/^hadal_stage_rows\{stage="open"\} 2$/m);
        expect(metrics).toMatch(/^hadal_stage_lag_seconds\{stage="open"\} 1\.5$/m);
        expect(metrics).toMatch(/^other_metric 1$/m);
      },
    );
  });

  it("has a problem for unknown paths, and security headers", () =>
    withApi({}, async ({ app }) => {
      for (const [method, url] of [
        ["GET", "/nope"],
        ["GET", `${apiBase}/nope`],
        ["POST", `${apiBase}/tables//rows/x`],
      ] as const) {
        const reply = await app.inject({ method, url, headers: { accept: "text/html" } });
        expect(reply.json()).toMatchObject({ status: 404, code: "not-found" });
        expect(reply.headers["content-security-policy"]).toMatch(/default-src 'self'/);
        expect(reply.headers["x-content-type-options"]).toBe("nosniff");
      }
    }));

  it("says of a path that is there which methods it takes", () =>
    withApi({}, async ({ app }) => {
      for (const [method, url, allow] of [
        ["PUT", rowsUrl, "POST"],
        ["GET", `${apiBase}/query?x=1`, "POST"],
        ["POST", `${apiBase}/tables/a%2Fb`, "GET, HEAD, DELETE"],
        ["DELETE", "/healthz", "GET, HEAD"],
      ] as const) {
        const reply = await app.inject({ method, url, headers: { accept: "text/html" } });
        expect(reply.json()).toMatchObject({ status: 405, code: "method-not-allowed" });
        expect(reply.headers.allow).toBe(allow);
        const path = url.split("?")[0];
        expect(reply.json().detail).toBe(`${path} takes ${allow}, not ${method}.`);
      }
    }));

  it("serves the web app: assets for ever, the page for every screen, nothing beside its folder", () =>
    withFolder(async (webFolder) => {
      await mkdir(join(webFolder, "assets"));
      await writeFile(join(webFolder, "index.html"), "<p>page");
      await writeFile(join(webFolder, "assets", "app-1a2b.js"), "code()");
      await withApi({ settings: { webFolder } }, async ({ app }) => {
        const get = (url: string, accept = "text/html") => app.inject({ url, headers: { accept } });
        for (const url of ["/", "/explore?q=1", "/index.html"]) {
          const page = await get(url);
          expect([page.statusCode, page.body, page.headers["cache-control"]]).toEqual([
            200,
            "<p>page",
            "no-cache",
          ]);
        }
        const asset = await get("/assets/app-1a2b.js", "*/*");
        expect([asset.body, asset.headers["cache-control"]]).toEqual([
          "code()",
          "public, max-age=31536000, immutable",
        ]);
        await writeFile(join(webFolder, "assets", "app-1a2b.js.br"), "c()");
        const small = await app.inject({
          url: "/assets/app-1a2b.js",
          headers: { "accept-encoding": "gzip, deflate, br" },
        });
        expect([small.body, small.headers]).toMatchObject([
          "c()",
          {
            "content-encoding": "br",
            "content-type": expect.stringContaining("javascript"),
            "cache-control": asset.headers["cache-control"],
            vary: "accept-encoding",
          },
        ]);
        expect(asset.headers).not.toHaveProperty("content-encoding");
        for (const url of ["/assets/gone.js", `${apiBase}/nope`, "/favicon.ico"]) {
          expect((await get(url)).statusCode).toBeGreaterThanOrEqual(400);
        }
        expect((await get("/..%2f..%2fetc/passwd")).body).toBe("<p>page");
        expect((await get("/explore", "application/json")).json()).toMatchObject({
          code: "not-found",
        });
      });
    }));

  it("paths that leave the folder of the page or cannot be read are not found, and no fault of the server", () =>
    withFolder(async (webFolder) => {
      await writeFile(join(webFolder, "index.html"), "<p>page");
      await withApi({ settings: { webFolder } }, async ({ listen, app, logged }) => {
        await listen();
        const { port } = app.server.address() as AddressInfo;
        for (const [path, status] of [
          ["/%00", 404],
          ["/..", 404],
          ["/assets/../../index.html", 404],
          ["/assets/%2e%2e/%2e%2e/index.html", 404],
          ["/a%5c..%5c..%5c", 404],
          ["/..%2f..%2fetc/passwd", 404],
          ["/%ff", 400],
          ["/%", 400],
          ["/api/v1/tables/%ff", 400],
        ] as const) {
          // By a socket: clients mend such paths before they send them.
          const reply = await sendRaw(port, `GET ${path} HTTP/1.1\r\nhost: localhost\r\n`);
          expect([path, Number(reply.split(" ")[1])]).toEqual([path, status]);
          expect(reply).toContain("application/problem+json");
          expect(reply).not.toContain(webFolder);
        }
        expect(logged).toEqual([]);
      });
    }));

  it("works with the SDK as it is", () =>
    withApi({ ask: async () => resultOf([[2n ** 60n]]) }, async ({ listen, leaf }) => {
      const client = createClient({ url: await listen() });
      const ingest = client.ingest("t", { batchRows: 10, timeUnit: "ms" });
      for (let i = 0; i < 25; i++) await ingest.push({ time: i, big: 2n ** 60n });
      expect(await ingest.close()).toEqual({ accepted: 25, rejected: 0, lost: 0 });
      expect(leaf.rowCount("t")).toBe(25);
      expect((await client.query(query)).rows).toEqual([[2n ** 60n]]);
      expect(await client.tables()).toEqual([]);
      await expect(client.table("x")).rejects.toMatchObject({ code: "unknown-table" });
      client.close();
    }));
});

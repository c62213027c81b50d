import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { apiBase } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { rowsText } from "../../../ingest/testing/gateway.js";
import { withApi } from "../../testing/startApi.js";

const rowsUrl = `${apiBase}/tables/t/rows?timeUnit=ms`;
const ndjson = { "content-type": "application/x-ndjson" };

describe("POST rows", () => {
  it("answers as the contract says", () =>
    withApi({}, async ({ app, leaf }) => {
      const reply = await app.inject({
        method: "POST",
        url: `${rowsUrl}&ack=received`,
        headers: { ...ndjson, "idempotency-key": "k", "content-encoding": "gzip" },
        payload: gzipSync(`${rowsText(2)}\n{"time":"yesterday"}`),
      });
      expect(reply.statusCode).toBe(202);
      expect(reply.json()).toEqual({
        batchId: "k",
        accepted: 2,
        rejected: 1,
        problems: [{ line: 3, code: "time-invalid", detail: expect.any(String) }],
        ack: "received",
      });
      expect(leaf.rowCount("t")).toBe(2);
    }));

  it("takes names of any Unicode and of 255 bytes", () =>
    withApi({}, async ({ app, leaf }) => {
      for (const name of ["__proto__", "a/b c%?#", "😀".repeat(63)]) {
        const url = `${apiBase}/tables/${encodeURIComponent(name)}/rows?time=at&timeUnit=ms`;
        const reply = await app.inject({
          method: "POST",
          url,
          headers: ndjson,
          payload: '{"at":1}',
        });
        expect(reply.statusCode).toBe(200);
        expect(leaf.rowCount(name)).toBe(1);
      }
    }));

  it.each<[string, object, string | Buffer, number, string]>([
    ["no content type", { headers: {} }, rowsText(1), 415, "unsupported-media-type"],
    [
      "an unknown content type",
      { headers: { "content-type": "text/html" } },
      "x",
      415,
      "unsupported-media-type",
    ],
    [
      "an unknown encoding",
      { headers: { ...ndjson, "content-encoding": "br" } },
      "x",
      415,
      "unsupported-media-type",
    ],
    [
      "broken gzip",
      { headers: { ...ndjson, "content-encoding": "gzip" } },
      "x",
      400,
      "body-undecodable",
    ],
    [
      "a bomb",
      { headers: { ...ndjson, "content-encoding": "gzip" } },
      gzipSync(Buffer.alloc(80_000_000)),
      413,
      "body-too-large",
    ],
    ["no rows", { headers: ndjson }, "", 400, "bad-request"],
    ["only bad rows", { headers: ndjson }, "{}\n[", 400, "rows-rejected"],
    [
      "an unknown parameter",
      { url: `${rowsUrl}&tiem=at`, headers: ndjson },
      "{}",
      400,
      "bad-request",
    ],
    ["an unknown ack", { url: `${rowsUrl}&ack=maybe`, headers: ndjson }, "{}", 400, "bad-request"],
    [
      "no name for the time",
      { url: `${rowsUrl}&time=`, headers: ndjson },
      "{}",
      400,
      "bad-request",
    ],
    [
      "an escape that is none",
      { url: `${apiBase}/tables/%ZZ/rows`, headers: ndjson },
      "{}",
      400,
      "bad-request",
    ],
    [
      "a name with a control character",
      { url: `${apiBase}/tables/a%00/rows`, headers: ndjson },
      "{}",
      400,
      "invalid-name",
    ],
    [
      "a name of 256 bytes",
      { url: `${apiBase}/tables/${"n".repeat(256)}/rows`, headers: ndjson },
      "{}",
      400,
      "invalid-name",
    ],
  ])("refuses %s as a problem and stores nothing", (_what, options, payload, status, code) =>
    withApi({}, async ({ app, leaf, logged }) => {
      const reply = await app.inject({ method: "POST", url: rowsUrl, payload, ...options });
      expect([reply.statusCode, reply.headers["content-type"]]).toEqual([
        status,
        "application/problem+json",
      ]);
      expect(reply.json()).toMatchObject({ status, code, type: `urn:hadal:problem:${code}` });
      expect(reply.body).not.toMatch(/ at .*\.[jt]s/);
      expect([leaf.appends, logged]).toEqual([0, []]);
    }),
  );

  it("reports the line of each refused row", () =>
    withApi({}, async ({ app }) => {
      const reply = await app.inject({
        method: "POST",
        url: rowsUrl,
        headers: ndjson,
        payload: '{"x":1}\n{"a":tru}',
      });
      expect(reply.json().errors).toEqual([
        { line: 1, code: "time-missing", detail: "The row has no `time`." },
        { line: 2, column: 6, code: "invalid-json", detail: expect.stringContaining("Column 6") },
      ]);
    }));

  it("reads numbers in the unit that the request names, and guesses none", () =>
    withApi({}, async ({ app, leaf }) => {
      const send = (query: string, time: number) =>
        app.inject({
          method: "POST",
          url: `${apiBase}/tables/t/rows${query}`,
          headers: { ...ndjson, "idempotency-key": "k" },
          payload: `{"time":${time}}`,
        });
      const nowS = Math.floor(Date.now() / 1_000);
      const refused = await send("", nowS);
      expect([refused.statusCode, refused.json().errors[0].code]).toEqual([400, "time-invalid"]);
      expect(refused.json().errors[0].detail).toContain("Name the unit: timeUnit=s.");
      expect((await send("?timeUnit=h", nowS)).statusCode).toBe(400);
      expect(leaf.appends).toBe(0);
      expect((await send("?timeUnit=s", nowS)).json()).toMatchObject({ accepted: 1, rejected: 0 });
      // The same bytes in another unit are other rows.
      expect((await send("?timeUnit=auto", nowS)).statusCode).toBe(409);
      expect([...leaf.held.values()].map(({ times }) => [...times])).toEqual([[nowS * 1_000]]);
    }));

  it("says 409 to the same key with other bytes, and when to come again after 503", () =>
    withApi({}, async ({ app, leaf }) => {
      const send = (payload: string) =>
        app.inject({
          method: "POST",
          url: rowsUrl,
          headers: { ...ndjson, "idempotency-key": "k" },
          payload,
        });
      expect((await send(rowsText(1))).statusCode).toBe(200);
      expect((await send(rowsText(2))).json()).toMatchObject({
        status: 409,
        code: "idempotency-conflict",
      });
      leaf.state = "dead";
      const reply = await app.inject({
        method: "POST",
        url: rowsUrl,
        headers: ndjson,
        payload: rowsText(1),
      });
      expect([reply.statusCode, reply.headers["retry-after"]]).toEqual([503, "1"]);
    }));

  it("refuses a body over the bound by its length, or by its bytes when it has no length", () =>
    withApi({}, async ({ listen, leaf }) => {
      const url = new URL((await listen()) + rowsUrl);
      const upload = async (headers: Record<string, string | number>) => {
        const request = httpRequest(url, { method: "POST", headers: { ...ndjson, ...headers } });
        const response = once(request, "response") as Promise<[IncomingMessage]>;
        const piece = Buffer.alloc(1 << 20, 0x20);
        let sent = 0;
        const more = (): void => {
          while (sent++ < 70) if (!request.write(piece)) return void request.once("drain", more);
        };
        more();
        const [{ statusCode }] = await response;
        request.destroy();
        return statusCode;
      };
      expect(await upload({ "content-length": 70 << 20 })).toBe(413);
      expect(await upload({})).toBe(413);
      expect(leaf.appends).toBe(0);
    }));

  it("stores nothing of a request whose client goes away in the middle", () =>
    withApi({}, async ({ listen, leaf, app, logged }) => {
      const { port } = new URL(await listen());
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(
        `POST ${rowsUrl} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\nContent-Length: 1000\r\n\r\n{"time":1}\n`,
      );
      const answered = new Promise<void>((resolve) =>
        app.server.once("request", (_, response) => response.once("close", resolve)),
      );
      await new Promise((resolve) => app.server.once("request", resolve));
      socket.destroy();
      await answered;
      expect([leaf.appends, logged]).toEqual([0, []]);
    }));
});

describe("origin and host", () => {
  const send = (headers: Record<string, string>) => ({
    method: "POST" as const,
    url: rowsUrl,
    headers: { ...ndjson, ...headers },
    payload: rowsText(1),
  });
  it.each([
    { host: "127.0.0.1:7400" },
    { host: "localhost" },
    { host: "[::1]:7400" },
    { host: "localhost:7400", origin: "http://localhost:7400" },
    { host: "hadal.example", origin: "https://hadal.example" },
  ])("%j passes", (headers) =>
    withApi({ settings: { hostsAllowed: ["hadal.example"] } }, async ({ app }) => {
      expect((await app.inject(send(headers))).statusCode).toBe(200);
    }),
  );
  it("answers that a page could read who points its name here are not given either", () =>
    withApi({ settings: { hostsAllowed: ["Hadal.example"] } }, async ({ app }) => {
      const get = async (host: string, url: string) =>
        (await app.inject({ method: "GET", url, headers: { host } })).statusCode;
      expect(await get("evil.example", "/api/v1/status")).toBe(403);
      expect(await get("hadal.example", "/api/v1/status")).toBe(200);
      expect(await get("127.0.0.1:7400", "/api/v1/status")).toBe(200);
      for (const path of ["/%61pi/v1/status", "//api/v1/status", "/metrics", "/", "/nope"]) {
        expect([path, await get("evil.example", path)]).toEqual([path, 403]);
      }
      expect(await get("hadal.example", "/metrics")).toBe(200);
      expect(await get("evil.example", "/healthz")).toBe(200);
      expect(await get("evil.example", "/readyz")).toBe(200);
    }));
  it.each([
    { host: "evil.example" },
    { host: "localhost:7400", origin: "http://evil.example" },
    { host: "localhost:7400", origin: "http://localhost:8000" },
    { host: "localhost:7400", origin: "null" },
    { host: "127.0.0.1.evil.example" },
    { host: ":80" },
  ])("%j is refused", (headers) =>
    withApi({}, async ({ app, leaf }) => {
      const reply = await app.inject(send(headers));
      expect(reply.json()).toMatchObject({ status: 403, code: "origin-refused" });
      expect(leaf.appends).toBe(0);
    }),
  );
});

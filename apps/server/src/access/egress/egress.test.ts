import diagnostics from "node:diagnostics_channel";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseAddressRange } from "./addressRanges.js";
import { Egress, type EgressOptions } from "./egress.js";
import { hostileNames, hostileUrls } from "./testing/hostileUrls.js";

const servers: Server[] = [];
let dialled = 0;
const onDial = (): void => {
  dialled += 1;
};

beforeEach(() => {
  dialled = 0;
  // Node.js says so before each connection, whoever opens it.
  diagnostics.subscribe("net.client.socket", onDial);
});
afterEach(() => {
  diagnostics.unsubscribe("net.client.socket", onDial);
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(answer: RequestListener, host = "127.0.0.1"): Promise<number> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}

const rangesOf = (...texts: readonly string[]): EgressOptions["allowed"] =>
  texts.map((text) => parseAddressRange(text) ?? expect.unreachable(text));

const lookup = async (name: string): Promise<readonly string[]> => hostileNames[name] ?? [];
const closed = new Egress({ allowed: [], lookup });
const open = (options: Partial<EgressOptions> = {}): Egress =>
  new Egress({ allowed: rangesOf("127.0.0.0/8"), lookup, ...options });

const requestTo = (url: string) => ({ url, headers: { "content-type": "text/plain" }, body: "é" });

describe("addresses that are not sent to", () => {
  test("there are at least 45", () => expect(new Set(hostileUrls).size).toBeGreaterThanOrEqual(45));

  test.each(hostileUrls)(
    "%j is refused at save and when it is sent to, and not dialled",
    async (text) => {
      const port = await listen((_request, response) => response.end());
      dialled = 0;
      const url = text.replace("PORT", String(port));
      await expect(closed.check(url)).rejects.toMatchObject({ code: "egress-refused" });
      await expect(closed.post(requestTo(url))).rejects.toMatchObject({ code: "egress-refused" });
      expect(dialled).toBe(0);
    },
  );

  test("a refusal names the host, and not the path, which may be a secret", async () => {
    const error = await closed.check("http://10.0.0.5/services/T0/secret").catch((e: unknown) => e);
    expect(String(error)).toMatch(/10\.0\.0\.5 is not sent to\. It is private/);
    expect(String(error)).not.toContain("secret");
  });

  test("a range that is allowed opens itself alone, also for the addresses mapped from it", async () => {
    const some = new Egress({ allowed: rangesOf("10.0.0.0/24", "fd00::/64"), lookup });
    for (const url of ["http://10.0.0.5", "http://private.example", "http://[::ffff:10.0.0.5]"])
      await expect(some.check(url)).resolves.toBeUndefined();
    await expect(some.check("http://[fd00::5]")).resolves.toBeUndefined();
    for (const url of ["http://10.0.1.5", "http://127.0.0.1", "http://[fd00:0:0:1::5]"])
      await expect(some.check(url)).rejects.toMatchObject({ code: "egress-refused" });
  });

  test.each(["https://93.184.216.34/", "https://[2606:4700::1111]/x", "http://unknown.example"])(
    "%s may be saved",
    async (url) => {
      await expect(closed.check(url)).resolves.toBeUndefined();
      expect(dialled).toBe(0);
    },
  );

  test.each(["10.0.0/8", "10.0.0.0/33", "0x7f.1", "127.1", "010.0.0.1", "x", "", "10.0.0.0/"])(
    "%j is no range",
    (text) => expect(parseAddressRange(text)).toBeNull(),
  );
});

describe("a request", () => {
  test("arrives with its body, headers and host", async () => {
    const seen: unknown[] = [];
    const port = await listen(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const { host, "content-type": type } = request.headers;
      seen.push([request.method, request.url, host, type, Buffer.concat(parts).toString()]);
      response.writeHead(503, { "retry-after": "7" }).end("later");
    });
    const named = open({ lookup: async () => ["127.0.0.1"] });
    const answer = await named.post(requestTo(`http://hooks.example:${port}/a?b=c`));
    expect(answer).toEqual({ status: 503, text: "later", retryAfter: "7" });
    expect(seen).toEqual([["POST", "/a?b=c", `hooks.example:${port}`, "text/plain", "é"]]);
  });

  test("dials what was checked: a name that means this machine a moment later gains nothing", async () => {
    const here: string[] = [];
    const port = await listen((_request, response) => response.end(), "127.0.0.2");
    await listen((request) => here.push(String(request.url)), "127.0.0.1");
    const answers = [["127.0.0.2"], ["127.0.0.1"]];
    let asked = 0;
    const rebinding = new Egress({
      allowed: rangesOf("127.0.0.2"),
      lookup: async () => answers[asked++] ?? [],
    });
    expect((await rebinding.post(requestTo(`http://name.example:${port}/`))).status).toBe(200);
    expect({ asked, here }).toEqual({ asked: 1, here: [] });
    asked = 0;
    await expect(rebinding.check(`http://name.example:${port}/`)).resolves.toBeUndefined();
    await expect(rebinding.post(requestTo(`http://name.example:${port}/`))).rejects.toMatchObject({
      code: "egress-refused",
    });
    expect(dialled).toBe(1);
  });

  test("does not follow a redirect", async () => {
    let reached = 0;
    const inner = await listen((_request, response) => {
      reached += 1;
      response.end();
    });
    const port = await listen((_request, response) =>
      response.writeHead(307, { location: `http://127.0.0.1:${inner}/` }).end(),
    );
    expect((await open().post(requestTo(`http://127.0.0.1:${port}/`))).status).toBe(307);
    expect({ reached, dialled }).toEqual({ reached: 0, dialled: 1 });
  });

  test("ends with a receiver that does not answer", async () => {
    const port = await listen(() => undefined);
    const hasty = open({ timeoutMs: 200 });
    await expect(hasty.post(requestTo(`http://127.0.0.1:${port}/`))).rejects.toThrow("in time");
  });

  test("ends with a name that is not found out", async () => {
    const hasty = open({ timeoutMs: 100, lookup: () => new Promise(() => undefined) });
    await expect(hasty.post(requestTo("http://name.example/"))).rejects.toThrow("in time");
    await expect(open().post(requestTo("http://name.example/"))).rejects.toThrow("no address");
    expect(dialled).toBe(0);
  });

  test("keeps the status of a receiver that hangs while it answers", async () => {
    const port = await listen((_request, response) => response.writeHead(200).write("a"));
    const { status, text } = await open({ timeoutMs: 300 }).post(
      requestTo(`http://127.0.0.1:${port}/`),
    );
    expect({ status, text: text.slice(0, 1) }).toEqual({ status: 200, text: "a" });
  });

  test("reads 64 KB of an answer of 1 GB, and closes", async () => {
    const part = Buffer.alloc(1 << 20, "x");
    let sent = 0;
    let onClosed: (sent: number) => void = () => undefined;
    const closing = new Promise<number>((resolve) => {
      onClosed = resolve;
    });
    const port = await listen((_request, response) => {
      const more = (): void => {
        while (sent < 1 << 30 && !response.destroyed) {
          sent += part.length;
          if (!response.write(part)) return void response.once("drain", more);
        }
      };
      response.on("close", () => onClosed(sent));
      more();
    });
    const { status, text } = await open().post(requestTo(`http://127.0.0.1:${port}/`));
    expect({ status, length: text.length }).toEqual({ status: 200, length: 65_536 });
    // What system and pipes buffer, and no more.
    expect(await closing).toBeLessThan(1 << 26);
  });

  test("to a port where no one listens is an error", async () => {
    const port = await listen(() => undefined);
    servers.at(-1)?.close();
    await expect(open().post(requestTo(`http://127.0.0.1:${port}/`))).rejects.toThrow(
      "ECONNREFUSED",
    );
  });
});

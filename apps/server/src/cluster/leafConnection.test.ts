import { HadalError } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { atOnce } from "../base/schedule/steps.js";
import { countRequests } from "../plan/testing/countRequests.js";
import type { LeafState } from "./leafConnection.js";
import {
  answer,
  append,
  connect,
  connected,
  heartbeat,
  startProxy,
  startServer,
} from "./testing/leafEnds.js";

describe("requests", () => {
  test("carry header and body there, and the answer back", async () => {
    const connection = await connected();
    const body = new Uint8Array([1, 2, 3]);
    const { header } = await connection.request(append, body, { timeoutMs: 1_000 });
    expect(header).toMatchObject({ kind: "appended", rowCount: 3, duplicate: false });
    expect(connection.freeBytes).toBe(1_000);
    const status = await connection.request({ kind: "status" }, undefined, { timeoutMs: 1_000 });
    expect(status.header).toMatchObject({ kind: "status", status: { pid: 7 } });
    expect(connection.freeBytes).toBe(2_000);
    expect(connection.status?.rows).toBe(5);
  });

  test("sent before the connection stands wait for it", async () => {
    const server = await startServer();
    const { connection } = connect(() => `127.0.0.1:${server.port}`);
    expect(connection.state).toBe("suspect");
    const holds = { kind: "holds", table: "t", batchIds: ["a", "b"] } as const;
    const { header } = await connection.request(holds, undefined, { timeoutMs: 1_000 });
    expect(header.kind === "holding" && header.batches.map(({ batchId }) => batchId)).toEqual([
      "a",
      "b",
    ]);
  });

  test("problems of the leaf reject as they are; its bugs stay in its log", async () => {
    const errors: unknown[] = [];
    const server = await startServer(
      {
        append: async () => {
          throw new HadalError("storage-full", { leaf: "leaf-1", detail: "full" });
        },
        holds: async () => {
          throw new Error("secret path /var/x");
        },
      },
      errors,
    );
    const { connection } = connect(() => `127.0.0.1:${server.port}`);
    const full = connection.request(append, new Uint8Array(8), { timeoutMs: 1_000 });
    await expect(full).rejects.toMatchObject({ code: "storage-full" });
    const holds = { kind: "holds", table: "t", batchIds: [] } as const;
    const broken = connection.request(holds, undefined, { timeoutMs: 1_000 });
    await expect(broken).rejects.toMatchObject({ code: "internal" });
    await expect(broken).rejects.not.toThrow(/secret/);
    expect(String(errors[0])).toContain("secret");
    // What the log says it under is what the client is told.
    const { message } = (await broken.catch((error: unknown) => error)) as Error;
    expect(message).toContain(/problem (\S+)/.exec(String(errors[1]))?.[1]);
  });

  test("without an answer in time they reject", async () => {
    const connection = await connected({ append: () => new Promise(() => {}) });
    const asked = connection.request(append, new Uint8Array(8), { timeoutMs: 30 });
    await expect(asked).rejects.toMatchObject({ code: "connection-lost" });
  });

  test("reject when the connection breaks under them, and the next one works again", async () => {
    let server = await startServer({ append: () => new Promise(() => {}) });
    const { connection, until } = connect(() => `127.0.0.1:${server.port}`);
    await until("alive");
    const asked = connection.request(append, new Uint8Array(8), { timeoutMs: 5_000 });
    const lost = expect(asked).rejects.toMatchObject({ code: "connection-lost" });
    await server.close();
    await lost;
    await until("dead");
    const refused = connection.request(append, new Uint8Array(8), { timeoutMs: 5_000 });
    await expect(refused).rejects.toMatchObject({ code: "connection-lost" });
    // Restarted, and somewhere else.
    server = await startServer();
    connection.reconnect();
    await until("alive");
    const again = await connection.request(append, new Uint8Array(8), { timeoutMs: 1_000 });
    expect(again.header.kind).toBe("appended");
  });
});

test("a leaf that has no address for a while is looked for once at a time", async () => {
  const server = await startServer();
  const there = `127.0.0.1:${server.port}`;
  let address: string | null = there;
  let looks = 0;
  const { connection, until } = connect(() => {
    looks++;
    return address;
  });
  // The handshake has begun: its socket closes later.
  address = null;
  connection.reconnect();
  await expect.poll(() => looks).toBeGreaterThan(4);
  address = there;
  await until("alive");
  looks = 0;
  const aliveMs = connection.lastHeardMs;
  // For longer than the longest pause between two looks: a second timer would begin another connection.
  await expect.poll(() => connection.lastHeardMs - aliveMs).toBeGreaterThan(60);
  expect(looks).toBe(0);
  expect(connection.state).toBe("alive");
});

describe("queries", () => {
  test("stream partials, the last one done", async () => {
    const connection = await connected({
      async query(_, { deadline }, onPartial) {
        expect(deadline - performance.now()).toBeLessThanOrEqual(5_000);
        atOnce(onPartial(answer("half", 0.5)));
        return answer("all");
      },
    });
    const seen: [string, boolean][] = [];
    await connection.streamQuery(countRequests, {
      budgetMs: 5_000,
      onPartial: ({ body, done }) => seen.push([new TextDecoder().decode(body), done]),
    });
    expect(seen.at(-1)).toEqual(["all", true]);
    expect(seen.filter(([, done]) => done)).toHaveLength(1);
  });

  test.each(["signal", "socket", "deadline"])("stop on the leaf: by %s", async (by) => {
    let stopped: () => void = () => {};
    const seen = new Promise<void>((resolve) => {
      stopped = resolve;
    });
    let started: () => void = () => {};
    const running = new Promise<void>((resolve) => {
      started = resolve;
    });
    const connection = await connected({
      query: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          started();
          signal.addEventListener("abort", () => {
            stopped();
            reject(new Error("the scan stopped"));
          });
        }),
    });
    const controller = new AbortController();
    const asked = connection.streamQuery(countRequests, {
      budgetMs: by === "deadline" ? 50 : 10_000,
      signal: controller.signal,
      onPartial: () => {},
    });
    const rejected = expect(asked).rejects.toMatchObject({
      code: by === "signal" ? "cancelled" : expect.stringMatching(/connection-lost|cancelled/),
    });
    await running;
    if (by === "signal") controller.abort();
    if (by === "socket") connection.close();
    await rejected;
    await seen;
  });

  test("an answer that the reader cannot use rejects", async () => {
    const connection = await connected();
    const asked = connection.streamQuery(countRequests, {
      budgetMs: 1_000,
      onPartial: () => {
        throw new Error("not a partial result");
      },
    });
    await expect(asked).rejects.toThrow("not a partial result");
  });
});

test("a leaf that falls silent is suspected, then dead; it is found again when it speaks", async () => {
  const server = await startServer();
  const proxy = await startProxy(server.port);
  const { connection, until } = connect(() => `127.0.0.1:${proxy.port}`);
  await until("alive");
  proxy.freeze();
  const asked = connection.request(append, new Uint8Array(8), { timeoutMs: 10_000 });
  const lost = expect(asked).rejects.toMatchObject({ code: "connection-lost" });
  await until("suspect");
  await until("dead");
  await lost;
  proxy.thaw();
  await until("alive");
});

test("an answer that takes many times the heartbeat to arrive is waited for, while it does arrive", async () => {
  const text = "a long answer ".repeat(1_500_000);
  const server = await startServer({ query: async () => answer(text) });
  const proxy = await startProxy(server.port, 2);
  const states: LeafState[] = [];
  const { connection, until } = connect(() => `127.0.0.1:${proxy.port}`, { states });
  await until("alive");
  let received = 0;
  const startMs = performance.now();
  await connection.streamQuery(countRequests, {
    budgetMs: 20_000,
    onPartial: ({ body }) => {
      received = body.length;
    },
  });
  expect(received).toBe(text.length);
  expect(performance.now() - startMs).toBeGreaterThan(heartbeat.pingMs * heartbeat.missedMax * 4);
  expect(states).not.toContain("dead");
});

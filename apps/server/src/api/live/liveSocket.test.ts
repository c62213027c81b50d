import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { apiBase, HadalError, type Result } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { clientLimitsDefault } from "../../base/limit/clientLimits.js";
import { userLimitsDefault } from "../../base/limit/userLimits.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import { AnswerPool, resultBytes } from "../../query/admit/answerPool.js";
import type { AskOptions } from "../context/deps.js";
import { openPeer, withPeer } from "../testing/livePeer.js";
import { type Ask, query, resultOf, untilCancelled, withApi } from "../testing/startApi.js";

/** A line that carries what the server sends in chunks, with a rest after each. */
async function startSlowLine(port: number) {
  const line = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    near.pipe(far);
    far.on("data", (bytes) => {
      near.write(bytes);
      far.pause();
      setTimeout(() => far.resume(), 3);
    });
    for (const end of [near, far]) {
      end.on("error", () => {});
      end.on("close", () => {
        near.destroy();
        far.destroy();
      });
    }
  });
  line.listen(0, "127.0.0.1");
  await once(line, "listening");
  const { port: own } = line.address() as AddressInfo;
  return { url: `http://127.0.0.1:${own}`, close: () => line.close() };
}

/** Waits for something that other parts bring about. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

const tell = (frames: readonly Record<string, unknown>[]) =>
  frames.map(({ kind, id, seq, rows }) => [
    kind,
    id,
    seq,
    (rows as number[][] | undefined)?.[0]?.[0],
  ]);

/** Answers with partials 1 and 2, then the final 3. */
const threeSteps = async (_query: unknown, { onPartial }: AskOptions): Promise<Result> => {
  onPartial?.(resultOf([[1]], { final: false }));
  await new Promise((resolve) => setImmediate(resolve));
  onPartial?.(resultOf([[2]], { final: false }));
  await new Promise((resolve) => setImmediate(resolve));
  return resultOf([[2n ** 60n]]);
};

describe("the live socket", () => {
  it("answers a query with numbered partials and one final", () =>
    withPeer(threeSteps, async (peer) => {
      peer.send({ kind: "query", id: "a", query });
      await peer.frameCount(3);
      expect(tell(peer.frames)).toEqual([
        ["partial", "a", 1, 1],
        ["partial", "a", 2, 2],
        ["final", "a", 3, "1152921504606846976"],
      ]);
      expect(peer.frames[2]).toMatchObject({ final: true, completeness: { fraction: 0.75 } });
    }));

  it("asks again for a subscription, counting on, until it is cancelled", () => {
    let asked = 0;
    return withPeer(
      async () => resultOf([[++asked]]),
      async (peer, { app }) => {
        peer.send({ kind: "subscribe", id: "s", query, everyMs: 250 });
        await peer.frameCount(3);
        expect(tell(peer.frames)).toEqual([
          ["final", "s", 1, 1],
          ["final", "s", 2, 2],
          ["final", "s", 3, 3],
        ]);
        peer.send({ kind: "cancel", id: "s" });
        // An answer to something else shows that the cancellation was read.
        peer.send({ kind: "subscribe", id: "x", query, everyMs: 1 });
        await peer.frameCount(4);
        expect(asked).toBe(3);
        expect((await app.inject({ url: `${apiBase}/status` })).json().queries).toEqual([]);
      },
    );
  });

  it("keeps a subscription over problems that pass, and ends it at others", () => {
    const answers = [
      new HadalError("no-leaves", { missing: "leaf-1" }),
      null,
      new HadalError("unknown-table", { table: "t", nearest: "" }),
    ];
    let asked = 0;
    return withPeer(
      async () => {
        const error = answers[asked++];
        if (error !== null) throw error;
        return resultOf([[1]]);
      },
      async (peer, { app }) => {
        peer.send({ kind: "subscribe", id: "s", query, everyMs: 250 });
        await peer.frameCount(3);
        expect(
          peer.frames.map(({ kind, problem }) => [
            kind,
            (problem as { code?: string } | undefined)?.code,
          ]),
        ).toEqual([
          ["problem", "no-leaves"],
          ["final", undefined],
          ["problem", "unknown-table"],
        ]);
        expect((await app.inject({ url: `${apiBase}/status` })).json().queries).toEqual([]);
      },
    );
  });

  it("stops the work of a cancelled query, of one replaced, and of a closed socket", () => {
    const signals: StopSignal[] = [];
    return withPeer(
      async (_query, { signal }) => {
        signals.push(signal);
        return untilCancelled(signal);
      },
      async (peer) => {
        const cancelled = () => signals.map(({ aborted }) => aborted);
        peer.send({ kind: "query", id: "a", query });
        await until(() => signals.length === 1);
        peer.send({ kind: "cancel", id: "a" });
        await until(() => signals[0]!.aborted);
        peer.send({ kind: "query", id: "b", query });
        peer.send({ kind: "query", id: "b", query });
        peer.send({ kind: "query", id: "c", query });
        await until(() => signals.length === 4);
        expect(cancelled()).toEqual([true, true, false, false]);
        expect(peer.frames).toEqual([]);
        peer.socket.terminate();
        await until(() => signals.every(({ aborted }) => aborted));
      },
    );
  });

  it("answers a bad frame with a problem and goes on", () =>
    withPeer(threeSteps, async (peer) => {
      const bad: [unknown, object][] = [
        ["{", { id: "", problem: { code: "bad-request", errors: [{ line: 1, column: 2 }] } }],
        ["[]", { id: "", problem: { code: "bad-request" } }],
        [
          { kind: "query", query },
          { id: "", problem: { errors: [{ path: "id" }] } },
        ],
        [
          { kind: "query", id: "x".repeat(201), query },
          { id: "", problem: { errors: [{ path: "id" }] } },
        ],
        [
          { kind: "delete", id: "a" },
          { id: "a", problem: { errors: [{ path: "kind" }] } },
        ],
        [
          { kind: "query", id: "b" },
          { id: "b", problem: { errors: [{ path: "query" }] } },
        ],
        [
          { kind: "query", id: "c", sql: "SELECT" },
          { id: "c", problem: { code: "invalid-sql", errors: [{ line: 1, column: 7 }] } },
        ],
        [
          { kind: "subscribe", id: "d", query, everyMs: 1 },
          { id: "d", problem: { errors: [{ path: "everyMs" }] } },
        ],
        [
          { kind: "subscribe", id: "e", query },
          { id: "e", problem: { errors: [{ path: "everyMs" }] } },
        ],
      ];
      for (const [frame] of bad) peer.send(frame);
      peer.socket.send(Buffer.from([1, 2]), { binary: true });
      await peer.frameCount(bad.length + 1);
      expect(peer.frames).toMatchObject([
        ...bad.map(([, problem]) => ({ kind: "problem", ...problem })),
        { kind: "problem" },
      ]);
      peer.send({ kind: "query", id: "f", query });
      await peer.frameCount(bad.length + 4);
    }));

  it("closes on a frame that is too large, and bounds the queries of a socket", () => {
    const ask: Ask = (_query, { signal }) => untilCancelled(signal);
    return withPeer(
      ask,
      async (peer) => {
        for (const id of ["a", "b", "c"]) peer.send({ kind: "query", id, query });
        await peer.frameCount(1);
        expect(peer.frames).toMatchObject([{ id: "c", problem: { code: "overloaded" } }]);
        peer.socket.send("x".repeat(1_048_577));
        const [code] = await once(peer.socket, "close");
        expect(code).toBe(1009);
      },
      { live: { queriesMax: 2 } },
    );
  });

  it("bounds the queries and the subscriptions of a client over all its sockets", () => {
    const limits = {
      ...{ ...clientLimitsDefault, ...userLimitsDefault },
      ...{ queriesPerClient: 3, subscriptionsPerClient: 1 },
    };
    const ask: Ask = (_query, { signal }) => untilCancelled(signal);
    return withPeer(
      ask,
      async (peer, api) => {
        const { host } = new URL(peer.socket.url);
        const other = await openPeer({ ...api, listen: async () => `http://${host}` });
        peer.send({ kind: "subscribe", id: "a", query, everyMs: 60_000 });
        peer.send({ kind: "query", id: "b", query });
        // What the first socket has is counted by then.
        peer.send("?");
        await peer.frameCount(1);
        other.send({ kind: "subscribe", id: "c", query, everyMs: 60_000 });
        other.send({ kind: "query", id: "d", query });
        other.send({ kind: "query", id: "e", query });
        await other.frameCount(2);
        expect(other.frames).toMatchObject([
          { id: "c", problem: { detail: expect.stringContaining("subscriptionsPerClient") } },
          { id: "e", problem: { detail: expect.stringContaining("queriesPerClient") } },
        ]);
        peer.send({ kind: "cancel", id: "a" });
        peer.send("?");
        await peer.frameCount(2);
        other.send({ kind: "subscribe", id: "f", query, everyMs: 60_000 });
        other.send({ kind: "query", id: "g", query });
        await other.frameCount(3);
        expect(other.frames[2]).toMatchObject({ id: "g", problem: { code: "overloaded" } });
        other.socket.terminate();
      },
      { limits },
    );
  });

  it("bounds the live queries of a person by name; queries that are asked once are not counted", () => {
    const limits = { ...clientLimitsDefault, ...userLimitsDefault, userLiveQueries: 1 };
    const ask: Ask = (_query, { signal }) => untilCancelled(signal);
    return withPeer(
      ask,
      async (peer) => {
        peer.send({ kind: "subscribe", id: "a", query, everyMs: 60_000 });
        peer.send({ kind: "query", id: "b", query });
        peer.send({ kind: "subscribe", id: "c", query, everyMs: 60_000 });
        await peer.frameCount(1);
        expect(peer.frames).toMatchObject([
          {
            ...{ kind: "problem", id: "c" },
            problem: { code: "quota-exceeded", limitName: "userLiveQueries", retryAfterMs: 1_000 },
          },
        ]);
      },
      { limits },
    );
  });

  it("merges partials for a peer that reads slowly, and closes one that does not read", () => {
    let partials = 0;
    let hasEnded = false;
    const wide = resultOf([["x".repeat(100_000)]], { final: false });
    const ask: Ask = async (_query, { signal, onPartial }) => {
      while (!signal.aborted) {
        partials++;
        onPartial?.(wide);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      hasEnded = true;
      throw new HadalError("cancelled");
    };
    const answers = new AnswerPool(2 ** 28, () => performance.now());
    const live = { stuckMs: 300 };
    return withApi({ ask, deps: { answers }, settings: { live } }, async (api) => {
      const peer = await openPeer(api);
      try {
        peer.socket.pause();
        peer.send({ kind: "query", id: "a", query });
        await until(() => partials > 300);
        // One that leaves, and the newest.
        expect(answers.bytes).toBeLessThanOrEqual(2 * resultBytes(wide));
        const closed = once(peer.socket, "close");
        // The server gives up by itself, and its query ends.
        await until(() => hasEnded);
        peer.socket.resume();
        const [code] = await closed;
        expect([1006, 1013]).toContain(code);
        const seqs = peer.frames.map(({ seq }) => seq as number);
        expect(seqs).toEqual(seqs.map((_, i) => i + 1));
        expect(seqs.length).toBeLessThan(partials);
      } finally {
        peer.socket.terminate();
      }
    });
  });

  it("goes on with an answer that takes far longer than a stuck peer is given, while it is read", () => {
    const wide = resultOf([[`${"wide 😀 ".repeat(4_000_000)}end`]]);
    const live = { stuckMs: 500 };
    return withApi({ ask: async () => wide, settings: { live } }, async (api) => {
      const slow = await startSlowLine(Number(new URL(await api.listen()).port));
      const peer = await openPeer({ ...api, listen: async () => slow.url });
      const startMs = performance.now();
      peer.send({ kind: "query", id: "a", query });
      const closed = once(peer.socket, "close").then(([code]) => code);
      expect(await Promise.race([peer.frameCount(1), closed])).toBe(undefined);
      expect(performance.now() - startMs).toBeGreaterThan(live.stuckMs * 2);
      expect(peer.frames).toMatchObject([{ kind: "final", id: "a", rows: wide.rows }]);
      peer.socket.terminate();
      slow.close();
    });
  });

  it("finds a peer that is gone without a word", () =>
    withApi(
      { ask: (_query, { signal }) => untilCancelled(signal), settings: { live: { pingMs: 30 } } },
      async (api) => {
        const { port } = new URL(await api.listen());
        const socket = connect(Number(port), "127.0.0.1");
        // Speaks the handshake, then never answers a ping.
        socket.write(
          `GET ${apiBase}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
        );
        socket.on("error", () => {});
        socket.resume();
        await once(socket, "close");
      },
    ));

  it("finds a peer that is gone while it is sent small answers", () =>
    withApi(
      { ask: async () => resultOf([[1]]), settings: { live: { pingMs: 200, stuckMs: 60_000 } } },
      async (api) => {
        const { port } = new URL(await api.listen());
        const socket = connect(Number(port), "127.0.0.1");
        socket.write(
          `GET ${apiBase}/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
        );
        const subscribe = Buffer.from(
          JSON.stringify({ kind: "subscribe", id: "a", query, everyMs: 100 }),
        );
        // One text frame of between 126 and 65,535 bytes, under a mask of zeros.
        const head = Buffer.from([0x81, 0x80 | 126, subscribe.length >> 8, subscribe.length & 255]);
        socket.write(Buffer.concat([head, Buffer.alloc(4), subscribe]));
        socket.on("error", () => {});
        // What the kernel takes for it is no sign of life.
        socket.resume();
        await once(socket, "close");
      },
    ));

  it.each([
    ["/api/v1/live", { origin: "http://evil.example" }, 403],
    ["/api/v1/live", { host: "evil.example" }, 403],
    ["/elsewhere", {}, 404],
  ])("refuses %s with %j before it opens", (path, headers, status) =>
    withApi({}, async (api) => {
      const url = (await api.listen()).replace("http", "ws");
      const socket = new WebSocket(url + path, { headers });
      const [, response] = await once(socket, "unexpected-response");
      expect(response.statusCode).toBe(status);
      expect(response.headers["content-type"]).toBe("application/problem+json");
      response.destroy();
    }),
  );

  it("lets the server's own page in, and says good-bye when the server stops", () =>
    withApi({ ask: threeSteps }, async (api) => {
      const peer = await openPeer(api, { origin: "http://localhost:7400", host: "localhost:7400" });
      const closed = once(peer.socket, "close");
      await api.app.close();
      expect((await closed)[0]).toBe(1001);
    }));
});

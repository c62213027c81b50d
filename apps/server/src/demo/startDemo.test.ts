import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, type HadalClient } from "@hadal/sdk";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DemoClock } from "./demoClock.js";
import { type DemoProgress, startDemo } from "./startDemo.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.UTC(2026, 4, 13, 12, 34, 56, 789);
const historyRows = 20_000;

/** The far end of the client: keeps the times of the rows it took, refuses when the test says so. */
class RowStore {
  readonly times: number[] = [];
  readonly keys: string[] = [];
  refuse: (batch: number) => boolean = () => false;
  #batches = 0;
  #server: Server | undefined;

  async listen(): Promise<string> {
    this.#server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = Buffer.concat(parts).toString();
      const path = (request.url ?? "").split("?")[0] ?? "";
      const [status, answer] = path.endsWith("/rows")
        ? this.#store(body, String(request.headers["idempotency-key"]))
        : path.endsWith("/query")
          ? [200, this.#countHours(JSON.parse(body).query)]
          : [200, this.#tables()];
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => this.#server?.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  #store(body: string, key: string): [number, unknown] {
    if (this.refuse(this.#batches++)) {
      const detail = "the test refuses";
      return [503, { type: "", title: "", status: 503, code: "leaf-unreachable", detail }];
    }
    const lines = body.trimEnd().split("\n");
    const reply = { batchId: key, rejected: 0, problems: [], ack: "durable" };
    if (!this.keys.includes(key)) {
      this.keys.push(key);
      for (const line of lines) this.times.push(JSON.parse(line).time);
    }
    return [200, { ...reply, accepted: lines.length }];
  }

  #tables(): unknown {
    if (this.times.length === 0) return [];
    const sorted = [...this.times].sort((a, b) => a - b);
    const rows = sorted.length;
    return [{ name: "requests", rows, bytes: rows, fromMs: sorted[0], toMs: sorted[rows - 1] }];
  }

  #countHours({ from, to }: { from: number; to: number }): unknown {
    const hours = new Map<number, number>();
    for (const time of this.times.filter((ms) => ms >= from && ms < to)) {
      const hour = Math.floor(time / hourMs) * hourMs;
      hours.set(hour, (hours.get(hour) ?? 0) + 1);
    }
    return {
      columns: [
        { name: "time", type: "time", role: "group" },
        { name: "rows", type: "int", role: "aggregate" },
      ],
      rows: [...hours],
      completeness: {
        fraction: 1,
        rowsExpected: 1,
        rowsAnswered: 1,
        leaves: { answered: 1, total: 1, missing: [] },
      },
      intervals: {},
      asOf: to,
      final: true,
      truncated: null,
      stats: {},
    };
  }
}

/** Time that only passes while the demo sleeps, and not beyond `endMs`. */
class StepClock implements DemoClock {
  #nowMs: number;
  readonly #endMs: number;

  constructor(nowMs: number, endMs = Number.POSITIVE_INFINITY) {
    this.#nowMs = nowMs;
    this.#endMs = endMs;
  }

  now(): number {
    return this.#nowMs;
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#nowMs + ms > this.#endMs) {
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
      return;
    }
    this.#nowMs += ms;
  }
}

let store: RowStore;
let client: HadalClient;

beforeEach(async () => {
  store = new RowStore();
  client = createClient({ url: await store.listen() });
});
afterEach(async () => {
  client.close();
  await store.close();
});

async function fill(nowMs: number, onProgress?: (progress: DemoProgress) => void): Promise<void> {
  const demo = startDemo({
    client,
    clock: new StepClock(nowMs, nowMs),
    historyRows,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  await demo.ready;
  await demo.stop();
}

const hoursWithRows = () => new Set(store.times.map((ms) => Math.floor(ms / hourMs))).size;
const isWithoutDoubles = () => new Set(store.keys).size === store.keys.length;

describe("startDemo", () => {
  it("lays down ten days up to now, about as many rows as asked, none in the future", async () => {
    const progress: number[] = [];
    await fill(startMs, ({ fraction }) => progress.push(fraction));
    expect(store.times.length).toBeGreaterThan(0.7 * historyRows);
    expect(store.times.length).toBeLessThan(1.4 * historyRows);
    expect(Math.max(...store.times)).toBeLessThan(startMs);
    expect(Math.min(...store.times)).toBeLessThan(startMs - 9.9 * dayMs);
    expect(hoursWithRows()).toBeGreaterThanOrEqual(240);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBeCloseTo(1, 6);
  });

  it("adds only what is missing after a restart, at the same density", async () => {
    await fill(startMs);
    const before = store.times.length;
    await fill(startMs);
    expect(store.times.length).toBe(before);
    const laterMs = startMs + 2 * dayMs;
    await fill(laterMs);
    const added = store.times.slice(before);
    expect(Math.min(...added)).toBeGreaterThan(startMs - 1_000);
    expect(Math.max(...added)).toBeLessThan(laterMs);
    expect(added.length / before).toBeGreaterThan(0.1);
    // Two of ten days thinned, and a dense stretch of two fifths of all rows again.
    expect(added.length / before).toBeLessThan(0.8);
    expect(isWithoutDoubles()).toBe(true);
  });

  it("fills the holes that an interrupted fill left", async () => {
    await fill(startMs);
    const whole = [...store.times].sort((a, b) => a - b);
    const holeMs = Math.floor((startMs - 5 * dayMs) / hourMs) * hourMs;
    const kept = store.times.filter((ms) => ms < holeMs || ms >= holeMs + 2 * hourMs);
    expect(kept.length).toBeLessThan(whole.length);
    store.times.splice(0, store.times.length, ...kept);
    store.keys.length = 0;
    await fill(startMs);
    expect([...store.times].sort((a, b) => a - b)).toEqual(whole);
    expect(store.keys).toHaveLength(2);
  });

  it("goes on where it was interrupted, whichever hours were written", async () => {
    await fill(startMs);
    const whole = [...store.times].sort((a, b) => a - b);
    for (const share of [0.1, 0.6]) {
      store.times.length = 0;
      store.keys.length = 0;
      const clock = new StepClock(startMs, startMs);
      const demo = startDemo({
        ...{ client, clock, historyRows },
        onProgress: ({ fraction }) => {
          if (fraction > share) void demo.stop();
        },
      });
      await demo.done.catch(() => {});
      expect(store.times.length).toBeLessThan(whole.length);
      await fill(startMs);
      expect([...store.times].sort((a, b) => a - b)).toEqual(whole);
    }
  });

  it("adds live rows while older history is still written", async () => {
    let live = false;
    const demo = startDemo({
      ...{ client, clock: new StepClock(startMs, startMs + 5_000), historyRows },
      onProgress: ({ fraction }) => {
        live ||= fraction < 1 && Math.max(...store.times) >= startMs;
      },
    });
    await demo.ready;
    await demo.stop();
    expect(live).toBe(true);
  });

  it("tries again what the server could not take", async () => {
    store.refuse = (batch) => batch % 3 === 1;
    const demo = startDemo({ client, clock: new StepClock(startMs), historyRows });
    await demo.ready;
    await demo.stop();
    expect(hoursWithRows()).toBeGreaterThanOrEqual(240);
    expect(isWithoutDoubles()).toBe(true);
  });

  it("goes on second by second, and catches up after a sleep of the machine", async () => {
    const demo = startDemo({
      client,
      clock: new StepClock(startMs, startMs + 5_000),
      historyRows,
    });
    await demo.ready;
    const seconds = () => new Set(store.times.map((ms) => Math.floor(ms / 1_000)));
    await expect.poll(() => seconds().has(Math.floor((startMs + 3_000) / 1_000))).toBe(true);
    for (const second of [0, 1, 2, 3]) {
      expect(seconds()).toContain(Math.floor(startMs / 1_000) + second);
    }
    await demo.stop();
    expect(Math.max(...store.times)).toBeLessThan(startMs + 5_000);
  });
});

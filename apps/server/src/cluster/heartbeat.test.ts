import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WebSocket } from "ws";
import { heartbeatDefault, startHeartbeat } from "./heartbeat.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Starts a heartbeat over a wire that breaks after `breakMs`. Resolves with the time from then to the end. */
function foundAfter(breakMs: number): number {
  const wire = new EventEmitter();
  let endMs = Number.NaN;
  const startMs = Date.now();
  const socket = Object.assign(new EventEmitter(), {
    ping: () => {
      if (Date.now() - startMs < breakMs) wire.emit("data");
    },
    terminate: () => {
      endMs = Date.now() - startMs;
      socket.emit("close");
    },
  });
  startHeartbeat(socket as unknown as WebSocket, wire as unknown as Socket, heartbeatDefault);
  vi.advanceTimersByTime(breakMs + 20_000);
  return endMs - breakMs;
}

test("F10: a half-open connection is found within 6 s, whenever it breaks", () => {
  const { pingMs } = heartbeatDefault;
  for (const breakMs of [pingMs - 1, pingMs, pingMs + 1, 2 * pingMs - 1, 10_000]) {
    expect(foundAfter(breakMs), `broken after ${breakMs} ms`).toBeLessThanOrEqual(6_000);
    expect(foundAfter(breakMs)).toBeGreaterThan(4_000);
  }
});

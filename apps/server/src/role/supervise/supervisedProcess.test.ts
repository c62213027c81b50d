import type { ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SupervisedProcess } from "./supervisedProcess.js";

class FakeProcess extends EventEmitter {
  readonly pid = 1;
  connected = true;
  exitCode: number | null = null;
  readonly signalCode = null;
  readonly kill = vi.fn();

  ready(): void {
    this.emit("message", "ready");
  }

  end(code: number): void {
    this.connected = false;
    this.exitCode = code;
    this.emit("exit", code, null);
  }

  disconnect(): void {
    this.end(0);
  }
}

/** Every process that was started, in order. */
let started: FakeProcess[];
let warnings: string[];
let supervised: SupervisedProcess;

beforeEach(() => {
  vi.useFakeTimers();
  started = [];
  warnings = [];
  supervised = new SupervisedProcess({
    name: "leaf-1",
    start() {
      const child = new FakeProcess();
      started.push(child);
      return child as unknown as ChildProcess;
    },
    outcomeOf: (message) => (message instanceof Error ? message : "ready"),
    warn: (text) => warnings.push(text),
  });
});

afterEach(() => {
  vi.useRealTimers();
});

async function startReady(): Promise<FakeProcess> {
  const start = supervised.start();
  const child = started[0]!;
  child.ready();
  await start;
  return child;
}

test("a process that ends before it is ready fails the start, and is not started again", async () => {
  const start = supervised.start();
  const failed = expect(start).rejects.toThrow("leaf-1 ended with 1 before it was ready");
  started[0]!.end(1);
  await failed;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([started.length, warnings]).toEqual([1, []]);
});

test("the start fails with the reason that the process sent", async () => {
  const failed = expect(supervised.start()).rejects.toThrow("the folder is locked");
  started[0]!.emit("message", new Error("the folder is locked"));
  started[0]!.end(1);
  await failed;
});

test("a process that ends after it was ready is started again", async () => {
  const child = await startReady();
  child.end(9);
  expect(started).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(started).toHaveLength(2);
  expect(warnings).toEqual([
    expect.stringMatching(/^leaf-1 ended with 9; it is started again in /),
  ]);
});

test("a process that is stopped is not started again", async () => {
  const child = await startReady();
  await supervised.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(child.exitCode).toBe(0);
  expect([started.length, warnings]).toEqual([1, []]);
});

test("a stop also ends the wait for the next start", async () => {
  (await startReady()).end(9);
  await supervised.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(started).toHaveLength(1);
});

test("a process that does not end in time is killed", async () => {
  const child = await startReady();
  child.disconnect = () => undefined;
  const stop = supervised.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(child.kill).toHaveBeenCalledWith("SIGKILL");
  child.end(137);
  await stop;
});

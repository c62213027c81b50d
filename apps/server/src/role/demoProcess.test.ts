import { fork } from "node:child_process";
import { EventEmitter } from "node:events";
import { beforeEach, expect, test, vi } from "vitest";
import { DemoProcess } from "./demoProcess.js";

vi.mock("node:child_process", () => ({ fork: vi.fn() }));

class FakeChild extends EventEmitter {
  connected = true;

  disconnect(): void {
    this.connected = false;
    setImmediate(() => this.emit("exit", 0, null));
  }
}

let child: FakeChild;
let warnings: string[];
let demo: DemoProcess;

beforeEach(() => {
  child = new FakeChild();
  warnings = [];
  vi.mocked(fork).mockReturnValue(child as unknown as ReturnType<typeof fork>);
  demo = new DemoProcess((text) => warnings.push(text));
});

test("the demo's history is complete only when its process says so", () => {
  demo.start({ url: "http://127.0.0.1:7400", token: "hdl_x" });
  expect(demo.info).toEqual({ table: "requests", rows: 0, fraction: 0, problem: null });
  child.emit("message", { kind: "demo-progress", table: "requests", rows: 900, fraction: 1 });
  expect(demo.info).toMatchObject({ rows: 900, fraction: 0.999 });
  child.emit("message", { kind: "demo-ready" });
  expect(demo.info).toMatchObject({ rows: 900, fraction: 1 });
});

test("the first failure of the demo is its problem, and is logged once", async () => {
  demo.start({ url: "http://127.0.0.1:7400", token: "hdl_x" });
  child.emit("message", { kind: "demo-failed", detail: "the disk is full" });
  child.emit("exit", 1, null);
  await new Promise(setImmediate);
  expect(demo.info.problem).toBe("the disk is full");
  expect(warnings).toEqual(["demo: the disk is full"]);
});

test("a demo that ends by itself has a problem", async () => {
  demo.start({ url: "http://127.0.0.1:7400", token: "hdl_x" });
  child.emit("exit", 0, null);
  await new Promise(setImmediate);
  expect(demo.info.problem).toBe("it ended by itself");
});

test("a demo that is stopped has no problem", async () => {
  const stop = demo.start({ url: "http://127.0.0.1:7400", token: "hdl_x" });
  await stop();
  expect(child.connected).toBe(false);
  expect([demo.info.problem, warnings]).toEqual([null, []]);
});

import { afterEach, describe, expect, test, vi } from "vitest";
import { laterPart, loadLaterParts } from "./laterPart.js";

afterEach(() => vi.unstubAllGlobals());

describe("a part that loads later", () => {
  test("is loaded once for all who want it, and whoever shows it hears of it", async () => {
    let loads = 0;
    let heard = 0;
    const part = laterPart(async () => {
      loads += 1;
      return "editor";
    });
    const leave = part.subscribe(() => heard++);
    expect(part.getSnapshot()).toBeNull();
    await Promise.all([part.load(), part.load()]);
    await part.load();
    expect([part.getSnapshot(), loads, heard]).toEqual(["editor", 1, 1]);
    leave();
  });

  test("that failed is loaded again on demand", async () => {
    let loads = 0;
    const part = laterPart(async () => {
      loads += 1;
      if (loads === 1) throw new Error("offline");
      return loads;
    });
    await expect(part.load()).rejects.toThrow("offline");
    expect(part.getSnapshot()).toBeNull();
    await part.load();
    expect(part.getSnapshot()).toBe(2);
  });

  test("loads when the page is idle, also after another one that failed", async () => {
    const idle: (() => Promise<void>)[] = [];
    vi.stubGlobal("window", { requestIdleCallback: (run: () => Promise<void>) => idle.push(run) });
    const failing = laterPart(async () => {
      throw new Error("offline");
    });
    const part = laterPart(async () => "palette");
    loadLaterParts();
    expect(part.getSnapshot()).toBeNull();
    await idle[0]?.();
    expect([failing.getSnapshot(), part.getSnapshot()]).toEqual([null, "palette"]);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type RequestOutcome, RequestWindow, type Slot } from "./requestWindow.js";

const limits = { floor: 4, max: 64 };

/** Ends so many requests, one after another. */
function endMany(window: RequestWindow, count: number, outcome: RequestOutcome): void {
  for (let i = 0; i < count; i++) window.tryEnter()!.end(outcome);
}

describe("M14: the window", () => {
  test("halves at a loss, and grows by one when a whole window was answered", () => {
    const window = new RequestWindow(limits);
    expect(window.size).toBe(64);
    endMany(window, 1, "lost");
    expect(window.size).toBe(32);
    endMany(window, 33, "answered");
    expect(window.size).toBe(33);
    endMany(window, 10_000, "answered");
    expect(window.size).toBe(64);
    endMany(window, 100, "released");
    expect(window.size).toBe(64);
    endMany(window, 100, "lost");
    expect(window.size).toBe(4);
  });

  test("halves once for all that were under way together", () => {
    const window = new RequestWindow(limits);
    const slots = Array.from({ length: 20 }, () => window.tryEnter()!);
    for (const slot of slots) slot.end("lost");
    expect(window.size).toBe(32);
    expect(window.counts.lost).toBe(20);
    endMany(window, 1, "lost");
    expect(window.size).toBe(16);
  });

  test("a request that is silent lets another one go, and its end is counted once", () => {
    const window = new RequestWindow({ floor: 1, max: 1 });
    const slot = window.tryEnter()!;
    expect(window.tryEnter()).toBeNull();
    slot.yield();
    slot.yield();
    expect(window.counts.held).toBe(0);
    const other = window.tryEnter()!;
    slot.end("lost");
    slot.end("lost");
    expect(window.counts).toEqual({ held: 1, waiting: 0, lost: 1 });
    other.end("answered");
    expect(window.counts.held).toBe(0);
  });
});

type Step = "enter" | "call off" | RequestOutcome;

test("M14: never more are under way than the window has room for, and all have their turn in order", () => {
  const steps = fc.array(
    fc.constantFrom<Step>("enter", "enter", "enter", "answered", "answered", "lost", "call off"),
    { maxLength: 300 },
  );
  fc.assert(
    fc.property(steps, (given) => {
      const window = new RequestWindow({ floor: 2, max: 12 });
      const held: Slot[] = [];
      const waiting: { readonly number: number; readonly callOff: () => void }[] = [];
      const turns: number[] = [];
      let [entered, ended] = [0, 0];
      const enter = (): void => {
        const number = entered++;
        const slot = window.tryEnter();
        if (slot !== null) {
          held.push(slot);
          turns.push(number);
          return;
        }
        const callOff = window.wait((later) => {
          expect(window.counts.held).toBeLessThanOrEqual(window.size);
          held.push(later);
          turns.push(number);
        });
        waiting.push({ number, callOff });
      };
      const finish = (outcome: RequestOutcome): void => {
        const slot = held.shift();
        if (slot === undefined) return;
        ended++;
        slot.end(outcome);
      };
      const take = (one: Step): void => {
        if (one === "enter") enter();
        else if (one === "call off") waiting.pop()?.callOff();
        else finish(one);
      };
      for (const one of given) {
        take(one);
        expect(window.size).toBeGreaterThanOrEqual(2);
        expect(window.counts.held).toBe(held.length);
        // Whoever waits does so since the window is full.
        if (window.counts.waiting > 0) expect(held.length).toBeGreaterThanOrEqual(window.size);
      }
      expect(turns).toEqual([...turns].sort((a, b) => a - b));
      while (held.length > 0) take("answered");
      expect(window.counts).toMatchObject({ held: 0, waiting: 0 });
      expect(turns.length).toBeGreaterThanOrEqual(ended);
    }),
  );
});

import { HadalError } from "@hadal/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { keysMax, SignInThrottle } from "./signInThrottle.js";

interface Clock {
  nowMs: number;
}

const start = (): { readonly clock: Clock; readonly throttle: SignInThrottle } => {
  const clock = { nowMs: 1_000_000 };
  return { clock, throttle: new SignInThrottle(() => clock.nowMs) };
};

/** How long until an attempt is let in; 0: now. It is not counted. */
function waitOf(throttle: SignInThrottle, name: string, address: string): number {
  try {
    throttle.begin(name, address).abandoned();
    return 0;
  } catch (error) {
    if (!(error instanceof HadalError) || error.code !== "quota-exceeded") throw error;
    return error.members.retryAfterMs as number;
  }
}

test("the fifth wrong password of a name is answered late, and then the name has to wait", () => {
  const { clock, throttle } = start();
  const holds = [1, 2, 3, 4, 5].map(() => throttle.begin("anna", "a").failed());
  expect(holds).toEqual([0, 0, 0, 0, 1_000]);
  expect(waitOf(throttle, "anna", "a")).toBe(2_000);
  expect(waitOf(throttle, "bob", "a")).toBe(0);
  const waits = [];
  for (let i = 0; i < 6; i++) {
    clock.nowMs += waitOf(throttle, "anna", "a");
    throttle.begin("anna", "a").failed();
    waits.push(waitOf(throttle, "anna", "a"));
  }
  expect(waits).toEqual([3_000, 5_000, 9_000, 16_000, 16_000, 16_000]);
});

test("an address that signed in as the name waits for its own failures alone, and briefly", () => {
  const { clock, throttle } = start();
  throttle.begin("anna", "home").succeeded();
  for (let i = 0; i < 20; i++) {
    clock.nowMs += waitOf(throttle, "anna", "far");
    throttle.begin("anna", "far").failed();
  }
  expect(waitOf(throttle, "anna", "far")).toBe(16_000);
  expect(waitOf(throttle, "anna", "home")).toBe(0);
  for (let i = 0; i < 20; i++) {
    clock.nowMs += waitOf(throttle, "anna", "home");
    throttle.begin("anna", "home").failed();
  }
  expect(waitOf(throttle, "anna", "home")).toBe(2_000);
  clock.nowMs += 2_000;
  throttle.begin("anna", "home").succeeded();
  expect(waitOf(throttle, "anna", "home")).toBe(0);
});

test("many attempts at once are not more guesses", () => {
  const { throttle } = start();
  const attempts = [];
  for (let i = 0; i < 1_000; i++) {
    try {
      attempts.push(throttle.begin("anna", `a${i}`));
    } catch {
      // Refused.
    }
  }
  expect(attempts).toHaveLength(16);
  for (const attempt of attempts) attempt.failed();
  expect(waitOf(throttle, "anna", "a")).toBeGreaterThan(0);
});

test("a million names take no more memory than ten thousand", () => {
  const { throttle } = start();
  for (let i = 0; i < keysMax + 1_000; i++) throttle.begin(`name ${i}`, "a").failed();
  expect(throttle.size).toBe(keysMax);
});

test("after a quarter of an hour without a failure a name begins again", () => {
  const { clock, throttle } = start();
  for (let i = 0; i < 5; i++) throttle.begin("anna", "a").failed();
  clock.nowMs += 16 * 60_000;
  expect(throttle.begin("anna", "a").failed()).toBe(0);
});

const step = fc.record({
  name: fc.constantFrom("anna", "bob", "unknown"),
  address: fc.constantFrom("home", "far"),
  outcome: fc.constantFrom("failed", "succeeded", "abandoned"),
  passedMs: fc.nat(20_000),
});

test("property: no name is locked, nor slowed by failures of another", () => {
  const steps = fc.array(step, { maxLength: 60 });
  fc.assert(
    fc.property(steps, (made) => {
      const { clock, throttle } = start();
      const failures = new Map<string, number>();
      for (const { name, address, outcome, passedMs } of made) {
        clock.nowMs += passedMs;
        const waitMs = waitOf(throttle, name, address);
        // Within what the longest pause is, and only for failures of its own.
        expect(waitMs).toBeLessThanOrEqual(16_000);
        if ((failures.get(name) ?? 0) < 5) expect(waitMs).toBe(0);
        if (waitMs > 0) continue;
        const attempt = throttle.begin(name, address);
        if (outcome === "failed") failures.set(name, (failures.get(name) ?? 0) + 1);
        attempt[outcome as "failed"]();
      }
      clock.nowMs += 16_000;
      for (const name of ["anna", "bob", "unknown"]) expect(waitOf(throttle, name, "x")).toBe(0);
    }),
    { numRuns: 300 },
  );
});

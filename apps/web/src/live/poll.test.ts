import { HadalError } from "@hadal/sdk";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPoll } from "./poll.js";
import { type CountSample, rateOf, withSample } from "./rateMeter.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function counting() {
  let asked = 0;
  let visible = true;
  let fails = false;
  const ask = async (): Promise<number> => {
    asked++;
    if (fails) throw new HadalError("connection-lost", { url: "x" });
    return asked;
  };
  const poll = createPoll(ask, 2_000, { now: () => 5, isVisible: () => visible });
  return {
    poll,
    asked: () => asked,
    hide: () => {
      visible = false;
    },
    fail: () => {
      fails = true;
    },
  };
}

test("polls while it has subscribers, and no longer", async () => {
  const { poll, asked } = counting();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked()).toBe(0);
  const leave = poll.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(4_100);
  expect(asked()).toBe(3);
  expect(poll.getSnapshot()).toEqual({ value: 3, problem: null, atMs: 5 });
  leave();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked()).toBe(3);
});

test("a hidden page sends no requests", async () => {
  const { poll, asked, hide } = counting();
  hide();
  poll.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked()).toBe(0);
});

test("what was known stays when asking fails", async () => {
  const { poll, fail } = counting();
  poll.subscribe(() => {});
  await vi.advanceTimersByTimeAsync(10);
  fail();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(poll.getSnapshot()).toMatchObject({ value: 1, problem: { code: "connection-lost" } });
});

const sample = (atMs: number, counts: Record<string, number>): CountSample => ({
  atMs,
  counts: new Map(Object.entries(counts)),
});
const keep = (...samples: CountSample[]) => samples.reduce<readonly CountSample[]>(withSample, []);

test.each([
  ["one sample says nothing", keep(sample(0, { a: 5 })), null],
  ["growth over time", keep(sample(0, { a: 5 }), sample(2_000, { a: 25 })), 10],
  ["a new name counts from zero", keep(sample(0, {}), sample(2_000, { a: 20 })), 10],
  [
    "only the last ten seconds count",
    keep(...[0, 4, 8, 12, 16].map((s) => sample(s * 1_000, { a: s <= 4 ? s * 100 : 400 }))),
    0,
  ],
  [
    "a server that started again",
    keep(sample(0, { a: 500 }), sample(2_000, { a: 4 }), sample(4_000, { a: 10 })),
    3,
  ],
])("%s", (_, samples, rate) => expect(rateOf(samples, "a")).toBe(rate));

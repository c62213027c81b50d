import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createPartialPacer } from "./partialPacer.js";

const logged: string[] = [];
const deps = {
  now: () => performance.now(),
  logError: (text: string, error: unknown) => void logged.push(`${text}: ${error}`),
  inTurn: (work: () => void) => work(),
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("passes the first on with what came along, then the newest every 50 ms, and nothing after the stop", () => {
  const passed: number[] = [];
  const pacer = createPartialPacer<number>(deps, (value) => passed.push(value));
  pacer.offer(1);
  pacer.offer(2);
  expect(passed).toEqual([]);
  vi.advanceTimersByTime(3);
  expect(passed).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(passed).toEqual([2]);
  pacer.offer(3);
  vi.advanceTimersByTime(30);
  pacer.offer(4);
  expect(passed).toEqual([2]);
  vi.advanceTimersByTime(20);
  expect(passed).toEqual([2, 4]);
  pacer.offer(5);
  pacer.stop();
  pacer.offer(6);
  vi.advanceTimersByTime(1_000);
  expect(passed).toEqual([2, 4]);
});

test("slows down when passing on takes long", () => {
  const passed: number[] = [];
  const pacer = createPartialPacer<number>(deps, (value) => {
    vi.advanceTimersByTime(100);
    passed.push(value);
  });
  pacer.offer(1);
  vi.advanceTimersByTime(4);
  pacer.offer(2);
  vi.advanceTimersByTime(190);
  expect(passed).toEqual([1]);
  vi.advanceTimersByTime(20);
  expect(passed).toEqual([1, 2]);
});

test("holds back what is not worth it yet, and passes the newest on once it is", () => {
  const passed: number[] = [];
  let isWorth = false;
  const pacer = createPartialPacer<number>(
    deps,
    (value) => passed.push(value),
    () => isWorth,
  );
  pacer.offer(1);
  vi.advanceTimersByTime(60);
  pacer.offer(2);
  vi.advanceTimersByTime(60);
  expect(passed).toEqual([]);
  isWorth = true;
  vi.advanceTimersByTime(50);
  expect(passed).toEqual([2]);
});

test("logs what passing one on throws, and goes on with the next", () => {
  const passed: number[] = [];
  const pacer = createPartialPacer<number>(deps, (value) => {
    if (value === 1) throw new Error("one");
    passed.push(value);
  });
  pacer.offer(1);
  vi.advanceTimersByTime(10);
  expect(logged).toEqual(["a partial answer: Error: one"]);
  pacer.offer(2);
  vi.advanceTimersByTime(60);
  expect(passed).toEqual([2]);
});

test("an answer that arrives before its turn comes takes the place of the one that waits for it", () => {
  const passed: number[] = [];
  const turns: (() => void)[] = [];
  const inTurn = (work: () => void): void => void turns.push(work);
  const pacer = createPartialPacer<number>({ ...deps, inTurn }, (value) => passed.push(value));
  pacer.offer(1);
  vi.advanceTimersByTime(4);
  pacer.offer(2);
  expect(passed).toEqual([]);
  turns.shift()?.();
  expect(passed).toEqual([2]);
  pacer.offer(3);
  vi.advanceTimersByTime(50);
  pacer.stop();
  turns.shift()?.();
  expect(passed).toEqual([2]);
});

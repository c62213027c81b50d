import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TokenRequests } from "./tokenRequests.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("one token answers all requests; without one it is the page's own", async () => {
  const requests = new TokenRequests();
  expect(requests.answer("early")).toBe(false);
  const asked = [requests.ask(), requests.ask()];
  expect(requests.answer("next")).toBe(true);
  expect(await Promise.all(asked)).toEqual(["next", "next"]);
  expect(requests.answer("late")).toBe(false);
});

test("a request that ran out of time leaves a later one alone", async () => {
  const requests = new TokenRequests();
  const first = expect(requests.ask()).rejects.toThrow("no token");
  await vi.advanceTimersByTimeAsync(20_000);
  const second = requests.ask();
  await vi.advanceTimersByTimeAsync(10_000);
  await first;
  expect(requests.answer("next")).toBe(true);
  expect(await second).toBe("next");
});

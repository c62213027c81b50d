import { expect, test } from "vitest";
import { RateLimit } from "./rateLimit.js";

function createWorld(max = 100) {
  const clock = { nowMs: 0 };
  const options = { limitName: "userRowsPerMinute", what: "rows scanned per minute", max };
  const limit = new RateLimit({ ...options, intervalMs: 60_000 }, () => clock.nowMs);
  return { clock, limit };
}

test("one request may take more than is left; the next waits until that is paid for", () => {
  const { clock, limit } = createWorld();
  limit.take("a", 90);
  limit.take("a", 70);
  const refusal = expect.objectContaining({
    ...{ code: "quota-exceeded", status: 429, retry: true },
    members: { limitName: "userRowsPerMinute", retryAfterMs: 36_600 },
    message:
      "At most 100 rows scanned per minute for each user, token or unknown address (userRowsPerMinute).",
  });
  expect(() => limit.take("a", 1)).toThrow(refusal);
  clock.nowMs = 36_000;
  expect(() => limit.check("a")).toThrow("userRowsPerMinute");
  clock.nowMs = 36_600;
  limit.take("a", 1);
  expect(() => limit.check("a")).toThrow("userRowsPerMinute");
});

test("each client has its own allowance, and none has more than one interval's", () => {
  const { clock, limit } = createWorld();
  limit.take("a", 100);
  limit.take("b", 100);
  clock.nowMs = 600_000;
  limit.take("a", 100);
  expect(() => limit.check("a")).toThrow("userRowsPerMinute");
  limit.check("b");
});

test("what is given back may be taken again, and never makes an allowance larger", () => {
  const { limit } = createWorld();
  limit.take("a", 100);
  limit.spend("a", -150);
  limit.take("a", 100);
  expect(() => limit.check("a")).toThrow("userRowsPerMinute");
});

test("0 is no limit", () => {
  const { limit } = createWorld(0);
  limit.take("a", 1e15);
  limit.take("a", 1);
});

test("a client is not forgotten while it waits, however many others come", () => {
  const { clock, limit } = createWorld();
  limit.take("first", 250);
  clock.nowMs = 60_000;
  for (let i = 0; i < 20_001; i++) limit.take(`c${i}`, 1);
  expect(() => limit.check("first")).toThrow("userRowsPerMinute");
});

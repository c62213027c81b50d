import { expect, test } from "vitest";
import { retentionSpans } from "./retentionSpans.js";

const hours = (from: number, to: number) => ({ fromMs: from * 3_600_000, toMs: to * 3_600_000 });
const nowMs = 100 * 3_600_000;
const times = { stored: hours(50, 100), expiredMs: null, queried: hours(90, 100), nowMs };

test("the line spans the rows and the range of the query", () => {
  expect(retentionSpans(times)).toEqual({
    expired: null,
    stored: { left: 0, width: 100 },
    queried: { left: 80, width: 20 },
  });
  expect(retentionSpans({ ...times, queried: hours(0, 100) }).stored).toEqual({
    left: 50,
    width: 50,
  });
});

test("the expired span is shown where the line reaches it", () => {
  const spans = retentionSpans({ ...times, expiredMs: 75 * 3_600_000 });
  expect(spans.expired).toEqual({ left: 0, width: 50 });
  expect(retentionSpans({ ...times, expiredMs: 25 * 3_600_000 }).expired).toBeNull();
});

test("a short span stays visible, an unreadable range is not shown", () => {
  expect(retentionSpans({ ...times, queried: hours(99.99, 100) }).queried?.width).toBe(0.5);
  expect(retentionSpans({ ...times, queried: null }).queried).toBeNull();
});

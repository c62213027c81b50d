import { expect, test } from "vitest";
import { compareReach } from "./compareReach.js";

const nowMs = Date.UTC(2026, 10, 21, 12);
const hour = 3_600_000;
const reach = (offset: string | null, from = "-3h", oldestMs = nowMs - 25 * hour) =>
  compareReach(
    { from, to: "now", compare: offset === null ? null : { offset, filter: null } },
    oldestMs,
    nowMs,
    "UTC",
  );

test("side B reaches as far back as there are rows", () => {
  expect(reach(null)).toBe("all");
  expect(reach("3h")).toBe("all");
  expect(reach("previous", "-12h")).toBe("all");
  expect(reach("previous", "-13h")).toBe("part");
  expect(reach("1d")).toBe("part");
  expect(reach("7d")).toBe("none");
});

test.each([
  ["1mo", "2026-10-21T08:59:00Z", "all"],
  ["1mo", "2026-10-21T10:00:00Z", "part"],
  ["1mo", "2026-10-21T12:00:00Z", "none"],
  ["1q", "2026-08-21T10:00:00Z", "part"],
  ["1y", "2025-11-21T10:00:00Z", "part"],
  ["1y", "2025-11-22T00:00:00Z", "none"],
  ["10000y", "2025-11-22T00:00:00Z", "none"],
])("%s before, of rows since %s: %s", (offset, oldest, expected) =>
  expect(reach(offset, "-3h", Date.parse(oldest))).toBe(expected),
);

test("months go by the clock of the zone, and end with their last day", () => {
  const reachOf = (from: string, to: string, oldest: string, timeZone: string) => {
    const state = { from, to, compare: { offset: "1mo", filter: null } };
    return compareReach(state, Date.parse(oldest), nowMs, timeZone);
  };
  // The clocks in Berlin went back on 25 October: noon was one hour earlier in UTC before.
  const [from, to] = ["2026-11-21T10:00:00Z", "2026-11-21T11:00:00Z"];
  expect(reachOf(from, to, "2026-10-21T10:00:00Z", "Europe/Berlin")).toBe("none");
  expect(reachOf(from, to, "2026-10-21T10:00:00Z", "UTC")).toBe("all");
  // 31 October is compared with the end of September.
  const halloween = ["2026-10-31T00:00:00Z", "2026-10-31T12:00:00Z"] as const;
  expect(reachOf(...halloween, "2026-10-01T00:00:00Z", "UTC")).toBe("none");
});

test("an unknown reach has no words", () => {
  expect(reach("7d", "banana")).toBe("all");
  expect(reach("soon")).toBe("all");
  expect(reach("10000y", "-14000000w")).toBe("none");
  const first = {
    from: "-14000000w",
    to: "-13900000w",
    compare: { offset: "10000y", filter: null },
  };
  expect(compareReach(first, nowMs, nowMs, "UTC")).toBe("all");
  const state = { from: "-3h", to: "now", compare: { offset: "7d", filter: null } };
  expect(compareReach(state, null, nowMs, "UTC")).toBe("all");
});

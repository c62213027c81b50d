import { expect, test } from "vitest";
import { compareReach } from "./compareReach.js";

const nowMs = Date.UTC(2026, 10, 21, 12);
const hour = 3_600_000;
const reach = (offset: string | null, from = "-3h") =>
  compareReach(
    { from, to: "now", compare: offset === null ? null : { offset, filter: null } },
    nowMs - 25 * hour,
    nowMs,
  );

test("side B reaches as far back as there are rows", () => {
  expect(reach(null)).toBe("all");
  expect(reach("3h")).toBe("all");
  expect(reach("previous", "-12h")).toBe("all");
  expect(reach("previous", "-13h")).toBe("part");
  expect(reach("1d")).toBe("part");
  expect(reach("7d")).toBe("none");
});

test("what cannot be told is not said", () => {
  expect(reach("7d", "banana")).toBe("all");
  expect(reach("soon")).toBe("all");
  const state = { from: "-3h", to: "now", compare: { offset: "7d", filter: null } };
  expect(compareReach(state, null, nowMs)).toBe("all");
});

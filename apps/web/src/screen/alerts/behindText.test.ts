import { expect, test } from "vitest";
import { behindText } from "./behindText.js";

test("rules that are overdue are said, and where no gateway evaluates them", () => {
  expect(behindText({ behind: 0, lagMs: 0, leader: true })).toBeNull();
  // A gateway that has just started takes over before any rule is overdue.
  expect(behindText({ behind: 0, lagMs: 0, leader: false })).toBeNull();
  expect(behindText({ behind: 1, lagMs: 7_000, leader: true })).toBe(
    "Alerting is behind: 1 rule is overdue, the longest by 7 s.",
  );
  expect(behindText({ behind: 12, lagMs: 90_000, leader: false })).toMatch(
    /12 rules are overdue.* No gateway evaluates rules now\.$/,
  );
});

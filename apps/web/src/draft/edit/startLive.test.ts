import { describe, expect, test } from "vitest";
import { initialState } from "../../query/state/exploreState.js";
import { applyEdit } from "./edits.js";

const start = initialState("requests");
const live = { kind: "set live", live: true } as const;

describe("live", () => {
  test.each([
    ["-3h", "now", "-3h"],
    ["now-3h", "now", "now-3h"],
    ["-3h", "-1h", "-7200s"],
    ["2026-11-21T09:00:00Z", "2026-11-21T09:10:00Z", "-600s"],
    ["1795251600000", "1795255200000", "-3600s"],
    ["2026-11-21", "2026-11-22", "-86400s"],
    ["2026-11-21T09:00:00Z", "now", "2026-11-21T09:00:00Z"],
    ["1795251600000", "-1h", "1795251600000"],
    ["yesterdayish", "2026-11-22", "yesterdayish"],
  ])("%s to %s goes on from %s to now", (from, to, liveFrom) => {
    expect(applyEdit({ ...start, from, to }, live)).toEqual({
      ...start,
      from: liveFrom,
      to: "now",
      live: true,
    });
  });

  test("leaves no part behind that the range moves out of; without it times stand still", () => {
    const part = { fromMs: 1_000, toMs: 2_000 };
    expect(applyEdit({ ...start, part }, live).part).toBeNull();
    const off = { ...live, live: false };
    expect(applyEdit({ ...start, part, live: true }, off)).toEqual({ ...start, part });
  });

  test("zooming stops it", () => {
    const zoom = { kind: "zoom", fromMs: 1_795_251_600_000, toMs: 1_795_255_200_000 } as const;
    const zoomed = applyEdit(applyEdit(start, live), zoom);
    expect([zoomed.live, zoomed.from]).toEqual([false, "2026-11-21T09:00:00.000Z"]);
  });
});

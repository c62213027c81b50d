import { describe, expect, test } from "vitest";
import { nearestHint, nearestName } from "./nearestName.js";

describe("nearestName", () => {
  test.each([
    ["staus", "status"],
    ["STATUS", "status"],
    ["sttaus", "status"],
    ["latency", "latency_us"],
    ["tabel", "table"],
    ["zebra", null],
    ["", null],
    ["a", null],
  ])("%s → %s", (name, expected) => {
    expect(nearestName(name, ["status", "latency_us", "table", "by"])).toBe(expected);
  });

  test("prefers the closest, and the first of equals", () => {
    expect(nearestName("service", ["serviced", "service"])).toBe("service");
    expect(nearestName("servic", ["service", "servica"])).toBe("service");
  });

  test("a swap of neighbours counts once", () => {
    expect(nearestName("ab", ["ba"])).toBe("ba");
    expect(nearestName("ab", ["cd"])).toBeNull();
  });

  test("the hint follows a sentence or is nothing", () => {
    expect(nearestHint("staus", ["status"])).toBe(' Did you mean "status"?');
    expect(nearestHint("zebra", ["status"])).toBe("");
  });
});

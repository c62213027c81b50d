import { HadalError } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { functionLimitsDefault } from "../../base/limit/functionLimits.js";
import { functionFailed, functionLimit, placedProblem, placeInSource } from "./functionProblem.js";

describe("a problem of a function", () => {
  it("says where in its source it is", () => {
    const failed = functionFailed("x is not defined", { line: 2, column: 7 });
    expect(failed.message).toContain("(line 2, column 7)");
    expect(failed.errors).toMatchObject([{ code: "function-failed", line: 2, column: 7 }]);
  });

  it("names the limit that it reached, and how much that is", () => {
    const stopped = functionLimit("functionCpuMs", functionLimitsDefault, "took too long");
    expect(stopped.code).toBe("function-limit");
    expect(stopped.message).toContain(`at most ${functionLimitsDefault.functionCpuMs}`);
    expect(stopped.message).toContain("functionCpuMs");
  });

  it("gets the path of the query, and the name of its column; other problems stay as they are", () => {
    const placed = placedProblem(functionFailed("no"), "derive[1]", "speed");
    if (!(placed instanceof HadalError)) return expect.fail("it is a problem");
    expect(placed.errors).toMatchObject([{ path: "derive[1]" }]);
    expect(placed.message).toMatch(/^speed: /);
    const other = new HadalError("cancelled");
    expect(placedProblem(other, "derive[1]", "speed")).toBe(other);
  });
});

describe("the place of a problem", () => {
  it("is the innermost one in the user's own source, which begins on the second line", () => {
    const stack = "at inner (function.js:4:9)\n at outer (function.js:2:1)";
    expect(placeInSource(stack, 5)).toEqual({ line: 3, column: 9 });
  });

  it("passes over lines that the user did not write", () => {
    const stack =
      "at head (function.js:1:1)\n at past (function.js:9:1)\n at own (function.js:2:3)";
    expect(placeInSource(stack, 3)).toEqual({ line: 1, column: 3 });
    expect(placeInSource("at prelude (prelude.js:2:3)", 3)).toBeNull();
  });
});

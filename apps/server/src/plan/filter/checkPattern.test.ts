import { HadalError } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { checkLike, groupsOfPattern } from "./checkPattern.js";

describe("a pattern", () => {
  it.each([
    ["abc", 0],
    ["(a)(b(c))", 3],
    ["(?:a)|(b)", 1],
  ])("%s has %s groups", (pattern, count) => {
    expect(groupsOfPattern(pattern, "filter[0].value")).toBe(count);
  });

  it.each([
    ["(", "missing"],
    ["a".repeat(10_001), "patternLengthMax"],
    ["\\pL".repeat(1_001), "unicodeClassesMax"],
  ])("that cannot be run is refused with its path and the reason (%#)", (pattern, reason) => {
    try {
      groupsOfPattern(pattern, "filter[0].value");
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      expect(error.code).toBe("invalid-pattern");
      expect(error.errors[0]).toMatchObject({ path: "filter[0].value" });
      expect(error.message).toContain(reason);
      // The message shows the start of a long pattern, not all of it.
      expect(error.message.length).toBeLessThan(400);
      return;
    }
    expect.fail("it was accepted");
  });

  it("of LIKE is a text, whatever signs it has", () => {
    expect(() => checkLike("100%(", "filter[0].value")).not.toThrow();
  });
});

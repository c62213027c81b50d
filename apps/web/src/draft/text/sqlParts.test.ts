import { HadalError } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { parseCondition, parseExpression, printCondition, printExpression } from "./sqlParts.js";

describe("parts of SQL", () => {
  test.each([
    "status >= 500",
    "status >= 500 OR message CONTAINS 'time out'",
    "NOT (country IN ('DE', 'FR'))",
    "tags INCLUDES ANY ('a') OR (a = 1 AND b IS NULL)",
  ])("the condition %s comes back", (text) => {
    const { filter, derive } = parseCondition(text);
    expect(derive).toEqual([]);
    expect(parseCondition(printCondition(filter)).filter).toEqual(filter);
  });
  test("several conditions are combined, with the columns that they compute", () => {
    const { filter, derive } = parseCondition("a = 1 AND length(service) > 4");
    expect(filter).toMatchObject({ all: [{ column: "a" }, { op: ">" }] });
    expect(derive).toHaveLength(1);
    expect(printCondition(filter, derive)).toContain("length(service) > 4");
  });
  test.each(["latency_us / 1000", "CASE WHEN a > 1 THEN 'x' ELSE b END", "lower(service)", "-a"])(
    "the expression %s comes back",
    (text) => {
      const expression = parseExpression(text);
      expect(parseExpression(printExpression(expression))).toEqual(expression);
    },
  );
  test.each<[string, () => unknown, number]>([
    ["condition", () => parseCondition("a =\n  = 1"), 2],
    ["condition", () => parseCondition("TRUE) OR (a = 1"), 1],
    ["expression", () => parseExpression("lenght(a)"), 1],
    ["expression", () => parseExpression("a AS y, b"), 1],
  ])("a broken %s says where", (_, read, line) => {
    try {
      read();
    } catch (error) {
      expect(error).toBeInstanceOf(HadalError);
      expect((error as HadalError).errors[0]?.line ?? 1).toBe(line);
      return;
    }
    expect.unreachable();
  });
});

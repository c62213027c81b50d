import { HadalError, type Result } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { footWords } from "./footWords.js";
import { obstacleWords, refusalOf, wordsOf } from "./refusal.js";

const asOf = Date.UTC(2026, 10, 29, 9, 30, 5);
const result = (part: Partial<Result> = {}): Result => ({
  columns: [{ name: "count", type: "int", role: "aggregate" }],
  ...{ rows: [[100]], intervals: {}, asOf, final: true, truncated: null },
  completeness: {
    ...{ fraction: 1, rowsExpected: 9, rowsAnswered: 9 },
    leaves: { answered: 3, total: 3, missing: [] },
  },
  stats: {} as Result["stats"],
  ...part,
});

describe("the line below a chart", () => {
  test("says how complete the answer is, and from when", () => {
    expect(footWords(result(), "Asia/Tokyo")).toEqual(["100 % of rows", "as of 18:30:05"]);
  });

  test("has the typical error, the leaves that are missing and what is not shown", () => {
    const part = result({
      intervals: { count: [[90, 110]] },
      truncated: { groups: 12 },
      completeness: {
        ...{ fraction: 0.67, rowsExpected: 9, rowsAnswered: 6 },
        leaves: { answered: 2, total: 3, missing: ["leaf-2"] },
      },
    });
    expect(footWords(part, "UTC")).toEqual([
      "67 % of rows",
      "±10 %",
      "1 of 3 leaves missing",
      "as of 09:30:05",
      "12 more groups not shown",
    ]);
  });
});

test("a token that ended or is not enough has words of its own", () => {
  const scope = new HadalError("token-scope", { detail: "No groups by city." });
  expect(refusalOf(new HadalError("unauthenticated"))?.title).toBe("This chart has expired");
  expect(refusalOf(scope)).toEqual({ title: expect.any(String), text: "No groups by city." });
  expect(refusalOf(new HadalError("connection-lost"))).toBeNull();
  const lost = new HadalError("connection-lost", { url: "ws://hadal.example?session=7" });
  expect(obstacleWords(lost)).toEqual({ title: "No answer", text: wordsOf(lost) });
  expect(wordsOf(lost)).not.toMatch(/session/);
  const fault = new HadalError("bad-request", { detail: "No src." });
  expect(obstacleWords(fault)).toEqual({ title: "Nothing to show", text: "No src." });
});

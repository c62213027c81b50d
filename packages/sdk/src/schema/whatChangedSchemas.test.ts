import { describe, expect, test } from "vitest";
import { checkWhatChanged } from "../model/check/checkWhatChanged.js";
import { HadalError } from "../model/problem/problem.js";
import { changesLimitMax } from "../model/whatChanged.js";
import { schemas } from "./schemas.js";
import { createValidator } from "./testing/schemaValidator.js";

const validate = createValidator(schemas)("WhatChangedRequest");

const rows = { table: "requests", from: "-3h", to: "now" };
const slow = [{ column: "ms", op: ">", value: 50 }];
const sound = { ...rows, selection: { filter: slow } };

function refusalsOf(request: unknown): string[] {
  try {
    checkWhatChanged(request);
    return [];
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.errors.map(({ path, code }) => `${path}: ${code}`);
  }
}

describe("a request for what changed", () => {
  test.each([
    ["a filter against the rest", sound],
    [
      "times against the rest",
      { ...rows, selection: { from: "-1h", to: "-30m" }, against: "rest" },
    ],
    ["all rows against last week's", { ...rows, against: { offset: "7d" } }],
    ["A against B", { ...sound, against: { filter: [], offset: "1mo" } }],
    [
      "everything",
      {
        ...sound,
        ...{ filter: slow, derive: [{ as: "slow", js: "(row) => row.ms > 5" }] },
        ...{ columns: ["country"], without: ["__proto__"], limit: 5, values: 3, pairs: false },
        ...{ timeZone: "Europe/Berlin", timeoutMs: 5_000 },
      },
    ],
  ])("%s is taken, by the schema too", (_, request) => {
    expect(checkWhatChanged(request)).toBe(request);
    expect(validate(request)).toBe(true);
  });

  test.each([
    ["an unknown key", { ...sound, groupBy: [] }, "groupBy: unknown-key"],
    ["a selection that is a list", { ...rows, selection: slow }, "selection: type-mismatch"],
    [
      "a broken filter",
      { ...rows, selection: { filter: [{ column: "a", op: "≈" }] } },
      "selection.filter[0].op: unknown-operator",
    ],
    [
      "a time that is none",
      { ...rows, selection: { from: "soon" } },
      "selection.from: time-range-invalid",
    ],
    ["another word for B", { ...sound, against: "others" }, "against: type-mismatch"],
    ["an empty B", { ...sound, against: {} }, "against: missing"],
    [
      "an offset without unit",
      { ...rows, against: { offset: "7" } },
      "against.offset: invalid-duration",
    ],
    ["too many columns", { ...sound, limit: changesLimitMax + 1 }, "limit: out-of-range"],
    ["pairs that are a number", { ...sound, pairs: 1 }, "pairs: type-mismatch"],
  ])("%s is refused with its place, by the schema too", (_, request, refusal) => {
    expect(refusalsOf(request)).toContain(refusal);
    expect(validate(request)).toBe(false);
  });

  test.each([
    ["no selection", rows],
    ["an empty selection", { ...rows, selection: {} }],
    ["one without conditions", { ...rows, selection: { filter: [] } }],
  ])("%s separates no sets: the rest of all rows is nothing", (_, request) => {
    expect(refusalsOf(request)).toEqual(["selection: missing"]);
  });
});

import { describe, expect, it } from "vitest";
import { annotationTextMax } from "../../annotation.js";
import { HadalError } from "../../problem/problem.js";
import { checkAnnotationBody, checkAnnotationDraft } from "./checkAnnotation.js";

const nowMs = Date.parse("2026-11-21T10:00:00Z");
const draft = { time: "2026-11-21T09:00:00Z", title: "Release" };

function problemsOf(check: () => unknown): readonly (string | undefined)[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return error.errors.map(({ path }) => path);
  }
}

describe("checkAnnotationDraft", () => {
  it("fixes relative times at the clock", () => {
    expect(checkAnnotationDraft({ ...draft, time: "-1h", until: "now" }, nowMs)).toEqual({
      ...{ title: "Release", time: nowMs - 3_600_000, until: nowMs },
    });
  });

  it.each([
    [null, [""]],
    [{}, ["title", "time"]],
    [{ ...draft, time: "soon" }, ["time"]],
    [{ ...draft, until: "2026-11-21T08:00:00Z" }, ["until"]],
    [{ ...draft, until: draft.time }, []],
    [{ ...draft, title: " " }, ["title"]],
    [{ ...draft, text: "x".repeat(annotationTextMax + 1) }, ["text"]],
    [{ ...draft, tags: ["a", 1, null] }, ["tags[1]", "tags[2]"]],
    [{ ...draft, tags: "release" }, ["tags"]],
    [{ ...draft, tables: ["visits", "", "a\u0000"] }, ["tables[1]", "tables[2]"]],
    [{ ...draft, other: 1 }, ["other"]],
  ])("%.70j: each fault at its place", (value, paths) => {
    expect(problemsOf(() => checkAnnotationDraft(value, nowMs))).toEqual(paths);
  });
});

describe("checkAnnotationBody", () => {
  it.each([
    [{ time: nowMs, until: nowMs, tags: [], tables: [] }, []],
    [{ time: "now" }, ["time"]],
    [{ time: nowMs, until: "-1h" }, ["until"]],
    [{ time: nowMs, title: "Release" }, ["title"]],
  ])("%.70j: saved times do not move", (value, paths) => {
    expect(problemsOf(() => checkAnnotationBody(value))).toEqual(paths);
  });
});

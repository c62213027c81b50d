import type { DocumentSummary } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { newestFirst, savedRows, sortAfterClick } from "./savedRows.js";

const saved = (title: string, changedMs: number, changedBy: string | null): DocumentSummary => ({
  ...{ id: title, kind: "query", title, version: 1, changedMs, changedBy },
  ...{ createdMs: 0, createdBy: null },
});
const list = [
  saved("Errors of checkout", 10, "ann"),
  saved("errors 10", 30, "Bo"),
  saved("Errors 9", 20, null),
];
const titles = (text: string, sort = newestFirst) =>
  savedRows(list, text, sort).map(({ title }) => title);

describe("the list of saved queries", () => {
  test("finds every word, in titles and writers, in any case", () => {
    expect(titles("ERR check")).toEqual(["Errors of checkout"]);
    expect(titles("bo")).toEqual(["errors 10"]);
    expect(titles(" ")).toHaveLength(3);
    expect(titles("nothing")).toEqual([]);
  });

  test("is ordered by time, by title with numbers as numbers, by writer", () => {
    expect(titles("")).toEqual(["errors 10", "Errors 9", "Errors of checkout"]);
    const byTitle = sortAfterClick(newestFirst, "title");
    expect(titles("", byTitle)).toEqual(["Errors 9", "errors 10", "Errors of checkout"]);
    const back = sortAfterClick(byTitle, "title");
    expect(titles("", back)).toEqual(["Errors of checkout", "errors 10", "Errors 9"]);
    expect(titles("", sortAfterClick(back, "changedBy"))[0]).toBe("Errors 9");
    expect(sortAfterClick(byTitle, "changedMs")).toEqual(newestFirst);
  });
});

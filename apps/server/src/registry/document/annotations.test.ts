import { annotationsMax, type SavedDocument } from "@hadal/sdk";
import { expect, test } from "vitest";
import { findAnnotationQueries, findAnnotations } from "./annotations.js";

const document = (title: string, body: SavedDocument["body"]): SavedDocument => ({
  ...{ id: title, kind: "annotation", title, body, version: 1 },
  ...{ createdMs: 0, createdBy: null, changedMs: 0, changedBy: null },
});
const all = { fromMs: null, toMs: null, table: null };
const titlesOf = (documents: readonly SavedDocument[]) =>
  findAnnotations(documents, all, () => true).map(({ title }) => title);

test("what an older version saved without a time spoils no list", () => {
  const documents = [document("old", { note: "x" }), document("good", { time: 1e12 })];
  expect(titlesOf(documents)).toEqual(["good"]);
});

test("of too many the newest are kept, by time", () => {
  const documents = Array.from({ length: annotationsMax + 2 }, (_, i) =>
    document(`${i}`, { time: 1e12 - i }),
  );
  const titles = titlesOf(documents);
  expect(titles).toHaveLength(annotationsMax);
  expect([titles[0], titles.at(-1)]).toEqual([`${annotationsMax - 1}`, "0"]);
});

const query = { table: "deploys" };
const releases = document("releases", { query, titleColumn: "version", tables: ["visits"] });
const own = document("own", { query, titleColumn: "version" });
const queriesFor = (table: string | null, unreadable = "") =>
  findAnnotationQueries([releases, own], table, (one) => one !== unreadable).map(({ id }) => id);

test("queries are shown on charts of their tables, or of their own", () => {
  expect(queriesFor(null)).toEqual(["own", "releases"]);
  expect(queriesFor("visits")).toEqual(["releases"]);
  expect(queriesFor("deploys")).toEqual(["own"]);
  expect(titlesOf([releases, own])).toEqual([]);
});

test("a query of a table without a grant does not exist", () => {
  expect(queriesFor(null, "deploys")).toEqual([]);
  expect(queriesFor(null, "visits")).toEqual(["own"]);
});

import { HadalError, type SavedDocument } from "@hadal/sdk";
import { expect, test } from "vitest";
import { faultsOfError } from "./faults.js";
import { emptyMoment, formOfMoment, readMoment } from "./momentForm.js";
import { emptyRows, formOfRows, ofTable, readRows } from "./rowsForm.js";

const clock = { timeZone: "Europe/Berlin", nowMs: Date.UTC(2026, 10, 21, 12) };
const saved = (title: string, body: object): SavedDocument => ({
  ...{ id: "a", kind: "annotation", title, body: { ...body }, version: 1 },
  ...{ createdMs: 0, createdBy: null, changedMs: 0, changedBy: null },
});

test("an annotation is read in the reader's zone, and written back as it was", () => {
  const read = readMoment(
    {
      ...{ title: "Release", time: "2026-11-21 9:00", until: "2026-11-21 9:30" },
      ...{ text: " <b>big</b> ", tags: "web, , ops,web", tables: ["visits"] },
    },
    clock,
  );
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  expect(read.body).toEqual({
    ...{ time: Date.UTC(2026, 10, 21, 8), until: Date.UTC(2026, 10, 21, 8, 30) },
    ...{ text: "<b>big</b>", tags: ["web", "ops"], tables: ["visits"] },
  });
  const form = formOfMoment(saved("Release", read.body), clock);
  expect(form).toMatchObject({ time: "2026-11-21 09:00", until: "2026-11-21 09:30" });
  expect(readMoment(form, clock)).toEqual(read);
});

test("a moment of now stays at that time; a time saved as text is shown in the zone", () => {
  const read = readMoment({ ...emptyMoment, title: "x" }, clock);
  expect(read).toEqual({ ok: true, body: { time: clock.nowMs } });
  const written = saved("x", { time: "2026-11-21T08:00:00Z" });
  expect(formOfMoment(written, clock).time).toBe("2026-11-21 09:00");
});

test.each([
  [{ title: " " }, "title"],
  [{ time: "soon" }, "time"],
  [{ until: "later" }, "until"],
  [{ time: "now", until: "1 hour ago" }, "until"],
  [{ tags: "t".repeat(500) }, "tags"],
  [{ text: "t".repeat(5_000) }, "text"],
])("%j has its fault at its field", (part, field) => {
  const read = readMoment({ ...emptyMoment, title: "x", ...part }, clock);
  expect(read.ok ? [] : Object.keys(read.faults)).toEqual([field]);
});

test("a query is read, and written back as it was", () => {
  const body = {
    query: { table: "deploys", filter: [{ column: "env", op: "=", value: "prod" }] },
    ...{ titleColumn: "version", textColumn: "notes", tagColumns: ["team"], tables: ["visits"] },
  };
  const form = formOfRows(saved("Releases", body));
  expect(readRows(form)).toEqual({ ok: true, body });
  expect(ofTable(form, "deploys")).toBe(form);
  expect(ofTable(form, "other")).toEqual({
    ...{ ...emptyRows, title: "Releases", tables: ["visits"], table: "other" },
  });
});

test("a query without title, table or column has a fault at each", () => {
  const read = readRows(emptyRows);
  expect(read.ok ? [] : Object.keys(read.faults)).toEqual(["title", "query", "titleColumn"]);
});

test("faults of the server are at the fields of the form, too", () => {
  const error = new HadalError("invalid-query", { detail: "two" }, [
    { path: "body.tagColumns[3]", code: "type-mismatch", detail: "a" },
    { path: "body.tagColumns[4]", code: "type-mismatch", detail: "b" },
    { path: "title", code: "type-mismatch", detail: "c" },
  ]);
  expect(faultsOfError(error)).toEqual({ tagColumns: "a", title: "c" });
  expect(faultsOfError(new HadalError("unknown-table", { table: "t", nearest: "" }))).toEqual({
    "": expect.stringContaining("t"),
  });
});

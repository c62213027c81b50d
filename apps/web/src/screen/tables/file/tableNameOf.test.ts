import { expect, test } from "vitest";
import { tableNameOf } from "./tableNameOf.js";

test.each([
  ["Web requests (2).ndjson.gz", "web_requests_2"],
  ["visits.2026-11.csv", "visits_2026_11"],
  ["Größe.tsv", "größe"],
  ["pasted", "pasted"],
  ["???.csv", "rows"],
  ["", "rows"],
])("the file %j suggests the table %s", (file, table) => expect(tableNameOf(file)).toBe(table));

test("a long name is shortened", () =>
  expect(tableNameOf(`${"a".repeat(100)}.csv`)).toBe("a".repeat(60)));

import type { CsvReading } from "@hadal/sdk";
import { expect, test } from "vitest";
import { findingsOf, storedText, typeOptions } from "./csvTypeText.js";

const integer = { type: "int", decimals: 0 } as const;
const values = (type: Parameters<typeof typeOptions>[0]) =>
  typeOptions(type, integer).map(({ value }) => value);

test("2 and 6 digits are offered, and the chosen number in order", () => {
  const decimals = (type: Parameters<typeof typeOptions>[0]) =>
    values(type).filter((value) => value.startsWith("decimal"));
  expect(decimals(null)).toEqual(["decimal(2)", "decimal(6)"]);
  expect(decimals("decimal(4)")).toEqual(["decimal(2)", "decimal(4)", "decimal(6)"]);
  expect(decimals("decimal(2)")).toEqual(["decimal(2)", "decimal(6)"]);
});

test("a detected number is named by the type it is stored as", () => {
  const labelOf = (type: Parameters<typeof typeOptions>[0]) =>
    typeOptions(type, integer).find(({ value }) => value === "number")?.label;
  expect(labelOf("number")).toBe("integer");
  expect(labelOf("string")).toBe("number");
  expect(storedText({ type: "int", decimals: 2 })).toBe("decimal, 2 digits");
});

test("findings are columns that stay text, then texts that are missing values", () => {
  const csv = {
    columns: [{ name: "zip", type: "string", reason: "Line 3 has “01234”." }, { name: "n" }],
    missing: [{ column: "n", text: "NA", count: 1 }],
  } as unknown as CsvReading;
  expect(findingsOf(csv)).toEqual([
    { column: "zip", text: "stays text. Line 3 has “01234”." },
    { column: "n", text: "“NA” is missing (1 row)." },
  ]);
  expect(findingsOf(undefined)).toEqual([]);
});

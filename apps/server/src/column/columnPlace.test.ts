import { expect, test } from "vitest";
import { columnOfPlace, isSparePlace, placeName, spareForm } from "./columnPlace.js";

test("a place of each type names its column, and is none of another type", () => {
  for (const form of ["int", "string", "set", "vector", spareForm(3)] as const) {
    const place = placeName("bytes", form);
    expect(place).not.toBe("bytes");
    expect(columnOfPlace(place)).toBe("bytes");
  }
  expect(placeName("bytes", "string")).not.toBe(placeName("bytes", "set"));
});

test("the first type has the column's own name", () => {
  expect(columnOfPlace("bytes")).toBe("bytes");
  expect(isSparePlace("bytes")).toBe(false);
});

test("only places of integers with separate decimals are spare", () => {
  expect(isSparePlace(placeName("n", spareForm(0)))).toBe(true);
  expect(isSparePlace(placeName("n", spareForm(18)))).toBe(true);
  expect(isSparePlace(placeName("n", "int"))).toBe(false);
  expect(isSparePlace(placeName("int3", "string"))).toBe(false);
});

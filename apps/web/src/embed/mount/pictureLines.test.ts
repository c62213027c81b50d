import { expect, test } from "vitest";
import { initialState } from "../../query/state/exploreState.js";
import { pictureLines } from "./pictureLines.js";

const filter = { column: "service", op: "=", value: "web" } as const;
const state = {
  ...{ ...initialState("orders"), from: "-3h", to: "now", timeZone: "Asia/Tokyo" },
  filters: [
    { filter, off: false },
    { filter: { ...filter, value: "cart" }, off: true },
  ],
  compare: { offset: "1w", filter: null },
};
const asOf = Date.UTC(2025, 11, 31, 18, 30, 5);

test("a picture says of what, when and in which zone, with the year", () => {
  expect(pictureLines({ state, asOf }, "Orders by service")).toEqual([
    "Orders by service",
    "orders · last 3 hours, at 1 Jan 2026 03:30:05 Asia/Tokyo · service = web · against 1 week earlier",
  ]);
});

test("without a title it has the table's name", () => {
  const plain = { ...state, filters: [], compare: null };
  for (const title of ["", undefined])
    expect(pictureLines({ state: plain, asOf }, title)[0]).toBe("orders");
});

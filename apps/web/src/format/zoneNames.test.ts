import { expect, test } from "vitest";
import { zoneNames } from "./zoneNames.js";

test.each([[["Asia/Calcutta", "Asia/Tokyo"]], [["Asia/Kolkata", "Asia/Tokyo"]]])(
  "whatever the browser lists (%s), both names are found, in order",
  (listed) => {
    expect(zoneNames(listed)).toEqual(["Asia/Calcutta", "Asia/Kolkata", "Asia/Tokyo"]);
  },
);

test("a zone that the browser does not have gets no name", () => {
  expect(zoneNames(["UTC"])).toEqual(["UTC"]);
});

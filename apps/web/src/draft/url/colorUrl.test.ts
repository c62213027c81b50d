import fc from "fast-check";
import { expect, test } from "vitest";
import { initialState } from "../../query/state/exploreState.js";
import { printColors } from "./colorUrl.js";
import { parseUrl, printUrl } from "./url.js";

const stateUrl = printUrl(initialState("requests"));

test("the newest colours are parsed back from an address and do not change its state", () => {
  const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("[]"));
  const group = text.map((value) => JSON.stringify([value]));
  const names = fc.uniqueArray(group, { maxLength: 20 });
  fc.assert(
    fc.property(names, fc.nat(29), (own, hue) => {
      const colors = new Map(own.map((name, i) => [name, (hue + i) % 30]));
      const search = new URL(`http://hadal/explore?${stateUrl}${printColors(colors)}`).search;
      const read = parseUrl(search);
      expect(read.faults).toEqual([]);
      expect([...read.colors]).toEqual([...colors].slice(-12));
      expect(read.state).toEqual(initialState("requests"));
    }),
  );
});

test("one name is readable; groups of several columns and missing values stay out", () => {
  expect(
    printColors(
      new Map([
        ['["a","b"]', 1],
        ["[null]", 2],
        ["p95", 3],
      ]),
    ),
  ).toBe("");
  expect(printColors(new Map([['["web"]', 3]]))).toBe("&color=web:3");
});

test("what is no colour is named", () => {
  for (const color of ["web", "web:red", "web:1000", "web:-1", "web:1:2"]) {
    const { faults, colors } = parseUrl(`?${stateUrl}&color=${color}`);
    expect(faults).toHaveLength(1);
    expect(colors.size).toBe(0);
  }
});

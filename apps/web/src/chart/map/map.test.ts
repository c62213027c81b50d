import { describe, expect, test } from "vitest";
import { countMeasure } from "../series.js";
import { inputOf, resultOf, testTheme } from "../testing/answers.js";
import { totalsOfResult } from "../totals.js";
import { buildMapOption, countriesOf, countryTooltip, scaleOf } from "./build.js";
import { countryKeyOf, countryName } from "./countryCodes.js";

test.each([
  ["DE", "DE"],
  ["de", "DE"],
  ["DEU", "DE"],
  ["276", "DE"],
  [" Germany ", "DE"],
  ["United States", "US"],
  ["United States of America", "US"],
  ["Cote d'Ivoire", "CI"],
  ["CÔTE D’IVOIRE", "CI"],
  ["Bosnia & Herzegovina", "BA"],
  ["Turkey", "TR"],
  ["Türkiye", "TR"],
  ["Kosovo", "XK"],
  ["UK", "GB"],
  ["AND", "AD"],
  ["__proto__", null],
  ["constructor", null],
  ["", null],
  ["Atlantis", null],
  ["x".repeat(65_536), null],
  [null, null],
  [276, null],
])("%s names the country %s", (value, key) => expect(countryKeyOf(value)).toBe(key));

test("countries have names for people", () => expect(countryName("BR")).toBe("Brazil"));

describe("the map", () => {
  const input = inputOf(
    resultOf(
      ["group country", "count", "count.compare"],
      [
        ["US", 1000, 500],
        ["de", 10, 0],
        ["Germany", 5, 5],
        ["<b>Atlantis</b>", 3, 3],
        [null, 2, 2],
        ["AQ", 1, 1],
      ],
    ),
  );
  const totals = totalsOfResult(input.result, input);
  const countries = countriesOf(totals, new Set(["US", "DE", "FR"]));
  const drawing = {
    countries,
    measure: countMeasure,
    compared: true,
    scale: scaleOf(countries, countMeasure),
  };

  test("values that name no country of it are kept for the list", () => {
    expect([...countries.byKey.keys()]).toEqual(["US", "DE"]);
    // A second spelling too: one colour cannot stand for two groups.
    expect(countries.unknown.map(({ label }) => label)).toEqual([
      "Germany",
      "<b>Atlantis</b>",
      "(missing)",
      "AQ",
    ]);
  });

  test("colours are amounts, or differences with a side B", () => {
    const colorsOf = (compared: boolean) => {
      const { series } = buildMapOption({ ...drawing, compared, theme: testTheme });
      const [map] = series as { data: { itemStyle: { areaColor: string } }[] }[];
      return map?.data.map(({ itemStyle }) => itemStyle.areaColor);
    };
    expect(colorsOf(true)).toEqual(["rgb(255, 136, 0)", "rgb(255, 136, 0)"]);
    expect(new Set(colorsOf(false)).size).toBe(2);
    expect(drawing.scale.isLog).toBe(true);
  });

  test("tooltips name the country and say what is new", () => {
    const { title, rows } = countryTooltip("DE", { ...drawing, theme: testTheme });
    expect(title).toBe("Germany (DE)");
    expect(rows[1]?.cells).toEqual(["0", "new"]);
    expect(countryTooltip("FR", { ...drawing, theme: testTheme }).note).toBe("no rows");
  });
});

import { describe, expect, test } from "vitest";
import { countMeasure } from "../../kit/answer/series.js";
import { totalsOfResult } from "../../kit/answer/totals.js";
import { inputOf, resultOf, testTheme } from "../../testing/answers.js";
import { buildMapOption, countryTooltip, scaleOf } from "./build.js";
import { countriesOf, markOfCountry } from "./countries.js";
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
  const countries = countriesOf(totals, new Set(["US", "DE", "FR"]), input, countMeasure);
  const drawing = {
    countries,
    measure: countMeasure,
    compared: true,
    scale: scaleOf(countries, countMeasure),
  };

  test("values that name no country of it are kept for the list", () => {
    expect([...countries.byKey.keys()]).toEqual(["US", "DE"]);
    expect(countries.unknown.map(({ label }) => label)).toEqual([
      "<b>Atlantis</b>",
      "(missing)",
      "AQ",
    ]);
  });

  test("spellings of one country add up, and their rows are asked for together", () => {
    const germany = countries.byKey.get("DE");
    expect([germany?.values, germany?.compare]).toEqual([[15], [5]]);
    expect(germany && markOfCountry(germany)).toEqual({
      group: [],
      label: "Germany",
      filters: [{ column: "country", op: "in", value: ["de", "Germany"] }],
    });
    const us = countries.byKey.get("US");
    expect(us && markOfCountry(us)).toEqual({ group: [{ column: "country", value: "US" }] });
    expect(countryTooltip("DE", { ...drawing, theme: testTheme }).note).toBe(
      "together: de, Germany",
    );
  });

  test("errors of spellings are those of a sum", () => {
    const intervals = {
      count: [
        [97, 103],
        [46, 54],
      ],
      "count.delta": [
        [1, 9],
        [-13, -7],
      ],
    } as const;
    const rows = [
      ["us", 100, 95],
      ["United States", 50, 60],
    ] as const;
    const answer = resultOf(["group country", "count", "count.compare"], rows, { intervals });
    const estimated = inputOf(answer);
    const groups = totalsOfResult(answer, estimated);
    const us = countriesOf(groups, new Set(["US"]), estimated, countMeasure).byKey.get("US");
    expect([us?.values, us?.intervals, us?.unsure]).toEqual([[150], [[145, 155]], [true]]);
    expect(groups.map(({ unsure }) => unsure)).toEqual([[false], [false]]);
  });

  test("of numbers that do not add up a country shows the first, and the others are kept for a list of their own", () => {
    const p95 = { ...countMeasure, additive: false };
    const first = countriesOf(totals, new Set(["US", "DE", "FR"]), input, p95);
    const germany = first.byKey.get("DE");
    expect([germany?.values, germany?.label]).toEqual([[10], "de"]);
    expect(first.notShown.map(({ label }) => label)).toEqual(["Germany"]);
    expect(first.unknown).toEqual(countries.unknown);
    expect(germany && markOfCountry(germany)).toEqual({
      group: [{ column: "country", value: "de" }],
    });
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

  test("tooltips name the country and say what changed", () => {
    const { title, rows } = countryTooltip("DE", { ...drawing, theme: testTheme });
    expect(title).toBe("Germany (DE)");
    expect(rows[1]?.cells).toEqual(["5", "+200 %"]);
    expect(countryTooltip("FR", { ...drawing, theme: testTheme }).note).toBe("no rows");
  });
});

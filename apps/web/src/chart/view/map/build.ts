import { geoNaturalEarth1 } from "d3-geo";
import type { MapSeriesOption } from "echarts/charts";
import type { TooltipComponentOption } from "echarts/components";
import type { ComposeOption } from "echarts/core";
import { formatChange } from "../../../format/change.js";
import { formatBounded, formatErrorBar } from "../../../format/errorBar.js";
import { shortenName } from "../../../format/name.js";
import { formatMeasureExact } from "../../../format/value.js";
import {
  asNumber,
  baseNameOf,
  type ChartInput,
  type ChartMeasure,
} from "../../kit/answer/series.js";
import { changeOf, type GroupTotal } from "../../kit/answer/totals.js";
import { type AmountScale, amountScale } from "../../kit/paint/amountScale.js";
import { createShades, toneOf } from "../../kit/paint/shade.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import type { TooltipContent } from "../../kit/pointer/tooltip.js";
import { type Countries, countriesOf } from "./countries.js";
import { countryName } from "./countryCodes.js";
import { mapName, type WorldMap } from "./worldShapes.js";

type ProjectionStreamOf = NonNullable<NonNullable<MapSeriesOption["projection"]>["stream"]>;

export type MapOption = ComposeOption<MapSeriesOption | TooltipComponentOption>;

export interface MapDrawing {
  readonly countries: Countries;
  readonly measure: ChartMeasure;
  readonly compared: boolean;
  readonly scale: AmountScale;
  readonly theme: ChartTheme;
}

/** The scale of the countries' numbers. */
export const scaleOf = ({ byKey }: Countries, measure: ChartMeasure): AmountScale =>
  amountScale(
    [...byKey.values()].map(({ values }) => asNumber(values[0] ?? null)),
    measure,
  );

/** null: there is no number to draw. */
export function mapDrawing(
  totals: readonly GroupTotal[],
  world: WorldMap,
  input: ChartInput,
  theme: ChartTheme,
): MapDrawing | null {
  const [measure] = input.measures;
  if (measure === undefined) return null;
  const countries = countriesOf(totals, world.keys, input, measure);
  const scale = scaleOf(countries, measure);
  return { countries, measure, compared: input.compared, scale, theme };
}

/** Countries in the colour of their number, or of how it changed. */
export function buildMapOption({ countries, compared, scale, theme }: MapDrawing): MapOption {
  const shades = createShades(theme);
  const projection = geoNaturalEarth1();
  return {
    animation: false,
    series: [
      {
        type: "map",
        id: "map",
        map: mapName,
        roam: true,
        scaleLimit: { min: 1, max: 16 },
        left: 8,
        right: 8,
        top: 4,
        bottom: 4,
        selectedMode: false,
        cursor: "pointer",
        projection: {
          project: (point) => projection(point as [number, number]) as [number, number],
          unproject: (point) => projection.invert?.(point as [number, number]) ?? [0, 0],
          // d3 gives what ECharts asks for; the types name a part of it optional.
          stream: projection.stream as ProjectionStreamOf,
        },
        label: { show: false },
        itemStyle: { areaColor: theme.sunken, borderColor: theme.edge, borderWidth: 0.5 },
        emphasis: {
          label: { show: false },
          itemStyle: { areaColor: "inherit", borderColor: theme.ink, borderWidth: 1.5 },
        },
        data: [...countries.byKey].map(([key, total]) => {
          const value = asNumber(total.values[0] ?? null);
          const tone = toneOf({
            now: total.values[0] ?? null,
            was: total.compare[0] ?? null,
            unsure: total.unsure[0] === true,
          });
          const areaColor = compared
            ? shades.difference(tone)
            : value === null
              ? theme.sunken
              : shades.amount(scale.shareOf(value));
          return {
            name: key,
            value: value ?? 0,
            itemStyle: { areaColor },
            emphasis: { itemStyle: { areaColor } },
          };
        }),
      },
    ],
  };
}

export function countryTooltip(
  key: string,
  { countries, measure, compared, theme }: MapDrawing,
): TooltipContent {
  const total = countries.byKey.get(key);
  const title = /^[A-Z]{2}$/.test(key) ? `${countryName(key)} (${key})` : key.replace("– ", "");
  if (total === undefined) return { title, heads: [], rows: [], note: "no rows" };
  const [value, base] = [total.values[0] ?? null, total.compare[0] ?? null];
  const bar = total.intervals[0] ?? null;
  const row = (name: string, text: string, more: string) => ({
    color: theme.accent,
    name,
    cells: [text, more],
  });
  const now = row(
    measure.label,
    formatBounded(value, measure.measure),
    formatErrorBar(value, bar, measure.measure),
  );
  const was = row(
    baseNameOf(measure),
    formatMeasureExact(base, measure.measure),
    formatChange(changeOf(value, base)),
  );
  const { spellings } = total;
  const notes = [
    spellings.length > 1
      ? shortenName(`together: ${spellings.map(({ label }) => label).join(", ")}`, 90)
      : "",
    compared && total.unsure[0] === true ? "the difference is within the error bars" : "",
  ].filter((note) => note !== "");
  return {
    title,
    heads: [],
    rows: compared ? [now, was] : [now],
    note: notes.length === 0 ? null : notes.join(" · "),
  };
}

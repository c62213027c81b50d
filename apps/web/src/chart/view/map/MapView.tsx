import { MapChart } from "echarts/charts";
import { use } from "echarts/core";
import { useCallback, useEffect, useMemo, useState } from "react";
import { shortenName } from "../../../format/name.js";
import { formatMeasureExact } from "../../../format/value.js";
import { Button } from "../../../ui/button/Button.js";
import type { OnIntent } from "../../kit/answer/intent.js";
import type { ChartMeasure } from "../../kit/answer/series.js";
import type { GroupTotal } from "../../kit/answer/totals.js";
import { useEchart } from "../../kit/echart/useEchart.js";
import { Legend } from "../../kit/legend/Legend.js";
import { AmountLegend, DifferenceLegend } from "../../kit/paint/ScaleLegend.js";
import { createShades } from "../../kit/paint/shade.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import { clickPlace, tooltipOption } from "../../kit/pointer/chartMark.js";
import { renderTooltip } from "../../kit/pointer/tooltip.js";
import split from "../../kit/props/split.module.css";
import { useGroups } from "../../kit/props/useGroups.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { buildMapOption, countryTooltip, type MapDrawing, scaleOf } from "./build.js";
import { countriesOf, markOfCountry } from "./countries.js";
import styles from "./MapView.module.css";
import { loadWorldMap, type WorldMap } from "./worldMap.js";

use([MapChart]);

/** The world in the colours of a number, or of how it changed; all values as a table below. */
export function MapView(props: ViewProps) {
  const { input, themeName, onIntent } = props;
  const { compared } = input;
  const [measure] = input.measures;
  const totals = useGroups(props);
  const world = useWorldMap();
  const theme = useChartTheme(themeName);
  const shades = useMemo(() => createShades(theme), [theme]);
  const drawing = useMemo((): MapDrawing | null => {
    if (measure === undefined || !("keys" in world)) return null;
    const countries = countriesOf(totals, world.keys, input, measure);
    return { countries, measure, compared, scale: scaleOf(countries, measure), theme };
  }, [measure, world, totals, input, compared, theme]);
  const draw = useCallback(() => {
    if (drawing === null) return null;
    const tooltip = tooltipOption((params) =>
      renderTooltip(countryTooltip(nameOf(params), drawing)),
    );
    return { ...buildMapOption(drawing), tooltip };
  }, [drawing]);
  const onClick = useCallback(
    (params: unknown) => {
      const [country, place] = [drawing?.countries.byKey.get(nameOf(params)), clickPlace(params)];
      if (country === undefined || place === null) return;
      const text = formatMeasureExact(country.values[0] ?? null, measure?.measure ?? {});
      onIntent({ kind: "pick", mark: { ...markOfCountry(country), text, ...place } });
    },
    [drawing, measure, onIntent],
  );
  const { hostRef } = useEchart({ draw, onClick });
  return (
    <div className={split.split}>
      <div className={split.tools}>
        {compared && <DifferenceLegend shades={shades} />}
        {!compared && drawing !== null && (
          <AmountLegend shades={shades} scale={drawing.scale} measure={drawing.measure} />
        )}
        {"problem" in world && <span role="alert">{world.problem}</span>}
        {drawing !== null && (
          <>
            <ValueList
              lead="Same country as another value, not shown:"
              testId="values-not-shown"
              totals={drawing.countries.notShown}
              measure={drawing.measure}
              onIntent={onIntent}
            />
            <ValueList
              lead="Not on the map:"
              testId="unknown-countries"
              totals={drawing.countries.unknown}
              measure={drawing.measure}
              onIntent={onIntent}
            />
          </>
        )}
      </div>
      <div className={split.chart}>
        <div
          ref={hostRef}
          className={styles.map}
          data-testid="chart"
          data-countries={drawing?.countries.byKey.size ?? 0}
          role="img"
          aria-label={`World map of ${measure?.label} by ${input.groupColumns.join(", ")}. The table below has all values.`}
        />
      </div>
      <Legend totals={totals} input={input} onIntent={onIntent} />
    </div>
  );
}

const nameOf = (params: unknown): string => (params as { name?: string }).name ?? "";

/** The shapes once they have come, or why they have not. */
function useWorldMap(): WorldMap | { readonly problem: string } {
  const [world, setWorld] = useState<WorldMap | { readonly problem: string } | null>(null);
  useEffect(() => {
    let isShown = true;
    loadWorldMap()
      .then((loaded) => isShown && setWorld(loaded))
      .catch((error: unknown) => isShown && setWorld({ problem: String(error) }));
    return () => {
      isShown = false;
    };
  }, []);
  return world ?? { problem: "" };
}

const valuesMax = 6;

interface ValueListProps {
  readonly lead: string;
  readonly testId: string;
  readonly totals: readonly GroupTotal[];
  readonly measure: ChartMeasure;
  readonly onIntent: OnIntent;
}

/** Values whose numbers the map does not show are said, not dropped. */
function ValueList({ lead, testId, totals, measure, onIntent }: ValueListProps) {
  if (totals.length === 0) return null;
  return (
    <span className={styles.unknown} data-testid={testId}>
      {lead}
      {totals.slice(0, valuesMax).map((total) => (
        <Button
          key={total.key}
          look="quiet"
          title={total.label.slice(0, 2_000)}
          onClick={(event) => {
            const { left: x, bottom: y } = event.currentTarget.getBoundingClientRect();
            const text = formatMeasureExact(total.values[0] ?? null, measure.measure);
            onIntent({ kind: "pick", mark: { group: total.group, text, x, y } });
          }}
        >
          {shortenName(total.label, 20)}
        </Button>
      ))}
      {totals.length > valuesMax && `and ${totals.length - valuesMax} more`}
    </span>
  );
}

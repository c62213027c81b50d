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
import { buildMapOption, countryTooltip, type MapDrawing, mapDrawing } from "./build.js";
import { markOfCountry } from "./countries.js";
import styles from "./MapView.module.css";
import { loadWorldMap } from "./worldMap.js";
import type { WorldMap } from "./worldShapes.js";

use([MapChart]);

/** The world in the colours of a number, or of its change; all values as a table below. */
export function MapView(props: ViewProps) {
  const { input, onIntent } = props;
  const totals = useGroups(props);
  const world = useWorldMap();
  const drawing = useDrawing(props, totals, world);
  const hostRef = useMapChart(drawing, onIntent);
  return (
    <div className={split.split}>
      <MapTools {...props} drawing={drawing} problem={"problem" in world ? world.problem : null} />
      <div className={split.chart}>
        <div
          ref={hostRef}
          className={styles.map}
          data-testid="chart"
          data-countries={drawing?.countries.byKey.size ?? 0}
          role="img"
          aria-label={`World map of ${input.measures[0]?.label} by ${input.groupColumns.join(", ")}. The table below has all values.`}
        />
      </div>
      <Legend totals={totals} input={input} onIntent={onIntent} />
    </div>
  );
}

/** null: the map has not arrived. */
function useDrawing(
  { input, themeName }: ViewProps,
  totals: readonly GroupTotal[],
  world: WorldMap | MapProblem,
): MapDrawing | null {
  const theme = useChartTheme(themeName);
  return useMemo(
    () => ("keys" in world ? mapDrawing(totals, world, input, theme) : null),
    [world, totals, input, theme],
  );
}

/** Draws the map into the element of the returned ref. */
function useMapChart(drawing: MapDrawing | null, onIntent: OnIntent) {
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
      if (drawing === null || country === undefined || place === null) return;
      const text = formatMeasureExact(country.values[0] ?? null, drawing.measure.measure);
      onIntent({ kind: "pick", mark: { ...markOfCountry(country), text, ...place } });
    },
    [drawing, onIntent],
  );
  return useEchart({ draw, onClick }).hostRef;
}

interface MapToolsProps extends ViewProps {
  readonly drawing: MapDrawing | null;
  readonly problem: string | null;
}

/** The legend, and the values whose numbers the map does not show. */
function MapTools({ input, themeName, onIntent, drawing, problem }: MapToolsProps) {
  const theme = useChartTheme(themeName);
  const shades = useMemo(() => createShades(theme), [theme]);
  return (
    <div className={split.tools}>
      {input.compared && <DifferenceLegend shades={shades} />}
      {!input.compared && drawing !== null && (
        <AmountLegend shades={shades} scale={drawing.scale} measure={drawing.measure} />
      )}
      {problem !== null && <span role="alert">{problem}</span>}
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
  );
}

const nameOf = (params: unknown): string => (params as { name?: string }).name ?? "";

interface MapProblem {
  readonly problem: string;
}

/** The shapes, or why they could not be loaded; an empty problem while they load. */
function useWorldMap(): WorldMap | MapProblem {
  const [world, setWorld] = useState<WorldMap | MapProblem | null>(null);
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

/** Values whose numbers the map does not show. */
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

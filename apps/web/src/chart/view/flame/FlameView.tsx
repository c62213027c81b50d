import { useMemo, useState } from "react";
import { shortenName } from "../../../format/name.js";
import type { Mark } from "../../kit/answer/intent.js";
import type { ChartMeasure } from "../../kit/answer/series.js";
import { createShades } from "../../kit/paint/shade.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import split from "../../kit/props/split.module.css";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { buildFlame, type Flame, type FlameFrame } from "./buildFlame.js";
import { FlameChart } from "./FlameChart.js";
import { FlameTools } from "./FlameTools.js";
import { FunctionTable } from "./FunctionTable.js";
import { describeFrame, exactAmount, flameNotes, flameTooltip, nameOfFrame } from "./flameWords.js";
import { filtersOfFrame } from "./frameFilter.js";
import { type FunctionTotal, functionTotals } from "./functionTotals.js";
import { findFrames, frameAt, type Matches, pathOf } from "./layoutFlame.js";

const noMeasure: ChartMeasure = {
  name: "count",
  label: "count",
  measure: {},
  zeroWhenAbsent: true,
  additive: true,
  total: "count",
};

/** Stacks as boxes above each other, as wide as their total; below, every function once. */
export function FlameView(props: ViewProps) {
  const { input, options, themeName } = props;
  const { result, compared } = input;
  const measure = input.measures[0] ?? noMeasure;
  const flame = useFlame(props, measure);
  const functions = useMemo(() => functionTotals(flame), [flame]);
  const theme = useChartTheme(themeName);
  const shades = useMemo(() => createShades(theme), [theme]);
  const { matches, search, setSearch, setPointedName } = useMatches(flame);
  // Paths, not frames: the next result has new frame objects.
  const [zoomPath, setZoomPath] = useState<readonly string[]>([]);
  const [activePath, setActivePath] = useState<readonly string[]>([]);
  const look = useMemo(() => ({ theme, compared, matches }), [theme, compared, matches]);
  const words = useMemo(() => ({ measure, compared, flame }), [measure, compared, flame]);
  const zoomed = frameAt(flame, zoomPath);
  const marks = flameMarks(props, measure);
  return (
    <div className={split.split}>
      <FlameTools
        search={search}
        onSearch={setSearch}
        found={search.trim() === "" ? null : matches}
        whole={flame.root.now.total}
        onZoomOut={zoomed.parent === null ? null : () => setZoomPath([])}
        note={flameNotes(flame, measure, result.truncated?.groups ?? 0)}
        shades={compared ? shades : null}
      />
      <div className={split.chart}>
        <FlameChart
          zoomed={zoomed}
          active={frameAt(flame, activePath)}
          look={look}
          rootBelow={options.root === "bottom"}
          label={`Flame graph of ${options.stack ?? ""} by ${measure.label}. Arrows walk the frames, Enter zooms, Space opens the menu.`}
          describe={(frame) => describeFrame(frame, words)}
          tooltipOf={(frame) => flameTooltip(frame, theme.accent, words)}
          onZoom={(frame) => {
            setZoomPath(pathOf(frame));
            setActivePath(pathOf(frame));
          }}
          onActive={(frame) => setActivePath(pathOf(frame))}
          onPick={marks.pickFrame}
        />
      </div>
      <div className={split.legend}>
        <FunctionTable
          functions={functions}
          whole={flame.root.now.total}
          measure={measure}
          compared={compared}
          onPoint={setPointedName}
          onPick={marks.pickFunction}
        />
      </div>
    </div>
  );
}

function useFlame({ input, options, extras }: ViewProps, measure: ChartMeasure): Flame {
  const { result } = input;
  const stackColumn = options.stack ?? "";
  const fromLast = options.merge === "last";
  const total = extras.total ?? null;
  return useMemo(
    () => buildFlame({ result, stackColumn, measure: measure.name, fromLast, total }),
    [result, stackColumn, measure.name, fromLast, total],
  );
}

/** Opens the menu of a frame, or of a function wherever it is in a stack. */
function flameMarks({ options, onIntent }: ViewProps, measure: ChartMeasure) {
  const column = options.stack ?? "";
  const pick = (mark: Omit<Mark, "group">) =>
    onIntent({ kind: "pick", mark: { group: [], ...mark } });
  return {
    pickFrame: (frame: FlameFrame, x: number, y: number) =>
      pick({
        text: exactAmount(frame.now.total, measure),
        label: shortenName(pathOf(frame).slice(-2).map(nameOfFrame).join(" › "), 60),
        filters: filtersOfFrame(frame, { column, fromLast: options.merge === "last" }),
        x,
        y,
      }),
    pickFunction: ({ name, total }: FunctionTotal, x: number, y: number) =>
      pick({
        text: exactAmount(total, measure),
        label: `${nameOfFrame(name)}, anywhere`,
        filters: [{ column, op: "includes any", value: [name] }],
        x,
        y,
      }),
  };
}

/** The highlighted frames: of the search, or else of the function that is pointed at in the table. */
function useMatches(flame: Flame) {
  const [search, setSearch] = useState("");
  const [pointedName, setPointedName] = useState<string | null>(null);
  const matches = useMemo(
    () => findFrames(flame, search) ?? framesNamed(flame, pointedName),
    [flame, search, pointedName],
  );
  return { matches, search, setSearch, setPointedName };
}

function framesNamed(flame: Flame, name: string | null): Matches | null {
  if (name === null) return null;
  return { frames: new Set(flame.frames.filter((frame) => frame.name === name)), total: 0 };
}

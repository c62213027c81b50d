import type { Filter } from "@hadal/sdk";
import { useMemo, useState } from "react";
import { formatShare } from "../../../format/change.js";
import { shortenName } from "../../../format/name.js";
import type { Mark } from "../../kit/answer/intent.js";
import type { ChartMeasure } from "../../kit/answer/series.js";
import { createShades } from "../../kit/paint/shade.js";
import { useChartTheme } from "../../kit/paint/useChartTheme.js";
import split from "../../kit/props/split.module.css";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { buildFlame, type Flame } from "./buildFlame.js";
import { FlameChart } from "./FlameChart.js";
import { FlameTools } from "./FlameTools.js";
import { FunctionTable } from "./FunctionTable.js";
import { describeFrame, exactAmount, flameTooltip, nameOfFrame, shareOf } from "./flameWords.js";
import { filtersOfFrame } from "./frameFilter.js";
import { functionTotals } from "./functionTotals.js";
import { findFrames, frameAt, type Matches, pathOf } from "./layoutFlame.js";

const noMeasure: ChartMeasure = {
  name: "count",
  label: "count",
  measure: {},
  zeroWhenAbsent: true,
  additive: true,
  total: "count",
};

/** Stacks as boxes upon boxes: as wide as what they take, and below every function once. */
export function FlameView(props: ViewProps) {
  const { input, extras, options, themeName, onIntent } = props;
  const { result, compared } = input;
  const measure = input.measures[0] ?? noMeasure;
  const stackColumn = options.stack ?? "";
  const fromLast = options.merge === "last";
  const total = extras.total ?? null;
  const flame = useMemo(
    () => buildFlame({ result, stackColumn, measure: measure.name, fromLast, total }),
    [result, stackColumn, measure.name, fromLast, total],
  );
  const functions = useMemo(() => functionTotals(flame), [flame]);
  const theme = useChartTheme(themeName);
  const shades = useMemo(() => createShades(theme), [theme]);
  const [search, setSearch] = useState("");
  const [pointedName, setPointedName] = useState<string | null>(null);
  // Paths, not frames: the next answer has frames of its own.
  const [zoomPath, setZoomPath] = useState<readonly string[]>([]);
  const [activePath, setActivePath] = useState<readonly string[]>([]);
  const matches = useMemo(
    () => findFrames(flame, search) ?? framesNamed(flame, pointedName),
    [flame, search, pointedName],
  );
  const look = useMemo(() => ({ theme, compared, matches }), [theme, compared, matches]);
  const words = useMemo(() => ({ measure, compared, flame }), [measure, compared, flame]);
  const zoomed = frameAt(flame, zoomPath);
  const pick = (mark: Omit<Mark, "group">) =>
    onIntent({ kind: "pick", mark: { group: [], ...mark } });
  return (
    <div className={split.split}>
      <FlameTools
        search={search}
        onSearch={setSearch}
        found={search.trim() === "" ? null : matches}
        whole={flame.root.now.total}
        onZoomOut={zoomed.parent === null ? null : () => setZoomPath([])}
        note={notesOf(flame, measure, result.truncated?.groups ?? 0)}
        shades={compared ? shades : null}
      />
      <div className={split.chart}>
        <FlameChart
          zoomed={zoomed}
          active={frameAt(flame, activePath)}
          look={look}
          rootBelow={options.root === "bottom"}
          label={`Flame graph of ${stackColumn} by ${measure.label}. Arrows walk the frames, Enter zooms, Space opens the menu.`}
          describe={(frame) => describeFrame(frame, words)}
          tooltipOf={(frame) => flameTooltip(frame, theme.accent, words)}
          onZoom={(frame) => {
            setZoomPath(pathOf(frame));
            setActivePath(pathOf(frame));
          }}
          onActive={(frame) => setActivePath(pathOf(frame))}
          onPick={(frame, x, y) =>
            pick({
              text: exactAmount(frame.now.total, measure),
              label: shortenName(pathOf(frame).slice(-2).map(nameOfFrame).join(" › "), 60),
              filters: filtersOfFrame(frame, stackColumn, fromLast),
              x,
              y,
            })
          }
        />
      </div>
      <div className={split.legend}>
        <FunctionTable
          functions={functions}
          whole={flame.root.now.total}
          measure={measure}
          compared={compared}
          onPoint={setPointedName}
          onPick={(one, x, y) => {
            const filter: Filter = { column: stackColumn, op: "includes any", value: [one.name] };
            pick({
              text: exactAmount(one.total, measure),
              label: `${nameOfFrame(one.name)}, anywhere`,
              filters: [filter],
              x,
              y,
            });
          }}
        />
      </div>
    </div>
  );
}

function framesNamed(flame: Flame, name: string | null): Matches | null {
  if (name === null) return null;
  return { frames: new Set(flame.frames.filter((frame) => frame.name === name)), total: 0 };
}

/** What the boxes do not show. */
function notesOf(flame: Flame, measure: ChartMeasure, stacksLeft: number): string {
  const all = flame.root.now.total + flame.stackless;
  return [
    flame.stackless > 0
      ? `${formatShare(shareOf(flame.stackless, all))} of ${measure.label} has no stack`
      : "",
    stacksLeft > 0 ? `${stacksLeft} rare stacks are together` : "",
    flame.negativeCount > 0
      ? `${flame.negativeCount} ${flame.negativeCount === 1 ? "stack below 0 is" : "stacks below 0 are"} left out`
      : "",
  ]
    .filter((note) => note !== "")
    .join(" · ");
}

import type { DrawView } from "../chart/kit/picture/viewPicture.js";
import { drawBars } from "../chart/view/bar/picture.js";
import { drawBigNumbers } from "../chart/view/bignumber/picture.js";
import { drawCalendar } from "../chart/view/calendar/picture.js";
import { drawChanges } from "../chart/view/changes/picture.js";
import { drawDistribution } from "../chart/view/distribution/picture.js";
import { drawFlameGraph } from "../chart/view/flame/picture.js";
import { drawHeatmap } from "../chart/view/heatmap/picture.js";
import { drawLeaderboards } from "../chart/view/leaderboards/picture.js";
import { drawMap } from "../chart/view/map/picture.js";
import { drawPercentiles } from "../chart/view/percentiles/picture.js";
import { drawDonut } from "../chart/view/pie/picture.js";
import { drawPivot } from "../chart/view/pivot/picture.js";
import { drawAnswer } from "../chart/view/query/picture.js";
import { drawRows } from "../chart/view/rows/picture.js";
import { drawFlow } from "../chart/view/sankey/picture.js";
import { drawScatter } from "../chart/view/scatter/picture.js";
import { drawStatus } from "../chart/view/status/picture.js";
import { drawGroups } from "../chart/view/table/picture.js";
import { drawTags } from "../chart/view/tags/picture.js";
import { drawTimeline } from "../chart/view/timeline/picture.js";
import { drawLines, drawStack } from "../chart/view/timeseries/picture.js";
import { drawTreemap } from "../chart/view/treemap/picture.js";
import type { ViewId } from "../query/state/exploreState.js";

/** How each view is drawn without a page. */
const drawings: ReadonlyMap<string, DrawView> = new Map(
  Object.entries({
    timeseries: drawLines,
    area: drawStack,
    table: drawGroups,
    bar: drawBars,
    distribution: drawDistribution,
    heatmap: drawHeatmap,
    percentiles: drawPercentiles,
    pie: drawDonut,
    treemap: drawTreemap,
    sankey: drawFlow,
    pivot: drawPivot,
    scatter: drawScatter,
    map: drawMap,
    tags: drawTags,
    leaderboards: drawLeaderboards,
    flame: drawFlameGraph,
    status: drawStatus,
    calendar: drawCalendar,
    bignumber: drawBigNumbers,
    timeline: drawTimeline,
    changes: drawChanges,
    rows: drawRows,
    query: drawAnswer,
  }),
);

export function drawingOf(view: ViewId): DrawView {
  const draw = drawings.get(view);
  if (draw === undefined) throw new Error(`the view ${view} has no picture`);
  return draw;
}

import type { ComponentType } from "react";
import type { ViewProps } from "../../../chart/viewProps.js";
import type { View } from "../../../query/viewIds.js";
import { lazyPart } from "../../../ui/lazyPart.js";

type Load = () => Promise<ComponentType<ViewProps>>;

// Charts are most of the code and none of the first paint: each view is loaded when it is first shown.
const loaders: Readonly<Record<View, Load>> = {
  timeseries: async () => (await import("../../../chart/timeseries/TimeView.js")).TimeSeriesView,
  area: async () => (await import("../../../chart/timeseries/TimeView.js")).StackedAreaView,
  table: async () => (await import("../../../chart/table/TableView.js")).TableView,
  bar: async () => (await import("../../../chart/bar/BarsView.js")).BarsView,
  pie: async () => (await import("../../../chart/pie/PieView.js")).PieView,
  treemap: async () => (await import("../../../chart/treemap/TreemapView.js")).TreemapView,
  sankey: async () => (await import("../../../chart/sankey/SankeyView.js")).SankeyView,
  pivot: async () => (await import("../../../chart/pivot/PivotView.js")).PivotView,
  map: async () => (await import("../../../chart/map/MapView.js")).MapView,
  tags: async () => (await import("../../../chart/tags/TagsView.js")).TagsView,
  leaderboards: async () =>
    (await import("../../../chart/leaderboards/LeaderboardsView.js")).LeaderboardsView,
  flame: async () => (await import("../../../chart/flame/FlameView.js")).FlameView,
  distribution: async () =>
    (await import("../../../chart/distribution/DistributionView.js")).DistributionView,
  heatmap: async () => (await import("../../../chart/heatmap/HeatmapView.js")).HeatmapView,
  percentiles: async () =>
    (await import("../../../chart/percentiles/PercentilesView.js")).PercentilesView,
  scatter: async () => (await import("../../../chart/scatter/ScatterView.js")).ScatterView,
  status: async () => (await import("../../../chart/status/StatusView.js")).StatusView,
  bignumber: async () => (await import("../../../chart/bignumber/BigNumberView.js")).BigNumberView,
  timeline: async () => (await import("../../../chart/timeline/TimelineView.js")).TimelineView,
  changes: async () => (await import("../changes/ChangesView.js")).ChangesView,
  rows: async () => (await import("../../../chart/rows/RowsView.js")).RowsView,
  query: async () => (await import("../../../chart/query/QueryView.js")).QueryView,
};

export const viewComponents = Object.fromEntries(
  Object.entries(loaders).map(([view, load]) => [view, lazyPart(load)]),
) as Readonly<Record<View, ComponentType<ViewProps>>>;

/** Starts loading what an answer will be drawn with, while the answer itself is on its way. */
export const preloadView = (view: View): void => {
  // What does not come is told where it is drawn.
  loaders[view]().catch(() => undefined);
};

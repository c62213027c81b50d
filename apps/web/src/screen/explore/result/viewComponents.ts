import type { ComponentType } from "react";
import type { ViewProps } from "../../../chart/kit/props/viewProps.js";
import type { View } from "../../../query/viewIds.js";
import { lazyPart } from "../../../ui/lazyPart.js";

type Load = () => Promise<ComponentType<ViewProps>>;

// Charts are most of the code and none of the first paint: each view is loaded when it is first shown.
const loaders: Readonly<Record<View, Load>> = {
  timeseries: async () =>
    (await import("../../../chart/view/timeseries/TimeView.js")).TimeSeriesView,
  area: async () => (await import("../../../chart/view/timeseries/TimeView.js")).StackedAreaView,
  table: async () => (await import("../../../chart/view/table/TableView.js")).TableView,
  bar: async () => (await import("../../../chart/view/bar/BarsView.js")).BarsView,
  pie: async () => (await import("../../../chart/view/pie/PieView.js")).PieView,
  treemap: async () => (await import("../../../chart/view/treemap/TreemapView.js")).TreemapView,
  sankey: async () => (await import("../../../chart/view/sankey/SankeyView.js")).SankeyView,
  pivot: async () => (await import("../../../chart/view/pivot/PivotView.js")).PivotView,
  map: async () => (await import("../../../chart/view/map/MapView.js")).MapView,
  tags: async () => (await import("../../../chart/view/tags/TagsView.js")).TagsView,
  leaderboards: async () =>
    (await import("../../../chart/view/leaderboards/LeaderboardsView.js")).LeaderboardsView,
  flame: async () => (await import("../../../chart/view/flame/FlameView.js")).FlameView,
  distribution: async () =>
    (await import("../../../chart/view/distribution/DistributionView.js")).DistributionView,
  heatmap: async () => (await import("../../../chart/view/heatmap/HeatmapView.js")).HeatmapView,
  percentiles: async () =>
    (await import("../../../chart/view/percentiles/PercentilesView.js")).PercentilesView,
  scatter: async () => (await import("../../../chart/view/scatter/ScatterView.js")).ScatterView,
  status: async () => (await import("../../../chart/view/status/StatusView.js")).StatusView,
  bignumber: async () =>
    (await import("../../../chart/view/bignumber/BigNumberView.js")).BigNumberView,
  timeline: async () => (await import("../../../chart/view/timeline/TimelineView.js")).TimelineView,
  changes: async () => (await import("../changes/ChangesView.js")).ChangesView,
  rows: async () => (await import("../../../chart/view/rows/RowsView.js")).RowsView,
  query: async () => (await import("../../../chart/view/query/QueryView.js")).QueryView,
};

export const viewComponents = Object.fromEntries(
  Object.entries(loaders).map(([view, load]) => [view, lazyPart(load)]),
) as Readonly<Record<View, ComponentType<ViewProps>>>;

/** Starts loading what an answer will be drawn with, while the answer itself is on its way. */
export const preloadView = (view: View): void => {
  // What does not come is told where it is drawn.
  loaders[view]().catch(() => undefined);
};

import {
  AreaChart,
  BarChartHorizontal,
  CalendarDays,
  ChartColumn,
  ChartGantt,
  ChartLine,
  ChartScatter,
  ChartSpline,
  Earth,
  FileCode2,
  Flame,
  Gauge,
  Grid3x3,
  LayoutDashboard,
  LayoutGrid,
  LayoutList,
  type LucideIcon,
  PieChart,
  Rows3,
  Sheet,
  Split,
  Table2,
  Tags,
  Workflow,
} from "lucide-react";
import type { ViewId } from "../../query/state/exploreState.js";
import {
  areaPreview,
  barsPreview,
  linePreview,
  tilesPreview,
  type ViewPreview,
} from "../spec/previews.js";

/** How the list of views shows one. */
export interface ViewLook {
  readonly Icon: LucideIcon;
  readonly preview?: ViewPreview;
}

const looks: Readonly<Record<ViewId, ViewLook>> = {
  timeseries: { Icon: ChartLine, preview: linePreview },
  area: { Icon: AreaChart, preview: areaPreview },
  table: { Icon: Table2 },
  bar: { Icon: BarChartHorizontal, preview: barsPreview },
  distribution: { Icon: ChartColumn },
  heatmap: { Icon: Grid3x3 },
  percentiles: { Icon: ChartSpline },
  pie: { Icon: PieChart },
  treemap: { Icon: LayoutDashboard, preview: tilesPreview },
  sankey: { Icon: Workflow },
  pivot: { Icon: Sheet },
  scatter: { Icon: ChartScatter },
  map: { Icon: Earth },
  tags: { Icon: Tags },
  leaderboards: { Icon: LayoutList, preview: barsPreview },
  flame: { Icon: Flame },
  status: { Icon: LayoutGrid },
  calendar: { Icon: CalendarDays },
  bignumber: { Icon: Gauge },
  timeline: { Icon: ChartGantt },
  changes: { Icon: Split },
  rows: { Icon: Rows3 },
  query: { Icon: FileCode2 },
};

/** Not in the specs: a chart within another page has no list of views, and loads none of this. */
export function lookOf(id: ViewId): ViewLook {
  const look = looks[id];
  if (look === undefined) throw new Error(`no icon for the view ${id}`);
  return look;
}

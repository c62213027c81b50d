import {
  AreaChart,
  BarChartHorizontal,
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
import type { View } from "../../../query/viewIds.js";
import { allViews, viewOf } from "../../../query/views/registry.js";
import { Button } from "../../../ui/Button.js";
import { useExplore } from "../explore.js";
import { Field } from "./Field.js";
import styles from "./form.module.css";

const icons: Readonly<Record<View, LucideIcon>> = {
  timeseries: ChartLine,
  area: AreaChart,
  table: Table2,
  bar: BarChartHorizontal,
  pie: PieChart,
  treemap: LayoutDashboard,
  sankey: Workflow,
  pivot: Sheet,
  map: Earth,
  tags: Tags,
  leaderboards: LayoutList,
  flame: Flame,
  rows: Rows3,
  query: FileCode2,
  distribution: ChartColumn,
  heatmap: Grid3x3,
  changes: Split,
  timeline: ChartGantt,
  bignumber: Gauge,
  status: LayoutGrid,
  scatter: ChartScatter,
  percentiles: ChartSpline,
};

/** How the answer is shown; the keys 1 to 9 do the same for the first nine. */
export function ViewField() {
  const { state, columns, dispatch } = useExplore();
  // What was written is there to go back to only when something was.
  const shown = allViews.filter(({ id }) => id !== "query" || state.shape !== null);
  return (
    <Field label="View">
      <div className={styles.views}>
        {shown.map(({ id: view, name, answers }, i) => {
          const Icon = icons[view];
          const key = i < 9 ? ` ( ${i + 1} )` : "";
          return (
            <Button
              key={view}
              data-testid={`view-${view}`}
              aria-pressed={state.view === view}
              aria-label={name}
              title={`${name}${key}: ${answers}`}
              onClick={() => dispatch({ kind: "set view", view, columns })}
            >
              <Icon size={16} />
            </Button>
          );
        })}
        <span className={styles.viewName} aria-hidden="true">
          {viewOf(state.view).name}
        </span>
      </div>
    </Field>
  );
}

import { AreaChart, BarChartHorizontal, ChartLine, Rows3, Table2 } from "lucide-react";
import { type View, views } from "../../../query/exploreState.js";
import { Button } from "../../../ui/Button.js";
import { useExplore } from "../explore.js";
import { Field } from "./Field.js";
import styles from "./form.module.css";

const looks = {
  timeseries: { name: "Time series", Icon: ChartLine },
  area: { name: "Stacked area", Icon: AreaChart },
  table: { name: "Table", Icon: Table2 },
  bar: { name: "Bars", Icon: BarChartHorizontal },
  rows: { name: "Raw rows", Icon: Rows3 },
} as const satisfies Readonly<Record<View, unknown>>;

/** How the answer is shown; the keys 1 to 5 do the same. */
export function ViewField() {
  const { state, dispatch } = useExplore();
  return (
    <Field label="View">
      <div className={styles.views}>
        {views.map((view, i) => {
          const { name, Icon } = looks[view];
          return (
            <Button
              key={view}
              data-testid={`view-${view}`}
              aria-pressed={state.view === view}
              aria-label={name}
              title={`${name} ( ${i + 1} )`}
              onClick={() => dispatch({ kind: "set view", view })}
            >
              <Icon size={16} />
            </Button>
          );
        })}
      </div>
    </Field>
  );
}

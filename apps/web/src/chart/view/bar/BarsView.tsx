import { useMemo } from "react";
import { baseNameOf } from "../../kit/answer/series.js";
import { RankedGroups } from "../../kit/groups/RankedGroups.js";
import styles from "../../kit/props/split.module.css";
import { useGroups } from "../../kit/props/useGroups.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { ArrangedBars } from "./ArrangedBars.js";
import { BarView } from "./BarView.js";

/** More bars than this are a table. */
const barsMax = 300;

const noHues: readonly number[] = [];

/** Groups ranked as bars, and all of them as a table below. */
export function BarsView(props: ViewProps) {
  const { input, colors, themeName, questionKey, onIntent } = props;
  const totals = useGroups(props);
  const drawn = useMemo(() => totals.slice(0, barsMax), [totals]);
  const { bars } = props.options;
  const isArranged = bars === "stack" || bars === "side";
  const hues = useMemo(
    () => (isArranged ? noHues : colors.huesOf(drawn.map((total) => total.key))),
    [isArranged, colors, drawn],
  );
  return (
    <div className={styles.split}>
      <div className={styles.chart}>
        {isArranged ? (
          <ArrangedBars view={props} totals={totals} isStack={bars === "stack"} />
        ) : (
          <BarView
            totals={drawn}
            measures={input.measures}
            hues={hues}
            compared={input.compared}
            streaming={!input.result.final}
            themeName={themeName}
            questionKey={questionKey}
            onIntent={onIntent}
          />
        )}
      </div>
      {input.compared && (
        <p className={styles.note} data-testid="side-b-key">
          {isArranged ? "In the list alone" : "The paler bars below"}:{" "}
          {baseNameOf(input.measures[0])}.
        </p>
      )}
      {totals.length > barsMax && !isArranged && (
        <p className={styles.note}>
          The first {barsMax} of {totals.length} groups are drawn; the list below has all.
        </p>
      )}
      <div className={styles.legend}>
        <RankedGroups
          view={props}
          totals={totals}
          hues={hues}
          testId="legend"
          rowTestId="legend-row"
        />
      </div>
    </div>
  );
}

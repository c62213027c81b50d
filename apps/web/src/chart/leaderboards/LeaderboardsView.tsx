import { useMemo } from "react";
import { asNumber } from "../series.js";
import split from "../split.module.css";
import type { ViewProps } from "../viewProps.js";
import { wholeOf } from "../whole.js";
import { Board } from "./Board.js";
import { boardsOf } from "./boardsOf.js";
import styles from "./LeaderboardsView.module.css";

/** The top values of many columns side by side. */
export function LeaderboardsView(props: ViewProps) {
  const { input, extras, extraQueries, questionKey, onIntent } = props;
  const boards = useMemo(
    () => boardsOf(input, Object.keys(extraQueries), extras),
    [input, extraQueries, extras],
  );
  const [measure] = input.measures;
  if (measure === undefined) return null;
  const whole = measure.additive ? wholeOf(input.result, measure, input.result) : null;
  return (
    <div className={split.split}>
      <div className={styles.grid} data-testid="chart" data-boards={boards.length}>
        {boards.map((board) => (
          <Board
            key={board.column}
            board={board}
            measure={measure}
            compared={input.compared}
            whole={board.isOfWhole ? (asNumber(whole?.now ?? null) ?? 0) : 0}
            questionKey={questionKey}
            onIntent={onIntent}
          />
        ))}
      </div>
    </div>
  );
}

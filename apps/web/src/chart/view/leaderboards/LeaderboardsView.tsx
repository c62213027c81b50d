import { useMemo } from "react";
import { asNumber, baseNameOf } from "../../kit/answer/series.js";
import split from "../../kit/props/split.module.css";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { Board } from "./Board.js";
import { boardsInForce } from "./boardsInForce.js";
import { isByShare } from "./grownMost.js";
import styles from "./LeaderboardsView.module.css";

/** The top values of many columns side by side. */
export function LeaderboardsView(props: ViewProps) {
  const { input, extras, extraQueries, options, questionKey, onIntent } = props;
  const [measure] = input.measures;
  const drawn = useMemo(
    () => boardsInForce({ input, extras, extraQueries, options }),
    [input, extras, extraQueries, options],
  );
  const { whole, isGrown, boards } = drawn;
  if (measure === undefined) return null;
  return (
    <div className={split.split}>
      {isGrown && isByShare(whole) && (
        <p className={split.note} data-testid="by-share">
          There are fewer than {baseNameOf(measure)}: first comes what has more of the whole now.
        </p>
      )}
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

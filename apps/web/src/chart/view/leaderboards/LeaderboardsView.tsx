import { useMemo } from "react";
import { asNumber, baseNameOf } from "../../kit/answer/series.js";
import { wholeOf } from "../../kit/answer/whole.js";
import split from "../../kit/props/split.module.css";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { Board } from "./Board.js";
import { boardsOf } from "./boardsOf.js";
import { grownMost, isByShare } from "./grownMost.js";
import styles from "./LeaderboardsView.module.css";

/** The top values of many columns side by side. */
export function LeaderboardsView(props: ViewProps) {
  const { input, extras, extraQueries, questionKey, onIntent } = props;
  const [measure] = input.measures;
  const whole = useMemo(
    () => (measure?.additive === true ? wholeOf(input.result, measure, input.result) : null),
    [measure, input],
  );
  const isGrown = input.compared && props.options.rank === "delta" && measure?.total === "count";
  const boards = useMemo(() => {
    const all = boardsOf(input, Object.keys(extraQueries), extras);
    if (!isGrown) return all;
    return all.map((board) => ({
      ...board,
      totals: board.totals && grownMost(board.totals, board.isOfWhole ? whole : null),
    }));
  }, [input, extraQueries, extras, isGrown, whole]);
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

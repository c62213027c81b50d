import { wholeOf } from "../../kit/answer/whole.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import { boardsOf } from "./boardsOf.js";
import { grownMost } from "./grownMost.js";

type Answered = Pick<ViewProps, "input" | "extras" | "extraQueries" | "options">;

/** The boards by the chosen rank, and the number over all rows that their values are parts of. */
export function boardsInForce({ input, extras, extraQueries, options }: Answered) {
  const [measure] = input.measures;
  const whole = measure?.additive === true ? wholeOf(input.result, measure, input.result) : null;
  const isGrown = input.compared && options.rank === "delta" && measure?.total === "count";
  const all = boardsOf(input, Object.keys(extraQueries), extras);
  const boards = !isGrown
    ? all
    : all.map((board) => ({
        ...board,
        totals: board.totals && grownMost(board.totals, board.isOfWhole ? whole : null),
      }));
  return { whole, isGrown, boards };
}

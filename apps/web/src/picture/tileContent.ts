import type { Query } from "@hadal/sdk";
import type { ColorBook } from "../chart/kit/paint/color.js";
import type { ChartTheme } from "../chart/kit/paint/theme.js";
import { rowTable } from "../chart/kit/picture/rowTable.js";
import type { ViewPicture } from "../chart/kit/picture/viewPicture.js";
import type { Ruler } from "../chart/kit/svg/svgContext.js";
import { orderOf } from "../draft/ask/order.js";
import { formatError } from "../format/errorBar.js";
import { formatRowShare } from "../format/lack.js";
import { formatDated, formatRange } from "../format/time.js";
import { emptyTitle } from "../panel/answer/emptyAnswer.js";
import { isIncomplete, truncationWords, typicalError } from "../panel/status/completeness.js";
import { filterLabel } from "../query/filter/operators.js";
import type { TileAnswer } from "./answerTile.js";
import { drawingOf } from "./viewPictures.js";

export interface PictureLook {
  readonly theme: ChartTheme;
  readonly ruler: Ruler;
  readonly colors: ColorBook;
}

/** What a tile shows below its title. */
export interface TileContent {
  readonly picture: ViewPicture;
  readonly notes: readonly string[];
  /** In place of a drawing; null: there is one. */
  readonly text: string | null;
  readonly status: TileStatus | null;
}

/** How complete the answer is. */
export interface TileStatus {
  readonly text: string;
  readonly isPart: boolean;
}

/** The picture of an answer, with all that one must know to trust it. */
export function contentOf(answer: TileAnswer, look: PictureLook): TileContent {
  const { state, built, input, extras, annotated, changes, failed } = answer;
  const { result } = input;
  const { theme } = look;
  const missing = failed.map((problem) => `a part is missing: ${problem}`);
  const notes = [...missing, ...besideNotes(answer), ...annotated.notes];
  const status = statusOf(answer);
  const lacksRows = result.stats.rowsMatched === 0 && state.view !== "changes";
  if (lacksRows || built.without !== null) {
    // The rows that are missing may have values.
    const text = status.isPart
      ? "Nothing found so far"
      : emptyTitle(state.filters, lacksRows ? null : built.without);
    return { picture: {}, notes, text, status };
  }
  const { by, desc = false } = orderOf(state);
  const picture =
    state.options.show === "data"
      ? { table: rowTable({ result, timeZone: input.timeZone, theme }) }
      : drawingOf(state.view)({
          ...{ input, extras, changes, part: state.part, ...look },
          annotations: annotated.annotations,
          ...{ query: built.query, extraQueries: built.extras, options: built.options },
          rank: { by, desc },
        });
  return { picture, notes, text: null, status };
}

/** Whether any of what is drawn is not of all rows. */
export const isPartial = ({ input, extras, changes }: TileAnswer): boolean =>
  [input.result, ...Object.values(extras), ...(changes === null ? [] : [changes])].some(
    ({ final, completeness }) => final === false || completeness.fraction < 1,
  );

/** Extra answers that stand on fewer rows than the one that the line below the chart is about. */
function besideNotes({ input, extras, changes }: TileAnswer): readonly string[] {
  const beside = [...Object.values(extras), ...(changes === null ? [] : [changes])].map(
    ({ completeness }) => completeness,
  );
  const least = beside.reduce(
    (a, b) => (b.fraction < a.fraction ? b : a),
    input.result.completeness,
  );
  if (least === input.result.completeness) return [];
  return [`numbers beside it: ${formatRowShare(least)}`];
}

const leavesNamed = 4;

function statusOf({ input }: TileAnswer): TileStatus {
  const { result, timeZone } = input;
  const { completeness, asOf, final } = result;
  const { answered, total, missing } = completeness.leaves;
  const error = typicalError(result);
  const cut = truncationWords(result);
  const isPart = !final || isIncomplete(completeness);
  const more = missing.length - leavesNamed;
  const silent = `no answer from ${missing.slice(0, leavesNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return {
    isPart,
    text: [
      ...(isPart ? ["partial"] : []),
      formatRowShare(completeness),
      ...(error === null ? [] : [formatError(error)]),
      `${answered}/${total} leaves`,
      ...(missing.length > 0 ? [silent] : []),
      `as of ${formatDated(asOf, timeZone)} ${timeZone}`,
      ...(cut === null ? [] : [cut]),
    ].join(" · "),
  };
}

/** What was asked: `requests · 21 Nov 09:00 – 12:00 UTC · status ≥ 500`. */
export function aboutOf({ state, input, built }: TileAnswer): string {
  const { fromMs, toMs, timeZone } = input;
  const { filter = [] } = built.query as Pick<Query, "filter">;
  const [measure] = input.measures;
  return [
    state.table,
    `${formatRange(fromMs, toMs, timeZone, input.result.asOf)} ${timeZone}`,
    ...filter.map(filterLabel),
    ...(input.compared && measure?.baseName ? [`against ${measure.baseName}`] : []),
  ].join(" · ");
}

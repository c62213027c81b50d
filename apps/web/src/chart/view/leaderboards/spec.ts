import { type ColumnInfo, sampleRateColumn, timeColumn } from "@hadal/sdk";
import { numberName } from "../../../query/number/labels.js";
import { measureOf, rankedMeasureOption } from "../../spec/measure.js";
import { overGroups } from "../../spec/overGroups.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** What a board shows; more is a click away. */
const linesMax = 8;
/** More groups are queried for growth: which grew most by share is known once all results have arrived. */
const grownMax = 200;
/** Columns with more bytes per row are nearly unique: ids, messages, measurements. */
const bytesPerRowMax: Readonly<Record<ColumnInfo["type"], number>> = {
  string: 6,
  int: 2.5,
  set: Number.POSITIVE_INFINITY,
  vector: Number.POSITIVE_INFINITY,
};

const rankOption = {
  name: "rank",
  label: "First",
  choices: ({ compare }) =>
    compare === null
      ? []
      : [
          { value: "delta", label: "what grew most" },
          { value: "fell", label: "what fell most" },
          { value: "most", label: "the largest" },
        ],
} as const satisfies ViewSpec["options"][number];

/** Fewer boards are no overview. */
const boardsMin = 4;
/** Rows that have just come take more bytes than they will: with too few boards, strings up to this are shown too. */
const freshBytesMax = 24;

/** The columns that are useful as boards, fewest values first. */
function boardColumns(columns: readonly ColumnInfo[]): readonly ColumnInfo[] {
  const bytesPerRow = ({ bytes = 0, rows = 1 }: ColumnInfo) => bytes / Math.max(1, rows);
  const sorted = columns
    .filter(({ name, rows }) => rows !== 0 && name !== timeColumn && name !== sampleRateColumn)
    .sort((a, b) => bytesPerRow(a) - bytesPerRow(b));
  const repeats = (column: ColumnInfo) => bytesPerRow(column) <= bytesPerRowMax[column.type];
  const fit = sorted.filter(repeats);
  if (fit.length === 0 || fit.length >= boardsMin) return fit;
  return sorted.filter(
    (column) =>
      repeats(column) || (column.type === "string" && bytesPerRow(column) <= freshBytesMax),
  );
}

export const leaderboards: ViewSpec = {
  id: "leaderboards",
  name: "Leaderboards",
  group: "ranking",
  answers: "What is in this table, at a first look?",
  load: async () => (await import("./LeaderboardsView.js")).LeaderboardsView,
  fields: ["compare", "aggregates"],
  options: [
    rankedMeasureOption,
    rankOption,
    {
      name: "boards",
      label: "Boards",
      choices: () => ["9", "6", "12", "24"].map((value) => ({ value, label: `${value} columns` })),
    },
  ],
  needsColumns: true,
  lacks: (state, columns) =>
    boardColumns(columns).length > 0
      ? null
      : `${state.table} has no column whose values come again and again.`,
  fill: (state) => state,
  orderNames: overGroups.orderNames,
  build: (state, context) => {
    const measure = measureOf(state, context);
    const asked = { ...context.counted, aggregates: [measure] };
    const name = numberName(measure);
    const rank = context.option("rank");
    // A count is at least as large as its growth: the groups that grew most are among the largest.
    // Sums may be below 0.
    const isGrown = rank === "delta" && measure.fn === "count";
    const byChange = !isGrown && (rank === "delta" || rank === "fell");
    const orderBy = [{ by: byChange ? `${name}.delta` : name, desc: rank !== "fell" }];
    const limit = isGrown ? grownMax : linesMax;
    const boards = boardColumns(context.columns).slice(0, Number(context.option("boards")));
    return {
      query: { ...asked, groupBy: [] },
      extras: Object.fromEntries(
        boards.map(({ name: column, type }) => {
          const isList = type === "set" || type === "vector";
          const groupBy = [isList ? { element: column } : column];
          const answer = `${isList ? "elements" : "board"} ${column}`;
          return [answer, { ...asked, groupBy, orderBy, limit }];
        }),
      ),
    };
  },
};

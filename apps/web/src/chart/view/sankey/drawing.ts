import { overlappingColumns } from "../../kit/answer/overlap.js";
import { keyOfGroup } from "../../kit/answer/series.js";
import { wholeOf } from "../../kit/answer/whole.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import type { FlowDrawing } from "./build.js";
import { buildFlow } from "./buildFlow.js";

type Answered = Pick<ViewProps, "input" | "query" | "extras" | "options" | "colors">;

/** null: there is no number to draw. */
export function flowDrawing(
  { input, query, extras, options, colors }: Answered,
  theme: ChartTheme,
): FlowDrawing | null {
  const [measure] = input.measures;
  if (measure === undefined) return null;
  const flow = buildFlow(input, measure, {
    perStage: Number(options.stage),
    whole: wholeOf(extras.total, measure, input.result),
    overlapping: overlappingColumns(query),
  });
  // By the value alone, as in every other view.
  const cells = flow.nodes.filter(({ cell }) => cell !== null);
  const hues = colors.huesOf(cells.map(({ cell }) => keyOfGroup(cell === null ? [] : [cell])));
  const hueById = new Map(cells.map(({ id }, i) => [id, hues[i] ?? 0]));
  return {
    flow,
    measure,
    compared: input.compared,
    hueOf: ({ id }) => hueById.get(id) ?? 0,
    theme,
  };
}

/** What has no width, in words. */
export const flowNotes = (negative: number): string =>
  negative === 1
    ? "1 way below 0 has no width; the table has it."
    : `${negative} ways below 0 have no width; the table has them.`;

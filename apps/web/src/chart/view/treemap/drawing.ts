import { overlappingColumns } from "../../kit/answer/overlap.js";
import { keyOfGroup } from "../../kit/answer/series.js";
import { wholeOf } from "../../kit/answer/whole.js";
import type { ChartTheme } from "../../kit/paint/theme.js";
import type { ViewProps } from "../../kit/props/viewProps.js";
import type { TreeDrawing } from "./build.js";
import { buildTree } from "./buildTree.js";

type Answered = Pick<ViewProps, "input" | "query" | "extras" | "options" | "colors">;

/** null: there is no number to draw. */
export function treeDrawing(
  { input, query, extras, options, colors }: Answered,
  theme: ChartTheme,
): TreeDrawing | null {
  const [measure] = input.measures;
  if (measure === undefined) return null;
  const whole = wholeOf(extras.total, measure, input.result);
  const tree = buildTree(input, measure, whole, overlappingColumns(query));
  const hues = colors.huesOf(tree.roots.map(({ group }) => keyOfGroup(group)));
  const sunburst = options.shape === "sunburst";
  return { tree, measure, compared: input.compared, hues, theme, sunburst };
}

/** What has no area, in words. */
export const treeNotes = (negative: number): string =>
  negative === 1
    ? "1 group below 0 has no area; the table has it."
    : `${negative} groups below 0 have no area; the table has them.`;

import { coversOf, thinnedWords } from "../../answer/coverage.js";
import { baseNameOf, ownNameOf } from "../../answer/series.js";
import type { PictureKey } from "../../picture/pictureKey.js";
import type { ChosenLines } from "../plot/drawnLines.js";
import { isOverlayOfFocus } from "../plot/sides.js";

/** What solid and dotted lines mean, where both are drawn. */
export function sidesKey({ sides, input, set }: ChosenLines): PictureKey[] {
  if (sides !== "overlay" || isOverlayOfFocus(set)) return [];
  const [measure] = input.measures;
  return [
    { kind: "line", isDotted: false, text: ownNameOf(measure) },
    { kind: "line", isDotted: true, text: baseNameOf(measure) },
  ];
}

/** Which lines are drawn, and as what. */
export function sidesNotes(
  chosen: ChosenLines,
  { stacked }: { readonly stacked: boolean },
): string[] {
  const { sides, input, set, bothSides, lineCount, options } = chosen;
  const [measure] = (bothSides ?? input).measures;
  const [own, base] = [ownNameOf(measure), baseNameOf(measure)];
  const thinned = thinnedWords(coversOf(input));
  const shownCount = set.series.length;
  const isPart = shownCount < lineCount;
  const isOfBoth = sides === "difference" || sides === "ratio";
  return [
    ...(isPart ? [`${shownCount} of ${lineCount} lines shown`] : []),
    ...(isPart && stacked ? ["the top is not the total: lines are hidden"] : []),
    ...(isOfBoth
      ? [`${own} ${sides === "ratio" ? "÷" : "−"} ${base}; grey: may be no change`]
      : []),
    ...(sides === "overlay" && isOverlayOfFocus(set)
      ? [`lines are ${own}; the table has ${base}`]
      : []),
    ...(thinned === null ? [] : [`shaded: ${thinned}`]),
    ...(options.averageOf > 1 ? [`average of ${options.averageOf} buckets`] : []),
  ];
}

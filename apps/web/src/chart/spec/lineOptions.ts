import type { ViewOption } from "./viewSpec.js";

/** Options of lines over time. Charts parse the texts (chart/kit/legend/lineOptions.ts). */
const text = (name: string, label: string, editor: "scale" | "legend"): ViewOption => ({
  ...{ name, label, editor, drawn: true },
  choices: () => [],
  accepts: (chosen) => chosen !== "",
});

export const lineOptions: readonly ViewOption[] = [
  {
    name: "draw",
    label: "Draw as",
    editor: "scale",
    drawn: true,
    choices: () => [
      { value: "line", label: "lines" },
      { value: "bars", label: "bars" },
    ],
  },
  text("axes", "Axes", "scale"),
  text("average", "Moving average", "scale"),
  text("lines", "Shown lines", "legend"),
];

/** How the two sides of a comparison are drawn. */
export const versusOption: ViewOption = {
  name: "versus",
  label: "Drawn as",
  editor: "compare",
  drawn: true,
  choices: ({ compare }) =>
    compare === null
      ? []
      : [
          { value: "auto", label: "automatic" },
          { value: "overlay", label: "solid and dotted lines" },
          { value: "difference", label: "difference (A − B)" },
          { value: "ratio", label: "ratio (A ÷ B)" },
        ],
};

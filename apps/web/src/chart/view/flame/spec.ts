import type { ColumnInfo } from "@hadal/sdk";
import { overGroups } from "../../spec/overGroups.js";
import { askParts } from "../../spec/parts.js";
import { sizeOption } from "../../spec/size.js";
import type { ViewSpec } from "../../spec/viewSpec.js";

/** 10,000 frames are drawn at once; what is narrower than a pixel is counted, not drawn. */
const stacksMax = 10_000;

const stackColumns = (columns: readonly ColumnInfo[]) =>
  columns.filter(({ type }) => type === "vector").map(({ name }) => name);

export const flame: ViewSpec = {
  id: "flame",
  name: "Flame graph",
  group: "relation",
  answers: "Which stack takes it, and what got slower?",
  load: async () => (await import("./FlameView.js")).FlameView,
  fields: ["compare"],
  options: [
    {
      name: "stack",
      label: "Stacks",
      choices: (_, columns) => stackColumns(columns).map((name) => ({ value: name, label: name })),
    },
    sizeOption,
    {
      name: "root",
      label: "Root",
      choices: () => [
        { value: "top", label: "on top (icicle)" },
        { value: "bottom", label: "below (flames)" },
      ],
    },
    {
      name: "merge",
      label: "Merge from",
      choices: () => [
        { value: "first", label: "the first frame" },
        { value: "last", label: "the last frame" },
      ],
    },
  ],
  needsColumns: true,
  lacks: (state, columns) =>
    stackColumns(columns).length > 0
      ? null
      : `${state.table} has no column of ordered lists, such as call stacks or paths.`,
  fill: (state) => state,
  orderNames: overGroups.orderNames,
  build: (_, context) => {
    const stack = context.option("stack");
    return askParts(context, stack === "" ? [] : [stack], stacksMax);
  },
};

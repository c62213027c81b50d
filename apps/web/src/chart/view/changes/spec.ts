import type { ViewSpec } from "../../spec/viewSpec.js";

/** Side A against side B of the comparison, over every column at once. */
export const changes: ViewSpec = {
  id: "changes",
  name: "What changed",
  group: "relation",
  answers: "In which values do both sides differ most, and how sure is that?",
  load: async () => (await import("./ChangesView.js")).ChangesView,
  fields: ["compare"],
  options: [],
  needsColumns: false,
  lacks: ({ compare, part }) =>
    compare === null && part === null
      ? "Choose what to compare with: an earlier time, other rows, or “What is different here?” in the menu of any value."
      : null,
  fill: (state) =>
    state.compare === null && state.part === null
      ? { ...state, compare: { offset: "previous", filter: null } }
      : state,
  orderNames: () => ["count"],
  // With a part the sides are of these same rows: the part, and the rest.
  build: ({ part }, { base, counted: { compare } }) => ({
    query: {
      ...base,
      aggregates: [{ fn: "count" }],
      ...(part === null && compare && { compare }),
    },
  }),
};

import { overGroups } from "./overGroups.js";
import type { ViewSpec } from "./viewSpec.js";

export const bar: ViewSpec = {
  ...overGroups,
  id: "bar",
  name: "Bars",
  group: "ranking",
  answers: "How do the groups rank?",
};

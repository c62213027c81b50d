import { overGroups } from "./overGroups.js";
import type { ViewSpec } from "./viewSpec.js";

export const table: ViewSpec = {
  ...overGroups,
  id: "table",
  name: "Table",
  group: "ranking",
  answers: "Which groups are biggest, and which changed most?",
};

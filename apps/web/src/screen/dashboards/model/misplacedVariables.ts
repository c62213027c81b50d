import type { VariableValues } from "@hadal/sdk";
import type { ExploreState } from "../../../query/state/exploreState.js";

/**
 * The board's variables that a state names as `$name` outside its filters: in conditions of numbers,
 * kept groups or computed columns. Their values have no place there, and the text itself would
 * match nothing.
 */
export function misplacedVariables(
  { aggregates, having, derive, shape }: ExploreState,
  values: VariableValues,
): readonly string[] {
  const found = new Set<string>();
  const search = (value: unknown): void => {
    if (typeof value === "string") {
      if (value.startsWith("$") && values.has(value.slice(1))) found.add(value.slice(1));
    } else if (typeof value === "object" && value !== null) {
      for (const part of Object.values(value)) search(part);
    }
  };
  search([aggregates, having, derive, shape]);
  return [...found];
}

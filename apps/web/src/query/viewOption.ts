import type { ColumnInfo } from "@hadal/sdk";
import type { ExploreState } from "./exploreState.js";
import { viewOf } from "./views/registry.js";

/** The options of the state's view that are in force: as chosen where that can be, else the first choice. */
export function optionsInForce(
  state: ExploreState,
  columns: readonly ColumnInfo[],
): Readonly<Record<string, string>> {
  const pairs = viewOf(state.view).options.flatMap((option): [string, string][] => {
    const choices = option.choices(state, columns);
    const chosen = Object.hasOwn(state.options, option.name) ? state.options[option.name] : null;
    if (chosen != null && option.accepts?.(chosen)) return [[option.name, chosen]];
    const found = choices.find(({ value }) => value === chosen) ?? choices[0];
    return found === undefined ? [] : [[option.name, found.value]];
  });
  return Object.fromEntries(pairs);
}

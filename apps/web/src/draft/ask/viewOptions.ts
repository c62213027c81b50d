import type { ColumnInfo } from "@hadal/sdk";
import { viewOf } from "../../chart/view/views.js";
import type { ExploreState } from "../../query/state/exploreState.js";

/** The effective options of the state's view: the chosen value if it is valid, else the first choice. */
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

/** The options of a result's query, with the current values of the options for drawing. */
export function optionsToDraw(
  asked: Readonly<Record<string, string>>,
  state: ExploreState,
  columns: readonly ColumnInfo[],
): Readonly<Record<string, string>> {
  const drawn = drawnNames(state);
  const kept = Object.entries(asked).filter(([name]) => !drawn.has(name));
  const now = Object.entries(optionsInForce(state, columns)).filter(([name]) => drawn.has(name));
  return Object.fromEntries([...kept, ...now]);
}

/** Names of the options that change only how a result is drawn. */
export const drawnNames = ({ view }: ExploreState): ReadonlySet<string> =>
  new Set(viewOf(view).options.flatMap(({ name, drawn }) => (drawn === true ? [name] : [])));

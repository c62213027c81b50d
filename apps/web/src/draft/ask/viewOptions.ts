import type { ColumnInfo } from "@hadal/sdk";
import { viewOf } from "../../chart/view/views.js";
import type { ExploreState } from "../../query/state/exploreState.js";

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

/** The options that an answer was asked with, those of how it is drawn as the same view has them now. */
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

/** Names of the options that change only how an answer is drawn. */
export const drawnNames = ({ view }: ExploreState): ReadonlySet<string> =>
  new Set(viewOf(view).options.flatMap(({ name, drawn }) => (drawn === true ? [name] : [])));

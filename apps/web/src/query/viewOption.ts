import type { ColumnInfo } from "@hadal/sdk";
import type { ExploreState } from "./exploreState.js";
import { printUrl } from "./url.js";
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

/** Whether two states differ at most in how their answer is drawn. */
export const isSameQuestion = (one: ExploreState, other: ExploreState): boolean =>
  one === other || printUrl(undrawn(one)) === printUrl(undrawn(other));

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

const drawnNames = ({ view }: ExploreState): ReadonlySet<string> =>
  new Set(viewOf(view).options.flatMap(({ name, drawn }) => (drawn === true ? [name] : [])));

function undrawn(state: ExploreState): ExploreState {
  const drawn = drawnNames(state);
  const kept = Object.entries(state.options).filter(([name]) => !drawn.has(name));
  return { ...state, options: Object.fromEntries(kept) };
}

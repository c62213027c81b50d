import type { Dashboard, DashboardVariable, FilterValue } from "@hadal/sdk";
import { applyEdit, type Edit } from "../../../draft/edit/edits.js";
import {
  type CompareState,
  type ExploreState,
  type FilterChip,
  initialState,
} from "../../../query/state/exploreState.js";

/** A variable's values; null: all. */
export interface VariableChoice {
  readonly name: string;
  readonly values: readonly FilterValue[] | null;
}

/** What the bar of a board says. The address has exactly this (see barUrl.ts). */
export interface BarState {
  readonly from: string;
  readonly to: string;
  readonly live: boolean;
  /** null: the reader's own. */
  readonly timeZone: string | null;
  readonly compare: CompareState | null;
  readonly filters: readonly FilterChip[];
  /** In the order of the board's variables. */
  readonly variables: readonly VariableChoice[];
}

export const lastWeek: CompareState = { offset: "7d", filter: null };

/** The bar as the board was saved. */
export function barOfBoard(board: Dashboard): BarState {
  const { compare } = board;
  return {
    from: String(board.from ?? "-3h"),
    to: String(board.to ?? "now"),
    live: false,
    timeZone: board.timeZone ?? null,
    compare:
      compare == null ? null : { offset: compare.offset ?? null, filter: compare.filter ?? null },
    filters: (board.filter ?? []).map((filter) => ({ filter, off: false })),
    variables: (board.variables ?? []).map(({ name, values }) => ({
      name,
      values: values ?? null,
    })),
  };
}

/** The board with this bar as its own; disabled filters are left out. */
export function withBar(board: Dashboard, bar: BarState): Dashboard {
  const chosen = new Map(bar.variables.map(({ name, values }) => [name, values]));
  const { offset, filter } = bar.compare ?? { offset: null, filter: null };
  const compare = {
    // Only an offset that is a length can be saved.
    ...(offset !== null && offset !== "previous" && { offset }),
    ...(filter !== null && { filter }),
  };
  return {
    ...board,
    ...{ from: bar.from, to: bar.to, timeZone: bar.timeZone },
    compare: Object.keys(compare).length === 0 ? null : compare,
    filter: bar.filters.filter(({ off }) => !off).map(({ filter: one }) => one),
    variables: (board.variables ?? []).map((variable): DashboardVariable => {
      const values = chosen.get(variable.name);
      return values === undefined ? variable : { ...variable, values };
    }),
  };
}

/** The bar as the state of a form, whose fields edit it. */
export const formOfBar = (bar: BarState, table: string): ExploreState => {
  const { from, to, live, timeZone, compare, filters } = bar;
  return { ...initialState(table), from, to, live, timeZone, compare, filters };
};

/** The bar after an edit of its form; edits of what a bar does not have change nothing. */
export function editBar(bar: BarState, edit: Edit): BarState {
  const { from, to, live, timeZone, compare, filters } = applyEdit(formOfBar(bar, ""), edit);
  return { ...bar, from, to, live, timeZone, compare, filters };
}

export function chooseVariable(bar: BarState, choice: VariableChoice): BarState {
  const variables = bar.variables.map((one) => (one.name === choice.name ? choice : one));
  return { ...bar, variables };
}

import {
  type ColumnInfo,
  type DashboardIgnore,
  type DashboardVariable,
  type Filter,
  filtersWithVariables,
  isRelativeTime,
  type VariableValues,
} from "@hadal/sdk";
import { columnsOfFilter, sameFilter } from "../../../query/filter/filterTree.js";
import type { ExploreState, FilterChip } from "../../../query/state/exploreState.js";
import type { BarState } from "./barState.js";
import { misplacedVariables } from "./misplacedVariables.js";
import type { VariableFaults } from "./variableFaults.js";

/** What a tile is shown under: the bar, and what the tile refuses of it. */
export interface UnderBar {
  readonly bar: BarState;
  readonly ignores: readonly DashboardIgnore[];
  readonly variables: readonly DashboardVariable[];
  /** The columns of the tile's table. */
  readonly columns: readonly ColumnInfo[];
}

export interface TileUnderBar {
  readonly state: ExploreState;
  /** Columns that the bar filters by and that the table does not have. */
  readonly lacking: readonly string[];
  /** Why its query cannot be asked. */
  readonly faults: VariableFaults;
}

/** The state of a tile with the bar's time, comparison, zone and filters. */
export function tileUnderBar(named: ExploreState, under: UnderBar): TileUnderBar {
  const { bar, ignores } = under;
  const { state: own, used, faults } = withVariables(named, valuesOf(bar));
  const takes = (part: DashboardIgnore): boolean => !ignores.includes(part);
  const time = takes("time") ? { from: bar.from, to: bar.to, part: null } : {};
  const to = takes("time") ? bar.to : own.to;
  const { chips, lacking } = filtersOfBar(under, used);
  const compare = takes("compare") && bar.compare !== null ? bar.compare : own.compare;
  return {
    state: {
      ...own,
      ...time,
      live: takes("live") && bar.live && isRelativeTime(to),
      timeZone: takes("timeZone") ? (bar.timeZone ?? own.timeZone) : own.timeZone,
      compare,
      filters: joined(own.filters, chips),
    },
    ...{ lacking, faults },
  };
}

/** The values of the bar's variables; null: all. */
export const valuesOf = ({ variables }: BarState): VariableValues =>
  new Map(variables.map(({ name, values }) => [name, values]));

/** The state with the variables' values where its filters name them. */
export function withVariables(state: ExploreState, values: VariableValues) {
  const used = new Set<string>();
  const unknown = new Set<string>();
  const replaced = (filters: readonly Filter[]): readonly Filter[] => {
    const found = filtersWithVariables(filters, values);
    for (const name of found.used) used.add(name);
    for (const name of found.unknown) unknown.add(name);
    return found.filters;
  };
  const filters = state.filters.flatMap((chip) => {
    // What is off is not asked, and stays as it is written.
    if (chip.off) return [chip];
    return replaced([chip.filter]).map((filter) => ({ ...chip, filter }));
  });
  const { compare } = state;
  const others = compare?.filter == null ? null : replaced(compare.filter);
  return {
    state:
      used.size === 0 && sameChips(filters, state.filters)
        ? state
        : {
            ...{ ...state, filters },
            compare: compare === null ? null : { ...compare, filter: others },
          },
    used,
    faults: { unknown: [...unknown], misplaced: misplacedVariables(state, values) },
  };
}

const sameChips = (a: readonly FilterChip[], b: readonly FilterChip[]): boolean =>
  a.length === b.length && a.every(({ filter }, i) => sameFilter(filter, b[i]?.filter ?? filter));

/** The bar's filters and variables that apply to a table, but for variables that the tile uses itself. */
function filtersOfBar({ bar, ignores, variables, columns }: UnderBar, used: ReadonlySet<string>) {
  const known = new Map(columns.map((column) => [column.name, column]));
  const asked: FilterChip[] = ignores.includes("filter")
    ? []
    : bar.filters.filter(({ off }) => !off);
  const chosen = ignores.includes("variables")
    ? []
    : bar.variables.filter(({ name }) => !used.has(name));
  const lacking = new Set<string>();
  const chips = asked.filter(({ filter }) => {
    const missing = columnsOfFilter(filter).filter((name) => !known.has(name));
    for (const name of missing) lacking.add(name);
    return missing.length === 0;
  });
  const ofVariables = chosen.flatMap(({ name, values }): FilterChip[] => {
    const column = variables.find((one) => one.name === name)?.column;
    if (values === null || column === undefined) return [];
    const type = known.get(column)?.type;
    if (type === undefined) {
      lacking.add(column);
      return [];
    }
    const op = type === "set" || type === "vector" ? "includes any" : "in";
    const filter: Filter = { column, op, value: values };
    return [{ filter, off: false }];
  });
  return { chips: [...chips, ...ofVariables], lacking: [...lacking] };
}

/** Each filter once. */
function joined(own: readonly FilterChip[], more: readonly FilterChip[]): readonly FilterChip[] {
  if (more.length === 0) return own;
  const added = more.filter(
    (chip) => !own.some((one) => !one.off && sameFilter(one.filter, chip.filter)),
  );
  return [...own, ...added];
}

import type { ColumnFilter, Filter } from "@hadal/sdk";
import { conditionOf, orMissing, sameFilter } from "../../query/filter/filterTree.js";
import { notOf } from "../../query/filter/groupFilter.js";
import type { FilterChip } from "../../query/state/exploreState.js";
import { moved } from "./moved.js";

/** Edits of the filters. */
export type FilterEdit =
  | { readonly kind: "add filter"; readonly filter: Filter }
  /** The enabled filters, in this order; disabled filters stay disabled. */
  | { readonly kind: "set filters"; readonly filters: readonly Filter[] }
  | { readonly kind: "replace filter"; readonly index: number; readonly filter: Filter }
  | { readonly kind: "remove filter"; readonly index: number }
  | { readonly kind: "switch filter"; readonly index: number; readonly off: boolean }
  | { readonly kind: "pin filter"; readonly index: number; readonly pinned: boolean }
  | { readonly kind: "move filter"; readonly from: number; readonly to: number }
  /** Removes all but the pinned ones. */
  | { readonly kind: "clear filters" }
  | { readonly kind: "keep steps"; readonly count: number };

export function changedFilters(
  filters: readonly FilterChip[],
  edit: FilterEdit,
): readonly FilterChip[] {
  const at = (index: number, change: (chip: FilterChip) => FilterChip) =>
    filters.map((chip, i) => (i === index ? change(chip) : chip));
  switch (edit.kind) {
    case "add filter":
      return withFilter(filters, edit.filter);
    case "set filters":
      return inForce(filters, edit.filters);
    case "replace filter":
      return at(edit.index, (chip) => ({ ...chip, filter: edit.filter }));
    case "remove filter":
      return filters.filter((_, i) => i !== edit.index);
    case "switch filter":
      return at(edit.index, (chip) => ({ ...chip, off: edit.off }));
    case "pin filter":
      return at(edit.index, ({ filter, off }) => ({
        ...{ filter, off },
        ...(edit.pinned && { pinned: true }),
      }));
    case "move filter":
      return moved(filters, edit.from, edit.to);
    case "clear filters":
      return keptUpTo(filters, 0);
    case "keep steps":
      return keptUpTo(filters, edit.count);
  }
}

export function withFilter(filters: readonly FilterChip[], filter: Filter): readonly FilterChip[] {
  const index = filters.findIndex((chip) => sameFilter(chip.filter, filter));
  if (index < 0) return [...filters, { filter, off: false }];
  if (filters[index]?.off !== true) return filters;
  return filters.map((chip, i) => (i === index ? { ...chip, off: false } : chip));
}

function inForce(chips: readonly FilterChip[], wanted: readonly Filter[]): readonly FilterChip[] {
  const next: FilterChip[] = [];
  for (const filter of wanted) {
    if (next.some((chip) => sameFilter(chip.filter, filter))) continue;
    const before = chips.find((chip) => sameFilter(chip.filter, filter));
    next.push({ ...(before ?? { filter }), off: false });
  }
  const switchedOff = chips.filter(
    (chip) => chip.off && !next.some(({ filter }) => sameFilter(filter, chip.filter)),
  );
  return [...next, ...switchedOff];
}

/** The first filters up to a count, and all pinned ones. */
function keptUpTo(filters: readonly FilterChip[], count: number): readonly FilterChip[] {
  const kept = filters.filter((chip, i) => i < count || chip.pinned === true);
  return kept.length === filters.length ? filters : kept;
}

/** Values that are excluded one after another are collected in one chip. */
export function withoutThese(
  filters: readonly FilterChip[],
  excluded: readonly Filter[],
): readonly FilterChip[] {
  const [first] = excluded;
  if (first === undefined) return filters;
  const isValue = excluded.length === 1 && "column" in first && first.op === "=";
  const index = isValue
    ? filters.findIndex((chip) => !chip.off && excludesFrom(chip.filter, first.column))
    : -1;
  const chip = filters[index];
  const before = chip === undefined ? null : conditionOf(chip.filter);
  if (chip === undefined || before === null || !isValue) {
    return withFilter(filters, notOf(excluded));
  }
  const values = [...new Set([before.value, first.value].flat())].filter((v) => v !== undefined);
  if (values.length === 1) return filters;
  const joined: ColumnFilter = { column: first.column, op: "not in", value: values };
  const filter = "column" in chip.filter ? joined : orMissing(joined);
  return filters.toSpliced(index, 1, { ...chip, filter });
}

function excludesFrom(filter: Filter, column: string): boolean {
  const condition = conditionOf(filter);
  return condition?.column === column && ["!=", "not in"].includes(condition.op);
}

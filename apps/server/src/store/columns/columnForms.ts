import { type ColumnType, decimalsMax as decimalsLimit } from "@hadal/sdk";
import { type ColumnForms, typesByWidth } from "../../base/row/columnTypes.js";
import type { PlaceFacts } from "./segmentFacts.js";
import type { TableColumns } from "./tableColumns.js";

/**
 * The forms of a column's values by the facts of all segments; of a column without values, that of
 * the last ones.
 */
export function columnForms(
  columns: TableColumns,
  column: string,
  facts: { of(place: string): PlaceFacts },
): ColumnForms {
  const types = new Set<ColumnType>();
  let decimals = 0;
  let decimalsMax = decimalsLimit;
  const places = columns.placesOf(column);
  for (const { name, type } of places) {
    const found = facts.of(name);
    if (found.segments > 0) types.add(type);
    decimals = Math.max(decimals, found.decimals);
    decimalsMax = Math.min(decimalsMax, found.decimalsMax);
  }
  const [first] = places;
  if (types.size === 0 && first !== undefined) types.add(first.type);
  return { types: typesByWidth.filter((type) => types.has(type)), decimals, decimalsMax };
}

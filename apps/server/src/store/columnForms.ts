import { type ColumnType, decimalsMax as decimalsLimit } from "@hadal/sdk";
import { type ColumnForms, typesByWidth } from "../base/columnTypes.js";
import { fitsInt64 } from "../column/decimal.js";
import type { IntColumn } from "../column/segmentColumn.js";
import type { StoredSegment } from "./segmentView.js";
import type { TableColumns } from "./tableColumns.js";

/** The forms of a column's values in these segments; of a column without values, that of the last ones. */
export function columnForms(
  columns: TableColumns,
  column: string,
  segments: readonly StoredSegment[],
): ColumnForms {
  const types = new Set<ColumnType>();
  let decimals = 0;
  let decimalsMax = decimalsLimit;
  const places = columns.placesOf(column);
  for (const { name, type } of places) {
    for (const segment of segments) {
      const found = segment.columns.get(name);
      if (found === undefined) continue;
      types.add(type);
      if (found.kind !== "int") break;
      decimals = Math.max(decimals, found.decimals);
      decimalsMax = Math.min(decimalsMax, roomOf(found));
    }
  }
  const [first] = places;
  if (types.size === 0 && first !== undefined) types.add(first.type);
  return { types: typesByWidth.filter((type) => types.has(type)), decimals, decimalsMax };
}

const rooms = new WeakMap<IntColumn, number>();

/** With how many digits behind the point all integers of a segment fit 64 bits. */
export function roomOf(column: IntColumn): number {
  let room = rooms.get(column);
  if (room === undefined) {
    room = measureRoom(column);
    rooms.set(column, room);
  }
  return room;
}

function measureRoom({ min, max, decimals }: IntColumn): number {
  if (min > max) return decimalsLimit;
  let room = decimals;
  for (let scale = 10n; room < decimalsLimit; room++, scale *= 10n) {
    if (!fitsInt64(min * scale) || !fitsInt64(max * scale)) break;
  }
  return room;
}

import type { ColumnType } from "@hadal/sdk";

/** Names of columns have no control characters. */
const mark = "\u0000";

/**
 * Where values of one type of a column lie, within a segment as within a table: rows may bring other types to the same
 * column, and each keeps its own. The first one lies under the column's name.
 */
export function placeName(column: string, form: ColumnType | `int${number}`): string {
  return `${column}${mark}${form}`;
}

/** Large integers without room for the decimals of the others. */
export const spareForm = (decimals: number): `int${number}` => `int${decimals}`;

export function columnOfPlace(place: string): string {
  const end = place.indexOf(mark);
  return end < 0 ? place : place.slice(0, end);
}

export function isSparePlace(place: string): boolean {
  const end = place.indexOf(mark);
  return end >= 0 && /^int\d+$/.test(place.slice(end + 1));
}

import type { ColumnType } from "@hadal/sdk";

/** Names of columns have no control characters. */
const mark = "\u0000";

/**
 * The place of a column's values of one type, in a segment and in a table: rows may have values of
 * other types in the same column, and each type is kept. The first one has the column's name.
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

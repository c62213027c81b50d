/** Names of columns have no control characters. */
const mark = "\u0000stored";

/** Another name of a stored column, in a query that derives one of the same name. */
export const storedName = (column: string): string => `${column}${mark}`;

/** The stored column of such a name; null: it is none. */
export const columnOfStoredName = (name: string): string | null =>
  name.endsWith(mark) ? name.slice(0, -mark.length) : null;

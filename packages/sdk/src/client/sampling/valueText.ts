type Values = Readonly<Record<string, unknown>>;

/** The value of a column as text, also of a nested one (`actor.login`); null: the row has none. */
export function valueText(row: Values, column: string): string | null {
  const value = valueIn(row, column);
  if (value === null || value === undefined) return null;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function valueIn(row: Values, column: string): unknown {
  if (Object.hasOwn(row, column)) return row[column];
  const dot = column.indexOf(".");
  const inner = dot < 0 ? null : valueIn(row, column.slice(0, dot));
  if (typeof inner !== "object" || inner === null) return undefined;
  return valueIn(inner as Values, column.slice(dot + 1));
}

/** The tables that a document's body names: each is the `table`, or one of the `tables`, of an object in it. */
export function documentTables(body: unknown, into: Set<string> = new Set()): ReadonlySet<string> {
  if (typeof body !== "object" || body === null) return into;
  for (const [name, value] of Object.entries(body)) {
    if (name === "table" && typeof value === "string") into.add(value);
    else if (
      name === "tables" &&
      Array.isArray(value) &&
      value.every((one) => typeof one === "string")
    )
      for (const table of value) into.add(table);
    else documentTables(value, into);
  }
  return into;
}

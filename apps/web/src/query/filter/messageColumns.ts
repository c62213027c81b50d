import type { Filter } from "@hadal/sdk";

interface NamedColumn {
  readonly name: string;
  readonly type: string;
}

/** Names of columns that contain a line of text, the most certain first. */
const lineNames = "message msg body log line text error exception description title".split(" ");
const textNames = new Set([...lineNames, "url", "query"]);

const lastPartOf = (name: string): string => (/[^._]*$/.exec(name)?.[0] ?? "").toLowerCase();

/** Columns of text for people, by name: a free search covers these. */
export function messageColumns(columns: readonly NamedColumn[]): readonly string[] {
  return columns
    .filter(({ name, type }) => type === "string" && textNames.has(lastPartOf(name)))
    .map(({ name }) => name);
}

/** The column with the row's message; null: there is none. */
export function messageColumn(columns: readonly NamedColumn[]): string | null {
  const rankOf = (name: string): number => lineNames.indexOf(lastPartOf(name));
  const lines = messageColumns(columns).filter((name) => rankOf(name) >= 0);
  const [first = null] = lines.sort((a, b) => rankOf(a) - rankOf(b));
  return first;
}

/** Rows whose text has this in it, in whichever of the columns. */
export function searchFilter(columns: readonly string[], text: string): Filter {
  const conditions = columns.map((column) => ({ column, op: "contains" as const, value: text }));
  const [only] = conditions;
  return conditions.length === 1 && only !== undefined ? only : { any: conditions };
}

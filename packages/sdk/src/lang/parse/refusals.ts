/**
 * SQL that Hadal does not support, by the word at which the grammar stops, and what to do instead.
 */
const joins =
  "Hadal has no joins: a query reads one table. Put what belongs together into one row.";
const unions = "Hadal has no set operations: ask twice, or filter with OR.";
const writes =
  "Hadal's SQL only asks: rows come in by POST /api/v1/tables/{table}/rows or `hadal ingest`.";
const windows =
  "Hadal has no window functions: COMPARE TO INTERVAL compares with before, SERIES keeps the top groups.";
const subqueries = "Hadal has no subqueries: ask in steps, or filter with IN ('a', 'b').";

const refusals: ReadonlyMap<string, string> = new Map([
  ...["join", "inner", "left", "right", "full", "cross", "natural", "lateral", "using", "on"].map(
    (word) => [word, joins] as const,
  ),
  ...["union", "intersect", "except", "minus"].map((word) => [word, unions] as const),
  ...[
    ...["insert", "update", "delete", "create", "drop", "alter", "truncate", "grant", "revoke"],
    ...["merge", "copy", "begin", "commit", "rollback", "set", "vacuum", "call", "do"],
  ].map((word) => [word, writes] as const),
  ...["over", "window", "partition", "qualify"].map((word) => [word, windows] as const),
  ["select", subqueries],
  ["exists", subqueries],
  ["values", subqueries],
  ["with", "Hadal has no common table expressions: ask in steps."],
  ["explain", "Hadal explains no queries: every answer reports what it scanned in `stats`."],
  ["show", "Hadal has no SHOW: GET /api/v1/tables or `hadal tables` lists the tables."],
  ["describe", "Hadal has no DESCRIBE: `hadal tables NAME` lists the columns of a table."],
  ["distinct", "Hadal has no DISTINCT ON: write min, max or GROUP BY."],
  ["filter", "FILTER follows an aggregate: count(*) FILTER (WHERE status >= 500)."],
  ["within", "Hadal has no WITHIN GROUP: write percentile(column, 95)."],
  ["fetch", "Write LIMIT n instead of FETCH."],
  ["for", "Hadal locks no rows: leave out FOR."],
  ["returning", writes],
  ["similar", "Hadal has no SIMILAR TO: write ~ with a regular expression, or LIKE."],
  ["glob", "Hadal has no GLOB: write LIKE, or ~ with a regular expression."],
  ["regexp", "Write column ~ 'pattern'."],
  ["rlike", "Write column ~ 'pattern'."],
  [
    "any",
    "Write IN ('a', 'b') for a column of strings, INCLUDES ANY ('a', 'b') for a set or vector.",
  ],
  [
    "all",
    "Write NOT IN ('a', 'b') for a column of strings, INCLUDES ALL ('a', 'b') for a set or vector.",
  ],
  ["rollup", "Hadal has no ROLLUP: ask once for each grouping."],
  ["cube", "Hadal has no CUBE: ask once for each grouping."],
  ["grouping", "Hadal has no GROUPING SETS: ask once for each grouping."],
  ["at", "Hadal has no AT TIME ZONE: end the query with TIME ZONE 'Europe/Berlin'."],
  ["collate", "Hadal has no COLLATE: strings compare by code point."],
  ["isnull", "Write IS NULL."],
  ["notnull", "Write IS NOT NULL."],
  ["top", "Write LIMIT n at the end."],
  ["into", "Hadal has no SELECT INTO: rows come in by ingest only."],
  ["asof", joins],
]);

/**
 * Why a word of SQL is not allowed at a place; null where it is no word of SQL.
 */
export function refusalOf(word: string): string | null {
  return refusals.get(word.toLowerCase()) ?? null;
}

/** The same for signs. */
export function refusalOfSign(text: string, at: number): string | null {
  const rest = text.slice(at);
  if (rest.startsWith(";")) return null;
  if (/^\(\s*select\b/i.test(rest)) return subqueries;
  if (rest.startsWith("`")) return 'Names are quoted with double quotes: "name".';
  if (/^[‘’‚‛]/.test(rest)) return "Texts are quoted with straight single quotes: 'text'.";
  if (/^[“”„]/.test(rest)) return 'Names are quoted with straight double quotes: "name".';
  if (rest.startsWith("=") && text[at - 1] === "=") return "Write = once.";
  if (/^(&&|\|\|)/.test(rest)) return rest.startsWith("&&") ? "Write AND." : null;
  if (/^[$?]/.test(rest) || /^:\w/.test(rest))
    return "Hadal has no parameters: write the value itself.";
  return null;
}

const table = String.raw`(?:"(?:[^"]|"")*"|[\w.$]+)`;
const behindTable = new RegExp(String.raw`\bfrom\s+${table}(?:\s+(?:as\s+)?${table})?\s*$`, "i");
const joinedWith = String.raw`,|(?:(?:natural|inner|left|right|full|outer|cross|asof)\s+)*join\b`;
const joined = new RegExp(String.raw`^(?:,|(?:as\s+)?${table}\s*(?:${joinedWith}))`, "i");

/** Why the text after the table is refused: a list of tables, or a join. */
export function refusalBehindTable(text: string, at: number): string | null {
  if (!behindTable.test(text.slice(0, at))) return null;
  return joined.test(text.slice(at)) ? joins : null;
}

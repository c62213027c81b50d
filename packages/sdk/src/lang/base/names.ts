/** Words that cannot be names unless they are quoted. */
export const reservedWords: ReadonlySet<string> = new Set(
  (
    "select from where group having order limit offset and or not inner intersect in isnull is like ilike " +
    "between case when then else end as by null true false cast distinct union except join exists with"
  ).split(" "),
);

/**
 * Words that may follow a selected expression: they are its alias only after AS.
 */
export const clauseWords: ReadonlySet<string> = new Set(
  (
    "derive series compare per over filter within collate left right full cross natural window at into similar " +
    "includes contains starts ends escape"
  ).split(" "),
);

/** Words that may follow a table: they are its alias only after AS. */
export const tableWords: ReadonlySet<string> = new Set([
  ...clauseWords,
  ..."show fetch for lateral using on asof minus qualify tablesample returning outer positional semi anti".split(
    " ",
  ),
]);

/** Words with another meaning at the start of an expression: quoted when printed. */
const otherWords: ReadonlySet<string> = new Set([
  ...clauseWords,
  ..."zone interval timestamp timestamptz date extract array js asc desc nulls aggregate ilike".split(
    " ",
  ),
]);

/** A name in SQL: in double quotes where it would otherwise be a keyword or no single word. */
export function printName(name: string): string {
  const isPlain = /^[A-Za-z_][\w$]*(\.[A-Za-z_][\w$]*)*$/.test(name);
  const first = name.split(".", 1)[0]!.toLowerCase();
  const isWord = reservedWords.has(first) || otherWords.has(first);
  return isPlain && !isWord ? name : quoteName(name);
}

export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function printString(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Words of the grammar, as editors offer them. */
export const sqlKeywords: readonly string[] = (
  "SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET DERIVE SERIES SHOW COMPARE TO INTERVAL TIME ZONE WITH AS AND OR " +
  "NOT IN LIKE ILIKE BETWEEN IS NULL MISSING PRESENT EMPTY TRUE FALSE CASE WHEN THEN ELSE END DISTINCT ASC DESC " +
  "FILTER UNKNOWN NULLS FIRST LAST INCLUDES ANY ALL NONE CONTAINS SEQUENCE STARTS ENDS PER SECOND MINUTE HOUR TIMESTAMP ARRAY JS AGGREGATE"
).split(" ");

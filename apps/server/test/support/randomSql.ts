import type { SeededRandom } from "../oracle/seed/seededRandom.js";

/** Whatever may stand in a query, and what may not. */
const words = [
  ...[
    "SELECT",
    "FROM",
    "WHERE",
    "GROUP BY",
    "HAVING",
    "ORDER BY",
    "LIMIT",
    "OFFSET",
    "SERIES",
    "COMPARE TO",
  ],
  ...[
    "DERIVE",
    "WITH",
    "TIME ZONE",
    "AND",
    "OR",
    "NOT",
    "IN",
    "IS NULL",
    "LIKE",
    "BETWEEN",
    "CASE",
    "WHEN",
  ],
  ...[
    "THEN",
    "ELSE",
    "END",
    "AS",
    "PER MINUTE",
    "DESC",
    "INCLUDES ANY",
    "CONTAINS SEQUENCE",
    "INTERVAL",
  ],
  ...[
    "JOIN",
    "UNION",
    "OVER",
    "DISTINCT",
    "EXISTS",
    "INSERT INTO",
    "CAST",
    "EXTRACT",
    "ARRAY",
    "JS",
    "AGGREGATE",
    "SELECT DISTINCT",
    "FILTER (WHERE",
    "IS DISTINCT FROM",
    "IS NOT TRUE",
    "NULLS FIRST",
    "AS h",
    "TRIM(BOTH",
    "POSITION(",
    "::numeric(9, 2)",
  ],
  ...[
    "count",
    "sum",
    "percentile",
    "lower",
    "pattern",
    "lpad",
    "concat_ws",
    "count_if",
    "var_pop",
    "substr",
    "time_bucket",
    "now",
    "unnest",
    "nothing",
  ],
  ...["covariance", "AGGREGATE entropy("],
  ...[
    "hits",
    "time",
    "UserID",
    "URL",
    "SearchPhrase",
    "__proto__",
    "constructor",
    '"a b"',
    "toString",
  ],
  ...[
    "0",
    "-1",
    "1.5",
    "1e400",
    "9223372036854775808",
    "99999999999999999999999",
    "0.1234567890123456789",
  ],
  ...[
    "'x'",
    "''",
    "'1m'",
    "'3 hours'",
    "'%'",
    "'('",
    "'(a+)+$'",
    "'Europe/Berlin'",
    "'\u0000'",
    "'🙂'",
  ],
  ...[
    "(",
    ")",
    "[",
    "]",
    ",",
    ";",
    ".",
    "*",
    "+",
    "-",
    "/",
    "%",
    "||",
    "::",
    "=",
    "<>",
    "<=",
    "~",
    "!~*",
  ],
  ...[
    "--",
    "/*",
    "*/",
    "'",
    '"',
    "`",
    "$1",
    "?",
    "\\",
    "\n",
    "\t",
    "\u0000",
    "\ud800",
    "🙂",
    "“",
    "：",
  ],
] as const;

/** A stream of words that means something only by chance. */
export function randomWords(random: SeededRandom): string {
  return Array.from({ length: random.int(1, 30) }, () => random.pick(words)).join(" ");
}

/** A sound query with a few faults. */
export function mutateSql(sql: string, random: SeededRandom): string {
  const parts = sql.match(/'(?:[^']|'')*'|[\w.]+|\s+|\S/g) ?? [];
  for (let count = random.int(1, 3); count > 0; count--) {
    const at = random.int(0, parts.length);
    switch (random.int(0, 9)) {
      case 0:
        parts.splice(at, random.int(1, 3));
        break;
      case 1:
        parts.splice(at, 0, " ", random.pick(words), " ");
        break;
      case 2:
        parts.splice(at, 1, random.pick(words));
        break;
      case 3:
        parts.splice(at, 0, ...parts.slice(at, at + random.int(1, 12)));
        break;
      case 4:
        parts.length = Math.min(parts.length, at);
        break;
      case 5: {
        const depth = random.int(1, 60);
        parts.splice(at, 1, "(".repeat(depth), parts[at] ?? "1", ")".repeat(depth));
        break;
      }
      case 6:
        parts.splice(at, 0, String.fromCharCode(random.int(0, 0xffff)));
        break;
      default:
        exchange(parts, random);
    }
  }
  return parts.join("");
}

/** Puts one number, text or name in the place of another: what comes of it is often sound. */
function exchange(parts: string[], random: SeededRandom): void {
  const from = random.int(0, parts.length - 1);
  const kind = [/^\d/, /^'/, /^[A-Z]\w*[a-z]/].find((one) => one.test(parts[from] ?? ""));
  if (kind === undefined) return;
  const alike = parts.flatMap((part, i) => (kind.test(part) ? [i] : []));
  const to = random.pick(alike);
  [parts[from], parts[to]] = [parts[to] ?? "", parts[from] ?? ""];
}

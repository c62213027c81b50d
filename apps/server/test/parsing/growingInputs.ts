/** A text that grows by its piece: what a parser may be made to go over again and again. */
export interface GrowingText {
  readonly name: string;
  /** About this many characters in all. */
  readonly make: (units: number) => string;
}

function growing(name: string, before: string, piece: string, after = ""): GrowingText {
  return {
    name,
    make: (units) => before + piece.repeat(Math.max(1, Math.floor(units / piece.length))) + after,
  };
}

/** Pieces that differ from each other: names, values. */
function numbered(
  name: string,
  before: string,
  piece: (i: number) => string,
  after = "",
): GrowingText {
  const make = (units: number): string => {
    const parts = [before];
    for (let i = 0, length = 0; length < units; i++) {
      const part = piece(i);
      parts.push(part);
      length += part.length;
    }
    return parts.join("") + after;
  };
  return { name, make };
}

/** Values of JSON, of whatever is read as JSON. */
export const jsonValues: readonly GrowingText[] = [
  growing("brackets", "", "["),
  growing("brackets that close", "[", "[],", "1]"),
  growing("braces", "", '{"a":'),
  growing("digits", "", "7"),
  growing("digits behind the point", "0.", "7"),
  growing("zeros behind the point", "0.", "0", "1"),
  growing("zeros among digits", "0.1", "0", "1"),
  growing("an exponent", "1e", "7"),
  growing("digits and an exponent", "", "7", "e-5"),
  growing("minus", "", "-"),
  growing("a string", '"', "x", '"'),
  growing("a string without an end", '"', "x"),
  growing("escapes", '"', "\\u00e9", '"'),
  growing("backslashes", '"', "\\\\", '"'),
  growing("backslashes without an end", '"', "\\"),
  growing("halves of characters", '"', "\\ud83d", '"'),
  growing("characters of four bytes", '"', "\u{1f600}", '"'),
  growing("strings in a list", '["a"', ',"b"', "]"),
  numbered("different strings in a list", '["a"', (i) => `,"b${i}"`, "]"),
  numbered("a set", '{"$set":["a"', (i) => `,"b${i}"`, "]}"),
  growing("commas in a list", "[1", ",", "]"),
  growing("white space", "", " ", "1"),
  growing("words", "", "true"),
  growing("quotes", "", '"'),
  numbered("names of an object", '{"a":1', (i) => `,"b${i}":1`, "}"),
  growing("the same name", '{"a":1', ',"a":1', "}"),
];

const times = (i: number): number => 1_750_000_000_000 + i;

/** Bodies of lines: `lines` makes one body of many values that grow, `rows` one of many rows. */
export const ndjsonBodies: readonly GrowingText[] = [
  ...jsonValues.map(({ name, make }) => ({
    name: `a row with ${name}`,
    make: (units: number) => `{"time":1,"v":${make(units)}}\n{"time":2}\n`,
  })),
  growing("a name", '{"time":1,"', "n", '":1}\n{"time":1}'),
  growing("a time", '{"time":"', "2", '"}\n{"time":1}'),
  growing("a time in digits", '{"time":', "2", '}\n{"time":1}'),
  growing("a sample rate", '{"time":1,"sample_rate":', "2", '}\n{"time":1}'),
  growing("line ends", '{"time":1}', "\n"),
  growing("line ends of two characters", '{"time":1}', "\r\n"),
  growing("rows that are cut off", '{"time":1}\n', '{"time":1,\n'),
  growing("rows that are numbers", '{"time":1}\n', "7\n"),
  growing("rows without a time", '{"time":1}\n', '{"a":1}\n'),
  growing("rows of quotes", '{"time":1}\n', '"\n'),
  growing("rows of lists", '{"time":1}\n', '{"time":1,"l":["a","b"]}\n'),
  numbered("rows of other names each", "", (i) => `{"time":${times(i)},"c${i % 4_000}":1}\n`),
  numbered("rows of texts", "", (i) => `{"time":${times(i)},"s":"text ${i}"}\n`),
  numbered("rows of other types each", "", (i) =>
    i % 2 === 0 ? `{"time":1,"m":${i}}\n` : `{"time":1,"m":"m${i}"}\n`,
  ),
  numbered("rows that refuse and rows that fit", "", (i) =>
    i % 2 === 0 ? `{"time":1,"n${i % 50}":1}\n` : `{"n${i}":1}\n`,
  ),
  numbered("a row of many names", '{"time":1', (i) => `,"c${i}":1`, '}\n{"time":1}'),
  growing("objects in each other", "", '{"a":', ""),
];

export const jsonBodies: readonly GrowingText[] = [
  ...ndjsonBodies
    .filter(({ name }) => name.startsWith("rows"))
    .map(({ name, make }) => ({
      name,
      make: (units: number) => `[${make(units).trimEnd().replaceAll("\n", ",")}]`,
    })),
  ...jsonValues.map(({ name, make }) => ({
    name: `a list with ${name}`,
    make: (units: number) => `[{"time":2},{"time":1,"v":${make(units)}}]`,
  })),
  growing("a row after the other", "", '{"time":1}'),
  growing("commas", '[{"time":1}', ",", "]"),
  growing("brackets at the start", "", "["),
  growing("text after the rows", '[{"time":1}]', "x"),
  growing("white space before", "", " ", '[{"time":1}]'),
];

export const csvBodies: readonly GrowingText[] = [
  growing("commas of a header", "time", ",", "\n1\n"),
  numbered("names of a header", "time", (i) => `,c${i}`, "\n1\n"),
  growing("the same name in a header", "time", ",a", "\n1\n"),
  growing("commas of a row", "time,a\n1,2\n1", ",", "\n"),
  growing("quotes", "time,a\n1,2\n", '"'),
  growing("quotes of a value", 'time,a\n1,"', '""', '"\n'),
  growing("a value without an end", 'time,a\n1,"', "x\n"),
  growing("lines of a quote", "time,a\n1,2\n", '"\n'),
  growing("lines of two quotes", "time,a\n1,2\n", '""\n'),
  growing("lines of three quotes", "time,a\n1,2\n", '"""\n'),
  growing("lines that open a quote", "time,a\n1,2\n", '1,"a\n'),
  growing("lines with text after a quote", "time,a\n1,2\n", '"a"b\n'),
  growing("lines of too many values", "time,a\n1,2\n", "1,2,3\n"),
  growing("lines without a time", "time,a\n1,2\n", ",2\n"),
  growing("digits", "time,a\n1,", "7", "\n"),
  growing("digits of a time", "time,a\n", "7", ",1\n"),
  growing("zeros among digits", "time,a\n1,0.1", "0", "1\n"),
  growing("thousands", "time;a\n1;1", ",000", "\n"),
  growing("points", "time,a\n1,1", ".", "\n"),
  growing("an exponent", "time,a\n1,1e", "7", "\n"),
  growing("line ends", "time,a\n1,2", "\n"),
  growing("carriage returns", "time,a\n1,2", "\r"),
  growing("unknown separators", "time", "~a"),
  growing("sep=", "sep=", ";"),
  growing("missing values", "time,a\n1,2\n", "1,NA\n"),
  numbered("texts", "time,a\n", (i) => `1,text ${i}\n`),
  numbered("fractions", "time,a\n", (i) => `1,${i}.25\n`),
  growing("a text", "time,a\n1,", "x", "\n"),
];

/** After WHERE. */
export const sqlConditions: readonly GrowingText[] = [
  growing("digits", "a = ", "1"),
  growing("zeros behind the point", "a = 0.", "0", "1"),
  growing("an exponent", "a = 1e", "1"),
  growing("points", "a = ", "1."),
  growing("brackets", "", "("),
  growing("brackets that close", "a = 1", ")"),
  growing("pairs of brackets", "a = ", "()"),
  growing("minus", "a = ", "- ", "1"),
  growing("minus without a space", "a = ", "-", "1"),
  growing("plus", "a = ", "+", "1"),
  growing("NOT", "", "NOT ", "a = 1"),
  growing("a text", "a = '", "x", "'"),
  growing("a text without an end", "a = '", "x"),
  growing("quotes", "a = '", "''", "'"),
  growing("an odd number of quotes", "a = ", "'"),
  growing("a name", "", "a", " = 1"),
  growing("a quoted name", 'a = "', '""', '"'),
  growing("dots of a name", "a", ".a", " = 1"),
  growing("white space", "a ", " ", "= 1"),
  growing("line ends", "a ", "\n", "= 1"),
  growing("white space at the end", "a = 1", " "),
  growing("a comment without an end", "a = 1 /*", "*"),
  growing("comments in comments", "a = 1 ", "/*"),
  growing("comments", "a = 1 ", "/**/"),
  growing("comments of a line", "a = 1 ", "--\n"),
  growing("AND", "a = 1", " AND a = 1"),
  growing("OR", "a = 1", " OR a = 1"),
  growing("AND and OR", "a = 1", " AND a = 1 OR b = 2"),
  growing("additions", "a = 1", " + 1"),
  growing("multiplications", "a = 1", "*1"),
  growing("concatenations", "a = 'x'", " || 'x'"),
  growing("comparisons", "a = 1", " = 1"),
  growing("a list", "a IN (1", ",2", ")"),
  numbered("a list of texts", "a IN ('x'", (i) => `,'t${i}'`, ")"),
  growing("a list without an end", "a IN (1", ",2"),
  growing("commas of a list", "a IN (1", ",", ")"),
  growing("arguments", "a = coalesce(1", ",2", ")"),
  growing("calls", "a = ", "abs(", "1"),
  growing("unknown calls", "a = ", "xyz(", "1"),
  growing("CASE", "a = ", "CASE WHEN a = 1 THEN ", "1"),
  growing("WHEN", "a = CASE", " WHEN a = 1 THEN 1", " END"),
  growing("casts", "a", "::int", " = 1"),
  growing("BETWEEN", "a", " BETWEEN 1 AND 2 AND a", " = 1"),
  growing("IS NULL", "a", " IS NULL"),
  growing("times", "time < '", "2", "'"),
  growing("times of now", "time < now()", " - INTERVAL '1 hour'"),
  growing("an interval", "time < now() - INTERVAL '", "1 hour ", "'"),
  growing("a pattern", "a ~ '", "[", "'"),
  growing("LIKE", "a LIKE '", "%_", "'"),
  growing("semicolons", "a = 1", ";", "SELECT"),
  growing("selects", "a = 1 ", "SELECT "),
  growing("GROUP BY", "a = 1 GROUP BY a", ", a"),
  growing("ORDER BY", "a = 1 ORDER BY a", ", a"),
  growing("HAVING", "a = 1 HAVING count(*) > 1", " AND count(*) > 1"),
  growing("signs that are none", "a = 1 ", "\u0001"),
  growing("letters of other scripts", "a = '", "\u{1f600}", "'"),
];

export const patterns: readonly GrowingText[] = [
  growing("letters", "", "a"),
  growing("brackets", "", "("),
  growing("pairs of brackets", "", "(a)"),
  growing("brackets in brackets", "", "(?:", "a"),
  growing("classes", "", "[a-z]"),
  growing("a class", "[", "a-z0-9", "]"),
  growing("a class without an end", "", "["),
  growing("classes of Unicode", "", "\\pL"),
  growing("alternatives", "a", "|a"),
  numbered("other alternatives", "a", (i) => `|b${i}`),
  growing("stars", "", "a*"),
  growing("stars of stars", "a", "*"),
  growing("repeats", "", "(a{9})"),
  growing("questions", "", "a?"),
  growing("escapes", "", "\\d"),
  growing("quoted", "\\Q", "a"),
  growing("backslashes", "", "\\\\"),
  growing("any", "", ".*"),
  growing("folded", "(?i)", "k"),
];

export const functionSources: readonly GrowingText[] = [
  growing("brackets", "(row) => ", "("),
  growing("lists", "(row) => ", "["),
  growing("blocks", "(row) => ", "{"),
  growing("additions", "(row) => 1", " + 1"),
  growing("additions of columns", "(row) => row.a", " + row.a"),
  growing("minus", "(row) => ", "- ", "1"),
  growing("not", "(row) => ", "!", "1"),
  growing("conditions", "(row) => ", "row.a ? 1 : ", "2"),
  growing("calls", "(row) => row.a", ".trim()"),
  growing("members", "(row) => row", ".a"),
  growing("statements", "(row) => {", "let x = 1;", "return x}"),
  numbered("variables", "(row) => {", (i) => `let x${i} = row.c${i};`, "return 1}"),
  growing("assignments", "(row) => { let x = 0;", "x = x + 1;", "return x}"),
  growing("conditions in each other", "(row) => {", "if (row.a) {", ""),
  growing("functions", "(row) => ", "() => ", "1"),
  growing("a string", '(row) => "', "x", '"'),
  growing("strings", '(row) => "a"', ' + "b"'),
  growing("a template", "(row) => `", ["$", "{1}"].join(""), "`"),
  growing("comments", "(row) => 1 ", "/**/"),
  growing("a comment without an end", "(row) => 1 ", "/*"),
  growing("digits", "(row) => ", "7"),
  growing("a number of another base", "(row) => 0x", "7"),
  growing("a big number", "(row) => ", "7", "n"),
  growing("a name", "(row) => ", "a"),
  growing("a pattern", "(row) => /", "(a+)", "/.test(row.a)"),
  growing("parameters", "(row", ", a", ") => 1"),
  growing("commas", "(row) => (1", ", 1", ")"),
  growing("optional members", "(row) => row", "?.a"),
  growing("AND", "(row) => row.a", " && row.a"),
  growing("white space", "(row) => ", " ", "1"),
  growing("line ends", "(row) => ", "\n", "1"),
];

export const timeTexts: readonly GrowingText[] = [
  growing("digits", "", "2"),
  growing("digits of a second", "2025-01-01T00:00:00.", "1", "Z"),
  growing("signs", "", "-"),
  growing("units", "", "-1h"),
  growing("white space", "2025-01-01T00:00:00", " ", "Z"),
  growing("zones", "2025-01-01T00:00:00", "Z"),
  growing("words", "", "now "),
  growing("commas", "Thu, 01 Jan 1970 00:00:00 GMT", ","),
];

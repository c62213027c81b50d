import {
  bigintAsText,
  type HistogramBound,
  type HistogramBucket,
  printCompletenessLine,
  type Result,
  type ResultRow,
  type ResultValue,
} from "@hadal/sdk";

/** Text in pieces of some 64 KB, each printed in a fraction of a millisecond: other work can run before the next. */
export type TextPieces = Iterable<string>;

const pieceUnits = 65_536;
/** Up to this many rows are printed at once, which is faster. */
const fewRows = 256;

/** Integers beyond 2^53 are decimal strings; `before` precedes the result's members. */
export function* printJson(result: Result, before: object = {}): TextPieces {
  if (result.rows.length <= fewRows) {
    yield JSON.stringify({ ...before, ...result, rows: result.rows.map(printable) });
    return;
  }
  const { columns, rows, intervals, ...rest } = result;
  yield `${JSON.stringify({ ...before, columns }).slice(0, -1)},"rows":[`;
  yield* inPieces(listed(rows, (row) => JSON.stringify(printable(row))));
  yield '],"intervals":{';
  let isFirst = true;
  for (const [name, bars] of Object.entries(intervals)) {
    yield `${isFirst ? "" : ","}${JSON.stringify(name)}:[`;
    yield* inPieces(listed(bars, (bar) => JSON.stringify(bar)));
    yield "]";
    isFirst = false;
  }
  // JSON has no member for what is absent.
  yield `},${JSON.stringify(rest).slice(1)}`;
}

/** One object a row, then one with the completeness and all else that is no row. */
export function* printNdjson(result: Result): TextPieces {
  const { columns, rows, final: _final, ...rest } = result;
  const names = columns.map(({ name }) => JSON.stringify(name));
  const print = (row: ResultRow): string =>
    `{${printable(row)
      .map((value, i) => `${names[i]}:${JSON.stringify(value)}`)
      .join(",")}}\n`;
  yield* inPieces(mapped(rows, print));
  yield `${JSON.stringify(rest)}\n`;
}

/** RFC 4180, then comment lines. A missing value is empty, an empty string is `""`. */
export function* printCsv(result: Result): TextPieces {
  yield `${result.columns.map(({ name }) => quoteCsv(name)).join(",")}\r\n`;
  yield* inPieces(mapped(result.rows, (row) => `${row.map(printCell).join(",")}\r\n`));
  for (const comment of commentsOf(result)) yield `# ${comment}\r\n`;
}

function* mapped<Item>(items: readonly Item[], print: (item: Item) => string): Iterable<string> {
  for (const item of items) yield print(item);
}

/** The members of an array, with commas between them. */
function* listed<Item>(items: readonly Item[], print: (item: Item) => string): Iterable<string> {
  for (let i = 0; i < items.length; i++) yield i === 0 ? print(items[i]!) : `,${print(items[i]!)}`;
}

function* inPieces(texts: Iterable<string>): TextPieces {
  let piece = "";
  for (const text of texts) {
    piece += text;
    if (piece.length < pieceUnits) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

type BesideRows = Pick<
  Result,
  "completeness" | "truncated" | "coverage" | "compareCoverage" | "lowerBounds"
>;

/** The parts of a result that have no place in a table of text, line by line. */
function commentsOf({
  completeness,
  truncated,
  coverage,
  compareCoverage,
  lowerBounds,
}: BesideRows): readonly string[] {
  const json = (name: string, value: unknown): readonly string[] =>
    value === undefined || value === null ? [] : [`${name}: ${JSON.stringify(value)}`];
  return [
    `completeness: ${printCompletenessLine(completeness)}`,
    ...json("truncated", truncated),
    ...json("lowerBounds", lowerBounds),
    ...json("coverage", coverage),
    ...json("compareCoverage", compareCoverage),
  ];
}

function printCell(value: ResultValue): string {
  if (value === null) return "";
  if (typeof value === "string") return quoteCsv(value);
  return typeof value === "object" ? quoteCsv(JSON.stringify(value, bigintAsText)) : String(value);
}

function quoteCsv(text: string): string {
  return text === "" || /[",\r\n#]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** The row for JSON.stringify: a copy if it contains a BigInt. */
function printable(row: ResultRow): ResultRow {
  return hasBigInt(row) ? row.map(printValue) : row;
}

function hasBigInt(row: ResultRow): boolean {
  for (let i = 0; i < row.length; i++) {
    const value = row[i];
    if (typeof value === "bigint") return true;
    if (typeof value === "object" && value !== null && value.some(hasBigBound)) return true;
  }
  return false;
}

/** Of a histogram's bucket; texts of lists have none. */
const hasBigBound = (bucket: string | HistogramBucket): boolean =>
  typeof bucket === "object" && (typeof bucket[0] === "bigint" || typeof bucket[1] === "bigint");

function printValue(value: ResultValue): ResultValue {
  if (Array.isArray(value) && value.some(hasBigBound)) {
    const buckets = value as readonly HistogramBucket[];
    return buckets.map(([low, high, count]) => [printBound(low), printBound(high), count] as const);
  }
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

const printBound = (bound: HistogramBound): HistogramBound =>
  typeof bound === "bigint" ? bound.toString() : bound;

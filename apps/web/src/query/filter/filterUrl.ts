import type { Filter, FilterOperator, FilterValue, Having, HavingOperator } from "@hadal/sdk";
import { GrammarError, printName, printValue, TokenReader, valueOfToken } from "./token.js";

/** Operators as words: signs such as `>=` would be escaped in an address. */
const operatorWords: readonly (readonly [FilterOperator, string])[] = [
  ["=", "eq"],
  ["!=", "ne"],
  ["<", "lt"],
  ["<=", "le"],
  [">", "gt"],
  [">=", "ge"],
  ["in", "in"],
  ["not in", "nin"],
  ["~", "match"],
  ["!~", "nomatch"],
  ["contains", "contains"],
  ["is missing", "missing"],
  ["is present", "present"],
  ["includes any", "any"],
  ["includes all", "all"],
  ["includes none", "none"],
  ["is empty", "empty"],
  ["starts with", "starts"],
  ["ends with", "ends"],
  ["contains sequence", "sequence"],
];
const listOperators: ReadonlySet<FilterOperator> = new Set<FilterOperator>([
  "in",
  "not in",
  "includes any",
  "includes all",
  "includes none",
  "starts with",
  "ends with",
  "contains sequence",
]);
const depthMax = 64;

/** `status:ge:500`, `service:in:cart,checkout`, `not(country:eq:DE)`, `any(a:eq:1|b:missing)`. */
export function printFilter(filter: Filter): string {
  if ("any" in filter) return `any(${filter.any.map(printFilter).join("|")})`;
  if ("all" in filter) return `all(${filter.all.map(printFilter).join("|")})`;
  if ("not" in filter) return `not(${printFilter(filter.not)})`;
  const word = operatorWords.find(([op]) => op === filter.op)?.[1] ?? filter.op;
  const head = `${printName(filter.column)}:${word}`;
  if (filter.value === undefined) return head;
  const values = isList(filter.value) ? filter.value : [filter.value];
  if (values.length === 0) return head;
  return `${head}:${values.map(printValue).join(",")}`;
}

/** Reads what {@link printFilter} writes; throws a GrammarError that says where it cannot. */
export function parseFilter(text: string): Filter {
  const reader = new TokenReader(text);
  const filter = readFilter(reader);
  reader.end();
  return filter;
}

const havingOperators: ReadonlySet<string> = new Set<HavingOperator>([
  ...(["=", "!=", "<", "<=", ">", ">=", "is missing", "is present"] as const),
]);

/** A condition on result rows: written as a filter of one column is, and knowing fewer operators. */
export function parseHaving(text: string): Having {
  const filter = parseFilter(text);
  if (!("column" in filter) || !havingOperators.has(filter.op)) {
    throw new GrammarError(`"${text}" is no condition on a number or group of the result`);
  }
  const { column, value } = filter;
  const op = filter.op as HavingOperator;
  if (value === undefined) return { column, op };
  if (typeof value !== "number" && typeof value !== "string") {
    throw new GrammarError(`"${text}" compares with neither a number nor a text`);
  }
  return { column, op, value };
}

/** The same of a part of a text. */
export function readFilter(reader: TokenReader, depth = 1): Filter {
  if (depth > depthMax) throw new GrammarError(`filters nest deeper than ${depthMax}`);
  const first = reader.word();
  if (!first.quoted && reader.take("(")) return readGroup(reader, first.text, depth);
  reader.expect(":");
  const word = reader.word().text;
  const op = operatorWords.find((pair) => pair[1] === word)?.[0];
  if (op === undefined) throw reader.fault(`"${word}" is no operator`);
  if (!reader.take(":")) return readBare(first.text, op);
  if (!listOperators.has(op)) {
    return { column: first.text, op, value: valueOfToken(reader.word()) };
  }
  const values: FilterValue[] = [valueOfToken(reader.word())];
  while (reader.take(",")) values.push(valueOfToken(reader.word()));
  return { column: first.text, op, value: values };
}

/** Without values: a test of presence, or a list that is empty. */
function readBare(column: string, op: FilterOperator): Filter {
  return listOperators.has(op) ? { column, op, value: [] } : { column, op };
}

function readGroup(reader: TokenReader, kind: string, depth: number): Filter {
  if (kind === "not") {
    const not = readFilter(reader, depth + 1);
    reader.expect(")");
    return { not };
  }
  if (kind !== "any" && kind !== "all") throw reader.fault(`"${kind}(" is no group of filters`);
  const filters: Filter[] = [];
  if (!reader.take(")")) {
    do filters.push(readFilter(reader, depth + 1));
    while (reader.take("|"));
    reader.expect(")");
  }
  return kind === "any" ? { any: filters } : { all: filters };
}

function isList(value: FilterValue | readonly FilterValue[]): value is readonly FilterValue[] {
  return Array.isArray(value);
}

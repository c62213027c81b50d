/**
 * All filters in one line, as people type them; all of its terms must hold:
 *
 *   status>=500 service:web -country:DE "time out"
 *
 *   column:value, column:a,b   one of the values (of a list: any of them); = means the same
 *   column!=value  > >= < <=   comparisons; also behind the colon: status:>=500
 *   column~expression !~       a regular expression, or none that matches
 *   column*=text               contains the text (of a vector: the sequence)
 *   column&=a,b ^= $=          of lists: all of them, begins with, ends with
 *   column:*  column:[]        has a value; is an empty list
 *   word, "some words"         is in a message column
 *   -term                      all other rows, those without a value too
 *   (…)                        anything else, as addresses write it (filterUrl.ts)
 *
 * Names and values with spaces or signs are JSON strings.
 */
import type { ColumnInfo, Filter, FilterOperator } from "@hadal/sdk";
import { restOf, sameFilter } from "./filterTree.js";
import { printFilter, readFilter } from "./filterUrl.js";
import { messageColumns, searchFilter } from "./messageColumns.js";
import { makeFilter, operatorsFor, takesNoValue, valuesOf } from "./operators.js";
import { GrammarError, TokenReader } from "./token.js";

/** Longest first: `>=` is not `>`. */
const signs = [">=", "<=", "!=", "!~", "*=", "^=", "$=", "&=", ">", "<", "=", "~", ":"] as const;
type Sign = (typeof signs)[number];

const plainOperators: Readonly<Record<Sign, FilterOperator | null>> = {
  ...{ ":": "=", "=": "=", "!=": "!=", ">": ">", ">=": ">=", "<": "<", "<=": "<=" },
  ...{ "~": "~", "!~": "!~", "*=": "contains", "^=": null, "$=": null, "&=": null },
};
const listOperators: Readonly<Record<Sign, FilterOperator | null>> = {
  ...{ ":": "includes any", "=": "includes any", "!=": "includes none", "&=": "includes all" },
  ...{ "^=": "starts with", "$=": "ends with", "*=": "contains sequence" },
  ...{ ">": null, ">=": null, "<": null, "<=": null, "~": null, "!~": null },
};
/** Operators of one text, which may contain commas. */
const takesText: ReadonlySet<FilterOperator> = new Set<FilterOperator>(["~", "!~", "contains"]);

const isList = ({ type }: ColumnInfo): boolean => type === "set" || type === "vector";

/** Reads a line. Throws a {@link GrammarError} that says where it cannot. */
export function parseFilterLine(text: string, columns: readonly ColumnInfo[]): Filter[] {
  const reader = new LineReader(text, columns);
  const filters: Filter[] = [];
  for (let next = reader.term(); next !== null; next = reader.term()) filters.push(next);
  return filters;
}

/** The line that reads as these filters. */
export function printFilterLine(
  filters: readonly Filter[],
  columns: readonly ColumnInfo[],
): string {
  return filters.map((filter) => printTerm(filter, columns)).join(" ");
}

class LineReader {
  #at = 0;

  readonly #text: string;
  readonly #columns: readonly ColumnInfo[];

  constructor(text: string, columns: readonly ColumnInfo[]) {
    this.#text = text;
    this.#columns = columns;
  }

  /** null: the line ends here. */
  term(): Filter | null {
    this.#at += /^\s*/.exec(this.#rest)?.[0].length ?? 0;
    if (this.#rest === "") return null;
    const isRest = this.#take("-");
    const filter = this.#body();
    if (this.#rest !== "" && !/^\s/.test(this.#rest)) throw this.#fault("expected a space");
    return isRest ? restOf(filter) : filter;
  }

  get #rest(): string {
    return this.#text.slice(this.#at);
  }

  #body(): Filter {
    if (this.#take("(")) return this.#asInAddress();
    const start = this.#at;
    const name = this.#rest.startsWith('"') ? this.#quoted() : this.#run(/^[^\s"():=<>!~*^$&,]+/);
    const sign = name === null ? undefined : signs.find((one) => this.#take(one));
    if (name !== null && sign !== undefined) return this.#condition(name, sign, start);
    this.#at = start;
    const words = this.#rest.startsWith('"') ? this.#quoted() : this.#run(/^\S+/);
    return this.#search(words ?? "");
  }

  #search(words: string): Filter {
    const searched = messageColumns(this.#columns);
    if (words === "") throw this.#fault("expected a word");
    if (searched.length === 0) {
      throw this.#fault(`no column holds messages to look for "${words}" in; write column:value`);
    }
    return searchFilter(searched, words);
  }

  #condition(name: string, written: Sign, start: number): Filter {
    const column = this.#columns.find((one) => one.name === name);
    if (column === undefined) {
      this.#at = start;
      throw this.#fault(`there is no column "${name}"; a text with signs is looked for in quotes`);
    }
    if (written === ":" && this.#take("*")) return { column: name, op: "is present" };
    if (written === ":" && isList(column) && this.#take("[]"))
      return { column: name, op: "is empty" };
    const sign = written === ":" ? (signs.find((one) => this.#take(one)) ?? written) : written;
    const op = (isList(column) ? listOperators : plainOperators)[sign];
    if (op === null || !operatorsFor(column.type).includes(op)) {
      throw this.#fault(`"${sign}" is not for ${name}, ${kinds[column.type]}`);
    }
    const draft = makeFilter(column, op, this.#values(op));
    if (!draft.ok) throw this.#fault(draft.reason);
    return draft.filter;
  }

  #values(op: FilterOperator): string[] {
    const values: string[] = [];
    const bare = takesText.has(op) ? /^\S+/ : /^[^\s",]+/;
    do
      values.push(
        this.#rest.startsWith('"') ? this.#quoted() : (this.#run(bare) ?? this.#noValue()),
      );
    while (!takesText.has(op) && this.#take(","));
    return values;
  }

  #asInAddress(): Filter {
    const reader = new TokenReader(this.#rest);
    try {
      const filter = readFilter(reader);
      reader.expect(")");
      return filter;
    } finally {
      this.#at += reader.position;
    }
  }

  #quoted(): string {
    const reader = new TokenReader(this.#rest);
    const { text } = reader.word();
    this.#at += reader.position;
    return text;
  }

  #run(pattern: RegExp): string | null {
    const found = pattern.exec(this.#rest)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }

  #take(sign: string): boolean {
    if (!this.#rest.startsWith(sign)) return false;
    this.#at += sign.length;
    return true;
  }

  #noValue(): never {
    throw this.#fault("expected a value");
  }

  #fault(reason: string): GrammarError {
    return new GrammarError(`Character ${this.#at + 1}: ${reason}`);
  }
}

const kinds: Readonly<Record<ColumnInfo["type"], string>> = {
  int: "a number",
  string: "a text",
  set: "a set",
  vector: "a list",
};

/** The first way to write it that is read as the same. */
function printTerm(filter: Filter, columns: readonly ColumnInfo[]): string {
  const term = candidatesOf(filter, columns).find((text) => isReadAs(text, filter, columns));
  return term ?? `(${printFilter(filter)})`;
}

function candidatesOf(filter: Filter, columns: readonly ColumnInfo[]): string[] {
  const rest = restOf(filter);
  return [...plainTerms(filter, columns), ...plainTerms(rest, columns).map((text) => `-${text}`)];
}

function plainTerms(filter: Filter, columns: readonly ColumnInfo[]): string[] {
  const [first = filter] = "any" in filter ? filter.any : [filter];
  if (!("column" in first)) return [];
  const searched = "column" in filter || "any" in filter ? valuesOf(first).map(String) : [];
  const terms = searched.map(printWords);
  const column = columns.find(({ name }) => name === first.column);
  if (column === undefined || !("column" in filter)) return terms;
  const head = printPart(first.column, /^[^\s"():=<>!~*^$&,-][^\s"():=<>!~*^$&,]*$/);
  if (first.op === "is present") return [...terms, `${head}:*`];
  if (first.op === "is empty") return [...terms, `${head}:[]`];
  if (takesNoValue(first.op)) return terms;
  const table = isList(column) ? listOperators : plainOperators;
  const op = first.op === "in" ? "=" : first.op === "not in" ? "!=" : first.op;
  const sign = op === "=" || op === "includes any" ? ":" : signs.find((one) => table[one] === op);
  if (sign === undefined) return terms;
  const values = valuesOf(first).map((value) =>
    printPart(String(value), /^[^\s",=<>~!*^$&[][^\s",]*$/),
  );
  return [...terms, `${head}${sign}${values.join(",")}`];
}

const printWords = (text: string): string =>
  printPart(text, /^[^\s"(:=<>!~*^$&,-][^\s":=<>!~*^$&,]*$/);

const printPart = (text: string, bare: RegExp): string =>
  bare.test(text) ? text : JSON.stringify(text);

function isReadAs(text: string, filter: Filter, columns: readonly ColumnInfo[]): boolean {
  try {
    const [read, ...more] = parseFilterLine(text, columns);
    return read !== undefined && more.length === 0 && sameFilter(read, filter);
  } catch (error) {
    if (error instanceof GrammarError) return false;
    throw error;
  }
}

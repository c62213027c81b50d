import type { FilterValue } from "@hadal/sdk";
import { parseFilter, printFilter } from "../../../query/filter/filterUrl.js";
import { escapePart, GrammarError } from "../../../query/filter/token.js";
import type { FilterChip } from "../../../query/state/exploreState.js";
import type { BarState, VariableChoice } from "./barState.js";

/**
 * The bar as the query string of the board's address: `from`, `to`, `live`, `tz`, `compare` and `vs`,
 * `filter` and `off` as in Explore; `var=service:in:checkout` is a variable's values, and
 * `var=service:present` all of them.
 */
export function printBar(bar: BarState): string {
  const pairs: (readonly [string, string])[] = [
    ["from", bar.from],
    ["to", bar.to],
    ...(bar.live ? [["live", "1"] as const] : []),
    ...(bar.timeZone === null ? [] : [["tz", bar.timeZone] as const]),
    ...printCompare(bar),
    ...bar.filters.map(({ filter, off }) => [off ? "off" : "filter", printFilter(filter)] as const),
    ...bar.variables.map((choice) => ["var", printVariable(choice)] as const),
  ];
  return pairs.map(([key, value]) => `${key}=${escapePart(value)}`).join("&");
}

function printCompare({ compare }: BarState): readonly (readonly [string, string])[] {
  if (compare === null) return [["compare", ""]];
  const { offset, filter } = compare;
  if (filter === null) return [["compare", offset ?? ""]];
  const sides = filter.map((one) => ["vs", printFilter(one)] as const);
  return [...(offset === null ? [] : [["compare", offset] as const]), ["vs", ""], ...sides];
}

const printVariable = ({ name, values }: VariableChoice): string =>
  values === null
    ? printFilter({ column: name, op: "is present" })
    : printFilter({ column: name, op: "in", value: values });

export interface ParsedBar {
  readonly bar: BarState;
  /** One sentence for each part that cannot be read. */
  readonly faults: readonly string[];
}

/** The bar of an address; what it does not name is as the board has it. */
export function parseBar(search: string, board: BarState): ParsedBar {
  const faults: string[] = [];
  const parameters = new URLSearchParams(search);
  const readOne: ReadOne = (key, text, read) => {
    try {
      return [read(text)];
    } catch (error) {
      if (!(error instanceof GrammarError)) throw error;
      faults.push(`${key}: ${error.message}`);
      return [];
    }
  };
  const readAll: ReadAll = (key, read) =>
    parameters.getAll(key).flatMap((text) => readOne(key, text, read));
  // An address with a time has the whole bar; others, such as a link to full screen, have none.
  const isWhole = parameters.has("from");
  const chosen = new Map(readAll("var", readVariable).map(({ name, values }) => [name, values]));
  const bar: BarState = {
    from: parameters.get("from") ?? board.from,
    to: parameters.get("to") ?? board.to,
    live: parameters.get("live") === "1",
    timeZone: isWhole ? (readAll("tz", readZone)[0] ?? null) : board.timeZone,
    compare: readCompare(parameters, readAll, board),
    filters: isWhole ? readChips(parameters, readOne) : board.filters,
    variables: board.variables.map(({ name, values }) => ({
      name,
      values: chosen.has(name) ? (chosen.get(name) ?? null) : values,
    })),
  };
  return { bar, faults };
}

type ReadOne = <T>(key: string, text: string, read: (text: string) => T) => readonly T[];
type ReadAll = <T>(key: string, read: (text: string) => T) => readonly T[];

function readCompare(parameters: URLSearchParams, readAll: ReadAll, board: BarState) {
  const offset = parameters.get("compare");
  if (parameters.has("vs")) {
    const sides = readAll("vs", (text) => (text === "" ? null : parseFilter(text)));
    return { offset, filter: sides.filter((one) => one !== null) };
  }
  if (offset === null) return board.compare;
  return offset === "" ? null : { offset, filter: null };
}

/** Enabled and disabled filters, in the order of the address. */
const readChips = (parameters: URLSearchParams, readOne: ReadOne): readonly FilterChip[] =>
  [...parameters].flatMap(([key, text]) =>
    key === "filter" || key === "off"
      ? readOne(key, text, (one) => ({ filter: parseFilter(one), off: key === "off" }))
      : [],
  );

function readVariable(text: string): VariableChoice {
  const filter = parseFilter(text);
  if (!("column" in filter)) throw new GrammarError("it is no choice of a variable");
  const { column: name, op, value } = filter;
  if (op === "is present") return { name, values: null };
  if (op !== "in") throw new GrammarError("it is no choice of a variable");
  return { name, values: (value ?? []) as readonly FilterValue[] };
}

function readZone(text: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return text;
  } catch {
    throw new GrammarError(`there is no time zone "${text}"`);
  }
}

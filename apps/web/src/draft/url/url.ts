/**
 * Prints the state of the Explore screen as the query string of its address, and parses it again.
 * README.md in this folder has the grammar. Scripts write it, so later versions must still read it.
 */
import { bigintAsText, type DerivedColumn, durationMs, parseDuration } from "@hadal/sdk";
import { isView, usesField } from "../../chart/view/views.js";
import { parseFilter, parseHaving, printFilter } from "../../query/filter/filterUrl.js";
import { escapePart, GrammarError, printName, TokenReader } from "../../query/filter/token.js";
import { parseGroup, printGroup } from "../../query/group/groupSpec.js";
import { parseAggregate, printAggregate } from "../../query/number/aggregateUrl.js";
import {
  type CompareState,
  type ExploreState,
  type FilterChip,
  initialState,
  limitOfForm,
  seriesOfForm,
} from "../../query/state/exploreState.js";
import { type QueryShape, shapeOf } from "../../query/state/queryShape.js";
import { orderNames } from "../ask/order.js";
import { readColor } from "./colorUrl.js";
import { printSpan, readSpan } from "./span.js";

const urlVersion = 1;

export interface ParsedUrl {
  /** null: the address names no table, so it has no state. */
  readonly state: ExploreState | null;
  /** Hues that differ from the default of their name (see chart/kit/paint/color.ts); they do not change the query. */
  readonly colors: ReadonlyMap<string, number>;
  /** One sentence for each part that could not be parsed. The rest of the state is valid. */
  readonly faults: readonly string[];
}

/** The query string of a state, without `?`. */
export function printUrl(state: ExploreState): string {
  const pairs: [string, string][] = [
    ["v", String(urlVersion)],
    ["table", state.table],
    ["from", state.from],
    ["to", state.to],
  ];
  if (state.live) pairs.push(["live", "1"]);
  if (state.timeZone !== null) pairs.push(["tz", state.timeZone]);
  pairs.push(["view", state.view]);
  for (const [name, value] of Object.entries(state.options).sort()) {
    pairs.push(["opt", `${printName(name)}:${printName(value)}`]);
  }
  for (const column of state.derive) pairs.push(["derive", JSON.stringify(column, bigintAsText)]);
  for (const spec of state.aggregates) pairs.push(["agg", printAggregate(spec)]);
  for (const spec of state.groupBy) pairs.push(["group", printGroup(spec)]);
  if (state.bucket !== null) pairs.push(["bucket", state.bucket]);
  for (const chip of state.filters) pairs.push([chipKey(chip), printFilter(chip.filter)]);
  for (const condition of state.having) pairs.push(["having", printFilter(condition)]);
  pairs.push(...printCompare(state.compare));
  if (state.part !== null) pairs.push(["part", printSpan(state.part)]);
  if (state.order !== null) {
    pairs.push(["order", `${state.order.desc ? "-" : "+"}${state.order.by}`]);
  }
  if (state.limit !== limitOfForm) pairs.push(["limit", String(state.limit)]);
  if (state.series !== seriesOfForm) pairs.push(["series", String(state.series)]);
  for (const column of state.columns ?? []) pairs.push(["column", printName(column)]);
  if (state.exact) pairs.push(["exact", "1"]);
  if (state.timeoutMs !== null) pairs.push(["timeout", `${state.timeoutMs}ms`]);
  if (state.freshnessMs !== null) pairs.push(["fresh", `${state.freshnessMs}ms`]);
  if (state.shape !== null) pairs.push(["ask", JSON.stringify(state.shape, bigintAsText)]);
  if (state.saved !== null) pairs.push(["saved", state.saved]);
  return pairs.map(([key, value]) => `${key}=${escapePart(value)}`).join("&");
}

/** Parses a query string. Parts that cannot be parsed are reported, not guessed. */
export function parseUrl(search: string): ParsedUrl {
  const parameters = new URLSearchParams(search);
  const table = parameters.get("table");
  if (table === null || table === "") return { state: null, colors: new Map(), faults: [] };
  const faults: string[] = [];
  const version = parameters.get("v");
  if (version !== null && version !== String(urlVersion)) {
    faults.push(`v=${version}: this page reads version ${urlVersion}`);
  }
  const draft: Draft = { ...initialState(table), aggregates: [], vs: null, colors: new Map() };
  for (const [key, value] of parameters) {
    try {
      readParameter(draft, key, value);
    } catch (error) {
      if (!(error instanceof GrammarError)) throw error;
      faults.push(`${key}: ${error.message}`);
    }
  }
  const { vs, colors, ...state } = draft;
  const compare = compareOf(state.compare?.offset ?? null, vs);
  // Without an aggregate that can be parsed there would be nothing to draw.
  const aggregates =
    state.aggregates.length > 0 ? state.aggregates : initialState(table).aggregates;
  const read = { ...state, compare, aggregates };
  const fault = orderFault(read);
  return fault === null
    ? { state: read, colors, faults }
    : { state: { ...read, order: null }, colors, faults: [...faults, fault] };
}

/** Why the order cannot be used: the result lacks its column. null: it can, or it is kept for other views. */
function orderFault(state: ExploreState): string | null {
  if (state.order === null || !usesField(state.view, "order")) return null;
  const names = orderNames(state);
  if (names.includes(state.order.by)) return null;
  return `order: the answer has no "${state.order.by}" to order by, only ${names.join(", ")}`;
}

type Draft = { -readonly [K in keyof ExploreState]: ExploreState[K] } & {
  vs: FilterChip["filter"][] | null;
  colors: Map<string, number>;
};

const readers: Readonly<Record<string, (draft: Draft, value: string) => void>> = {
  v: () => {},
  table: () => {},
  from: (draft, value) => {
    draft.from = value;
  },
  to: (draft, value) => {
    draft.to = value;
  },
  live: (draft, value) => {
    draft.live = value === "1";
  },
  tz: (draft, value) => {
    draft.timeZone = readTimeZone(value);
  },
  view: (draft, value) => {
    if (!isView(value)) throw new GrammarError(`there is no view "${value}"`);
    draft.view = value;
  },
  opt: (draft, value) => {
    // By entries, not by assignment: an option may be named __proto__.
    draft.options = Object.fromEntries([...Object.entries(draft.options), readOption(value)]);
  },
  derive: (draft, value) => {
    draft.derive = [...draft.derive, readDerived(value)];
  },
  agg: (draft, value) => {
    draft.aggregates = [...draft.aggregates, parseAggregate(value)];
  },
  group: (draft, value) => {
    draft.groupBy = [...draft.groupBy, parseGroup(value)];
  },
  bucket: (draft, value) => {
    draft.bucket = value;
  },
  filter: (draft, value) => addChip(draft, value, { off: false }),
  off: (draft, value) => addChip(draft, value, { off: true }),
  pin: (draft, value) => addChip(draft, value, { off: false, pinned: true }),
  pinoff: (draft, value) => addChip(draft, value, { off: true, pinned: true }),
  having: (draft, value) => {
    draft.having = [...draft.having, parseHaving(value)];
  },
  compare: (draft, value) => {
    draft.compare = { offset: value, filter: null };
  },
  vs: (draft, value) => {
    draft.vs = value === "" ? (draft.vs ?? []) : [...(draft.vs ?? []), parseFilter(value)];
  },
  part: (draft, value) => {
    draft.part = readSpan(value);
  },
  order: (draft, value) => {
    // A plus sign in an address is decoded as a space.
    const by = /^[-+ ]/.test(value) ? value.slice(1) : value;
    if (by === "") throw new GrammarError("order names no column");
    draft.order = { by, desc: value.startsWith("-") };
  },
  limit: (draft, value) => {
    draft.limit = readCount(value);
  },
  series: (draft, value) => {
    draft.series = readCount(value);
  },
  column: (draft, value) => {
    draft.columns = [...(draft.columns ?? []), readName(value)];
  },
  color: (draft, value) => {
    draft.colors.set(...readColor(value));
  },
  exact: (draft, value) => {
    draft.exact = value === "1";
  },
  timeout: (draft, value) => {
    draft.timeoutMs = readMs(value);
  },
  fresh: (draft, value) => {
    draft.freshnessMs = readMs(value);
  },
  ask: (draft, value) => {
    draft.shape = readShape(value);
  },
  saved: (draft, value) => {
    draft.saved = value === "" ? null : value;
  },
};

function addChip(draft: Draft, text: string, how: Omit<FilterChip, "filter">): void {
  draft.filters = [...draft.filters, { filter: parseFilter(text), ...how }];
}

function chipKey({ off, pinned }: FilterChip): string {
  if (pinned === true) return off ? "pinoff" : "pin";
  return off ? "off" : "filter";
}

function readParameter(draft: Draft, key: string, value: string): void {
  const read = Object.hasOwn(readers, key) ? readers[key] : undefined;
  if (read === undefined) throw new GrammarError("this page does not know it");
  read(draft, value);
}

function readName(text: string): string {
  const reader = new TokenReader(text);
  const name = reader.word().text;
  reader.end();
  return name;
}

function readOption(text: string): [string, string] {
  const reader = new TokenReader(text);
  const name = reader.word().text;
  reader.expect(":");
  const value = reader.word().text;
  reader.end();
  return [name, value];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GrammarError("it is not JSON");
  }
}

/** The server checks the query; here it must only be an object. */
function readShape(text: string): QueryShape {
  const read = readJson(text);
  if (typeof read !== "object" || read === null || Array.isArray(read)) {
    throw new GrammarError('it is no {"groupBy": …, "aggregates": …}');
  }
  return shapeOf(read as Readonly<Record<string, unknown>>);
}

/** The server checks the expression; here it must only be a column with a name. */
function readDerived(text: string): DerivedColumn {
  const read = readJson(text);
  const isComputed =
    typeof read === "object" &&
    read !== null &&
    "as" in read &&
    typeof read.as === "string" &&
    ["js", "expression", "function"].some((how) => Object.hasOwn(read as object, how));
  if (!isComputed) {
    throw new GrammarError('it is no {"as": …} with "js", "expression" or "function"');
  }
  return read as DerivedColumn;
}

function readTimeZone(value: string): string {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone && value;
  } catch {
    throw new GrammarError(`no time zone is called "${value}"`);
  }
}

function readMs(value: string): number {
  try {
    return durationMs(parseDuration(value));
  } catch {
    throw new GrammarError(`"${value}" is not a duration`);
  }
}

function readCount(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new GrammarError(`"${value}" is not a whole number`);
  return Number(value);
}

function printCompare(compare: CompareState | null): [string, string][] {
  if (compare === null) return [];
  const pairs: [string, string][] = [];
  if (compare.offset !== null) pairs.push(["compare", compare.offset]);
  if (compare.filter === null) return pairs;
  if (compare.filter.length === 0) pairs.push(["vs", ""]);
  for (const filter of compare.filter) pairs.push(["vs", printFilter(filter)]);
  return pairs;
}

function compareOf(offset: string | null, filter: Draft["vs"]): CompareState | null {
  return offset === null && filter === null ? null : { offset, filter };
}

import {
  type AggregateFn,
  type AggregateSpec,
  aggregateFns,
  type FunctionAggregate,
  type RateUnit,
} from "@hadal/sdk";
import { printFilter, readFilter } from "../filter/filterUrl.js";
import { printName, TokenReader } from "../filter/token.js";
import {
  type Aggregate,
  type BuiltIn,
  isRatio,
  ofAllRows,
  type Plain,
  type Ratio,
} from "./aggregate.js";

const fns: ReadonlySet<string> = new Set(aggregateFns);
const rateUnits: ReadonlySet<string> = new Set<RateUnit>(["second", "minute", "hour"]);

/**
 * `count`, `sum:bytes:per=minute`, `p95:latency_us`, `avg:latency_us:as=mean`, `call(covariance:a,b):as=cov`,
 * `if(count|status:ge:500)`, `ratio(sum:bytes|count)`, `ratio(if(count|status:ge:500)|count):percent:as=errors`.
 */
export function printAggregate(spec: Aggregate): string {
  const as = spec.as === undefined ? "" : `:as=${printName(spec.as)}`;
  if (isRatio(spec)) {
    const parts = [spec.of, spec.by].map(printAggregate).join("|");
    return `ratio(${parts})${spec.percent === true ? ":percent" : ""}${as}`;
  }
  if (spec.where !== undefined) {
    return `if(${printAggregate(ofAllRows(spec))}|${printFilter(spec.where)})${as}`;
  }
  if (spec.columns !== undefined) {
    const call = `call(${printName(spec.fn)}:${spec.columns.map(printName).join(",")})`;
    return spec.as === undefined ? call : `${call}:as=${printName(spec.as)}`;
  }
  const parts = [spec.fn === "percentile" ? `p${spec.p}` : spec.fn];
  if (spec.column !== undefined) parts.push(printName(spec.column));
  if (spec.per !== undefined) parts.push(`per=${spec.per}`);
  if (spec.as !== undefined) parts.push(`as=${printName(spec.as)}`);
  return parts.join(":");
}

/** Reads what {@link printAggregate} writes; throws a GrammarError that says where it cannot. */
export function parseAggregate(text: string): Aggregate {
  const reader = new TokenReader(text);
  const spec = readAggregate(reader);
  reader.end();
  return spec;
}

function readAggregate(reader: TokenReader): Aggregate {
  const { text, quoted } = reader.word();
  if (quoted || !reader.take("(")) return readSpec(reader, text);
  if (text === "call") return readCall(reader);
  if (text === "if") return readConditional(reader);
  if (text === "ratio") return readRatio(reader);
  throw reader.fault(`"${text}(" is no aggregate`);
}

/** An aggregate that a ratio may use. */
function readPlain(reader: TokenReader): Plain {
  const spec = readAggregate(reader);
  if (isRatio(spec)) throw reader.fault("a ratio is of aggregates, not of ratios");
  return spec;
}

function readConditional(reader: TokenReader): BuiltIn {
  const spec = readPlain(reader);
  if (spec.columns !== undefined || spec.where !== undefined) {
    throw reader.fault("a condition is of a built-in aggregate");
  }
  reader.expect("|");
  const where = readFilter(reader);
  reader.expect(")");
  return { ...spec, where, ...readAlias(reader) };
}

function readRatio(reader: TokenReader): Ratio {
  const of = readPlain(reader);
  reader.expect("|");
  const by = readPlain(reader);
  reader.expect(")");
  const percent = reader.take(":percent") ? { percent: true as const } : {};
  return { fn: "ratio", of, by, ...percent, ...readAlias(reader) };
}

function readAlias(reader: TokenReader): { readonly as?: string } {
  if (!reader.take(":as=")) return {};
  return { as: reader.word().text };
}

function readCall(reader: TokenReader): FunctionAggregate {
  const fn = reader.word().text;
  const columns: string[] = [];
  if (reader.take(":") && !reader.take(")")) {
    do columns.push(reader.word().text);
    while (reader.take(","));
    reader.expect(")");
  }
  if (!reader.take(":")) return { fn, columns };
  if (reader.word().text !== "as") throw reader.fault("a call takes as= only");
  reader.expect("=");
  return { fn, columns, as: reader.word().text };
}

type SpecDraft = { -readonly [K in keyof AggregateSpec]: AggregateSpec[K] };

function readSpec(reader: TokenReader, name: string): AggregateSpec {
  const spec: SpecDraft = fnOf(reader, name);
  while (reader.take(":")) {
    const word = reader.word();
    if (word.quoted || !reader.take("=")) {
      if (spec.column !== undefined) throw reader.fault("an aggregate has one column");
      spec.column = word.text;
    } else if (word.text === "per") {
      spec.per = readRateUnit(reader);
    } else if (word.text === "as") {
      spec.as = reader.word().text;
    } else {
      throw reader.fault(`"${word.text}=" is not per= or as=`);
    }
  }
  return spec;
}

function fnOf(reader: TokenReader, word: string): AggregateSpec {
  const percentile = /^p(\d+(?:\.\d+)?)$/.exec(word);
  if (percentile !== null) return { fn: "percentile", p: Number(percentile[1]) };
  if (!fns.has(word) || word === "percentile") throw reader.fault(`"${word}" is no aggregate`);
  return { fn: word as AggregateFn };
}

function readRateUnit(reader: TokenReader): RateUnit {
  const unit = reader.word().text;
  if (!rateUnits.has(unit)) throw reader.fault(`"${unit}" is not second, minute or hour`);
  return unit as RateUnit;
}

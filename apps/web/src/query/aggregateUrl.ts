import type { AggregateFn, AggregateSpec, FunctionAggregate, RateUnit } from "@hadal/sdk";
import type { Aggregate } from "./aggregate.js";
import { printName, TokenReader } from "./token.js";

const fns: ReadonlySet<string> = new Set<AggregateFn>([
  "count",
  "count.raw",
  "sum",
  "avg",
  "min",
  "max",
  "percentile",
  "distinct",
  "histogram",
  "stddev",
  "stddev_pop",
  "var_samp",
  "var_pop",
]);
const rateUnits: ReadonlySet<string> = new Set<RateUnit>(["second", "minute", "hour"]);

/** `count`, `sum:bytes:per=minute`, `p95:latency_us`, `avg:latency_us:as=mean`, `call(covariance:a,b):as=cov`. */
export function printAggregate(spec: Aggregate): string {
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
  const first = reader.word();
  const isCall = !first.quoted && first.text === "call" && reader.take("(");
  return isCall ? readCall(reader) : readSpec(reader, first.text);
}

function readCall(reader: TokenReader): FunctionAggregate {
  const fn = reader.word().text;
  const columns: string[] = [];
  if (reader.take(":") && !reader.take(")")) {
    do columns.push(reader.word().text);
    while (reader.take(","));
    reader.expect(")");
  }
  if (!reader.take(":")) {
    reader.end();
    return { fn, columns };
  }
  if (reader.word().text !== "as") throw reader.fault("a call takes as= only");
  reader.expect("=");
  const as = reader.word().text;
  reader.end();
  return { fn, columns, as };
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
  reader.end();
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

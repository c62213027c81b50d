import type { AggregateFn, AggregateSpec, RateUnit } from "@hadal/sdk";
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
]);
const rateUnits: ReadonlySet<string> = new Set<RateUnit>(["second", "minute", "hour"]);

/** `count`, `sum:bytes:per=minute`, `p95:latency_us`, `avg:latency_us:as=mean`. */
export function printAggregate(spec: AggregateSpec): string {
  const parts = [spec.fn === "percentile" ? `p${spec.p}` : spec.fn];
  if (spec.column !== undefined) parts.push(printName(spec.column));
  if (spec.per !== undefined) parts.push(`per=${spec.per}`);
  if (spec.as !== undefined) parts.push(`as=${printName(spec.as)}`);
  return parts.join(":");
}

/** Reads what {@link printAggregate} writes; throws a GrammarError that says where it cannot. */
export function parseAggregate(text: string): AggregateSpec {
  const reader = new TokenReader(text);
  const spec: { -readonly [K in keyof AggregateSpec]: AggregateSpec[K] } = readFn(reader);
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

function readFn(reader: TokenReader): AggregateSpec {
  const word = reader.word().text;
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

import type { Having, Query } from "@hadal/sdk";
import { aggregateName, isFunctionAggregate, rawCountName } from "@hadal/sdk";
import { columnOfGroup, groupName } from "../query/groupKeys.js";
import type { SeededRandom } from "../seed/seededRandom.js";
import type { OracleTable } from "../table/oracleTable.js";
import { columnOf } from "../table/oracleTable.js";

const comparisons = ["=", "!=", "<", "<=", ">", ">="] as const;
const presence = ["is missing", "is present"] as const;
/** Between them lie the counts and sums of small groups and of large ones. */
const wholes = [0, 1, 2, 5, 12, 40, 150, 1000, -3, 250_000];
/** No float comes out as one of these, whatever the order in which it was added up. */
const oddNumbers = [-50.123_457, -0.000_123_7, 0.500_001_3, 3.241_592_7, 77.700_013, 1234.567_89];

/** The query, or one in four with conditions on its result's rows. */
export function withHaving(table: OracleTable, query: Query, random: SeededRandom): Query {
  if (!random.chance(0.25)) return query;
  const columns = [...keyColumns(table, query), ...numberColumns(query)];
  if (columns.length === 0) return query;
  const chosen = random.sample(columns, random.pick([1, 1, 2]));
  return { ...query, having: chosen.map((column) => randomCondition(column, random)) };
}

interface HavingColumn {
  readonly name: string;
  readonly kind: "string" | "list" | "exact" | "float";
}

function keyColumns(table: OracleTable, query: Query): HavingColumn[] {
  return (query.groupBy ?? []).map((by) => {
    const name = groupName(by);
    const { type } = columnOf(table, columnOfGroup(by));
    if (type === "int") return { name, kind: "exact" };
    const byElement = typeof by !== "string" && "element" in by;
    const isList = !byElement && (type === "set" || type === "vector");
    return { name, kind: isList ? "list" : "string" };
  });
}

/** Percentiles and deviations are near what they should be: which side of a bound they fall on is chance. */
function numberColumns(query: Query): HavingColumn[] {
  const compares = query.compare !== undefined;
  return (query.aggregates ?? [{ fn: "count" as const }]).flatMap((spec): HavingColumn[] => {
    if (isFunctionAggregate(spec)) return [];
    if (spec.fn === "percentile" || spec.fn === "stddev" || spec.fn === "histogram") return [];
    const name = aggregateName(spec);
    const kind = spec.fn === "avg" || spec.per !== undefined ? "float" : "exact";
    return [
      { name, kind },
      ...(spec.fn === "count" ? [{ name: rawCountName(spec), kind: "exact" } as const] : []),
      ...(compares
        ? [
            { name: `${name}.compare`, kind } as const,
            { name: `${name}.delta`, kind } as const,
            { name: `${name}.delta_pct`, kind: "float" } as const,
          ]
        : []),
    ];
  });
}

function randomCondition({ name, kind }: HavingColumn, random: SeededRandom): Having {
  if (kind === "list" || random.chance(0.15)) return { column: name, op: random.pick(presence) };
  const op = random.pick(comparisons);
  switch (kind) {
    case "string":
      return { column: name, op, value: random.pick(["", "b", "m", "value 3", "\u{1f600}", "é"]) };
    case "float":
      return { column: name, op, value: random.pick(oddNumbers) };
    default:
      return { column: name, op, value: random.pick([...wholes, 0.5, 12.25, "7.5"]) };
  }
}

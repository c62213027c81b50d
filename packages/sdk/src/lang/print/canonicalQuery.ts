import { aggregateName } from "../../model/aggregate.js";
import { exactNumber } from "../../model/exactNumber.js";
import type { Expression } from "../../model/expression.js";
import type { ColumnFilter, Filter } from "../../model/filter.js";
import type {
  CalculatedColumn,
  ColumnGroup,
  Compare,
  DerivedColumn,
  GroupBy,
  NumberBucket,
  OrderBy,
  Query,
  SampleView,
} from "../../model/query.js";
import { timeColumn } from "../../model/schema.js";
import { decimalConstant } from "../base/literal.js";
import { sameText } from "../base/sameText.js";
import { defaultGroupName } from "../lower/lowerGroup.js";
import { aggregateKey } from "../lower/selection.js";

/**
 * The query without redundant parts: those at their default, empty lists, lists of one alternative.
 * The rest means the same, and is what reading its SQL gives.
 */
export function canonicalQuery(query: Query): Query {
  const { table, from, to } = query;
  const rows = query.sampleView ?? null;
  // Raw rows have no groups: what else is asked of them is not looked at.
  const grouped: Partial<Query> = rows === null ? query : {};
  const parts: { -readonly [K in keyof Query]?: Query[K] | undefined } = {
    timeZone: query.timeZone,
    filter: listOf(query.filter?.map(canonicalFilter).filter((filter) => !isTrue(filter))),
    derive: listOf(query.derive?.map(canonicalDerived)),
    groupBy: listOf(grouped.groupBy?.map(canonicalGroup)),
    aggregates: listOf(grouped.aggregates) ?? (rows === null ? countedFor(grouped) : undefined),
    calculate: listOf(grouped.calculate?.map((one) => canonicalCalculated(one, grouped))),
    show: rows === null ? canonicalShow(grouped) : canonicalRowsShown(query),
    having: listOf(grouped.having),
    orderBy: listOf(query.orderBy?.map(canonicalOrder)),
    limit: query.limit,
    offset: query.offset === 0 ? undefined : query.offset,
    series: grouped.series ?? undefined,
    compare: canonicalCompare(query),
    sampleView: rows === null ? undefined : canonicalRows(rows, query.show),
    exact: query.exact === true ? true : undefined,
    timeoutMs: query.timeoutMs,
    freshnessMs: query.freshnessMs ?? undefined,
    cache: query.cache === "use" ? undefined : query.cache,
  };
  return { table, from, to, ...withoutAbsent<Omit<Query, "table" | "from" | "to">>(parts) };
}

/** A comparison's empty filter is one: side B then has every row. */
function canonicalCompare({ compare }: Query): Query["compare"] | undefined {
  if (compare === undefined || compare === null) return undefined;
  const filter = compare.filter?.map(canonicalFilter).filter((one) => !isTrue(one));
  return withoutAbsent<Compare>({ offset: compare.offset, filter });
}

/** What is shown is what rows have; the time comes first where nothing says what is. */
function canonicalRows({ columns }: SampleView, show: Query["show"]): SampleView {
  if (show !== undefined && show.length > 0) return { columns: show };
  if (columns === undefined || columns === null) return {};
  // The time is shown in any case, and nothing twice.
  const named = new Set(columns);
  return { columns: named.has(timeColumn) ? [...named] : [timeColumn, ...named] };
}

/** Of rows without their time all is named that is shown. */
function canonicalRowsShown({ show }: Query): Query["show"] {
  return show === undefined || show.includes(timeColumn) ? undefined : listOf(show);
}

function canonicalOrder({ by, desc, nulls }: OrderBy): OrderBy {
  const order = desc === true ? { by, desc } : { by };
  const isUsual = nulls === undefined || (nulls === "first") === (desc === true);
  return isUsual ? order : { ...order, nulls };
}

function canonicalGroup(group: GroupBy): GroupBy {
  if (typeof group === "string") return group;
  if ("column" in group && group.as === undefined) return group.column;
  if (!("bucket" in group)) return withoutAbsent<typeof group>(group);
  const { scale, width, edges, ...rest } = group;
  return withoutAbsent<NumberBucket>({
    ...rest,
    scale: scale === "linear" ? undefined : scale,
    width: width === undefined ? undefined : exactNumber(width),
    edges: edges?.map(exactNumber),
  });
}

/** Without aggregates a query counts; in SQL the count is written, unless only groups are shown. */
function countedFor({ calculate = [], groupBy = [], show }: Partial<Query>): Query["aggregates"] {
  const names = new Set(groupBy.map(groupName));
  const isOfGroups = calculate.length === 0 && show?.every((name) => names.has(name));
  return isOfGroups === true ? undefined : [{ fn: "count" }];
}

/** Of aggregates and groups that are the same but for their names a calculation has the first. */
function canonicalCalculated(
  { as, expression }: CalculatedColumn,
  { aggregates = [], groupBy = [] }: Partial<Query>,
): CalculatedColumn {
  const first = (name: string): string => {
    const named = aggregates.find((one) => aggregateName(one) === name);
    const key = named === undefined ? "" : aggregateKey(named);
    const same = aggregates.find((one) => aggregateKey(one) === key);
    return same === undefined ? firstGroup(name) : aggregateName(same);
  };
  // A group without alias is named after what it splits by.
  const firstGroup = (name: string): string => {
    const group = groupBy.find((one) => groupName(one) === name);
    if (group === undefined || !isSplit(group) || group.as !== undefined) return name;
    return groupName(groupBy.find((one) => isSplit(one) && isSameSplit(one, group)) ?? group);
  };
  return { as, expression: renamed(canonicalExpression(expression), first) };
}

type Split = Exclude<GroupBy, string | ColumnGroup>;

const isSplit = (group: GroupBy): group is Split =>
  typeof group === "object" && !("column" in group);

function isSameSplit(a: Split, b: Split): boolean {
  const keyOf = (split: Split): string => sameText({ ...(canonicalGroup(split) as Split), as: "" });
  return keyOf(a) === keyOf(b);
}

function renamed(expression: Expression, nameOf: (name: string) => string): Expression {
  if ("column" in expression) return { column: nameOf(expression.column) };
  if (!("fn" in expression)) return expression;
  return { fn: expression.fn, args: expression.args.map((arg) => renamed(arg, nameOf)) };
}

/** What is shown anyway need not be asked for. */
function canonicalShow({ groupBy = [], aggregates = [], calculate = [], show }: Partial<Query>) {
  const names = [
    ...groupBy.map(groupName),
    ...(aggregates.length === 0 ? ["count"] : aggregates.map(aggregateName)),
    ...calculate.map(({ as }) => as),
  ];
  const isAll = names.length === show?.length && names.every((name, i) => name === show[i]);
  return isAll ? undefined : listOf(show);
}

function groupName(group: GroupBy): string {
  if (typeof group === "string") return group;
  return group.as ?? defaultGroupName(group);
}

function canonicalDerived(column: DerivedColumn): DerivedColumn {
  if ("expression" in column) {
    return { as: column.as, expression: canonicalExpression(column.expression) };
  }
  if ("function" in column) {
    return { as: column.as, function: column.function, args: column.args ?? [] };
  }
  return { as: column.as, js: column.js };
}

function canonicalExpression(expression: Expression): Expression {
  if ("integer" in expression) {
    const number = Number(expression.integer);
    const isSafe = Number.isSafeInteger(number);
    return isSafe ? { value: number + 0 } : { integer: BigInt(expression.integer).toString() };
  }
  if ("decimal" in expression) return decimalConstant(expression.decimal);
  if (!("fn" in expression)) return expression;
  const args = expression.args.map(canonicalExpression);
  const [only] = args;
  const isChain = expression.fn === "and" || expression.fn === "or";
  return isChain && args.length === 1 && only !== undefined ? only : { fn: expression.fn, args };
}

function canonicalFilter(filter: Filter): Filter {
  if ("not" in filter) return { not: canonicalFilter(filter.not) };
  if ("any" in filter) return canonicalList(filter.any, "any");
  if ("all" in filter) return canonicalList(filter.all, "all");
  return withoutAbsent<ColumnFilter>(filter);
}

function canonicalList(filters: readonly Filter[], kind: "any" | "all"): Filter {
  const parts = filters.map(canonicalFilter);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  return kind === "any" ? { any: parts } : { all: parts };
}

function isTrue(filter: Filter): boolean {
  return "all" in filter && filter.all.length === 0;
}

function listOf<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined || list.length === 0 ? undefined : list;
}

/** The object without keys that are there but undefined. */
function withoutAbsent<T extends object>(object: object): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}

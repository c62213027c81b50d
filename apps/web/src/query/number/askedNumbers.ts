import type {
  AggregateSpec,
  DerivedColumn,
  Expression,
  FunctionAggregate,
  Query,
} from "@hadal/sdk";
import { expressionOf } from "../filter/filterExpression.js";
import { resultName } from "../filter/groupFilter.js";
import { filterLabel } from "../filter/operators.js";
import {
  type Aggregate,
  type BuiltIn,
  isRatio,
  ofAllRows,
  type Plain,
  type Ratio,
} from "./aggregate.js";
import { numberName } from "./labels.js";

/** A query whose numbers may need more than one aggregate each. */
export type NumbersQuery = Omit<Query, "aggregates"> & {
  readonly aggregates?: readonly Aggregate[];
};

/** A condition is a column per row, a ratio is calculated of two aggregates that are not shown for it. */
export function askedNumbers(query: NumbersQuery): Query {
  const { aggregates: numbers, ...rest } = query;
  if (numbers === undefined) return rest;
  const derived = createDerived(query.derive ?? []);
  const asked = new Map<string, AggregateSpec | FunctionAggregate>();
  const add = (spec: Plain): string => {
    const name = numberName(spec);
    asked.set(name, askedPlain(spec, name, derived));
    return name;
  };
  for (const spec of numbers) if (!isRatio(spec)) add(spec);
  const ratios = numbers.filter(isRatio);
  const calculate = ratios.map((spec) => {
    const [of, by] = [add(spec.of), add(spec.by)];
    return { as: numberName(spec), expression: quotient(spec, of, by) };
  });
  const groups = (query.groupBy ?? []).map(resultName);
  return {
    ...rest,
    ...(derived.list.length > 0 && { derive: derived.list }),
    aggregates: [...asked.values()],
    ...(ratios.length > 0 && {
      calculate: [...(query.calculate ?? []), ...calculate],
      show: [...groups, ...numbers.map(numberName)],
    }),
  };
}

function quotient({ percent }: Ratio, of: string, by: string): Expression {
  const ratio: Expression = { fn: "/", args: [{ column: of }, { column: by }] };
  return percent === true ? { fn: "*", args: [ratio, { value: 100 }] } : ratio;
}

function askedPlain(
  spec: Plain,
  name: string,
  derived: ReturnType<typeof createDerived>,
): AggregateSpec | FunctionAggregate {
  if (spec.columns !== undefined || spec.where === undefined) return spec;
  const column = derived.where(spec);
  return { ...ofAllRows(spec), column, as: name };
}

/** The derived columns of the query and those for conditions, each once. */
function createDerived(own: readonly DerivedColumn[]) {
  const list: DerivedColumn[] = [...own];
  const names = new Map<string, string>();
  const add = (wanted: string, expression: Expression): string => {
    const key = JSON.stringify(expression);
    const known = names.get(key);
    if (known !== undefined) return known;
    let as = wanted;
    for (let i = 2; list.some((column) => column.as === as); i++) as = `${wanted} ${i}`;
    list.push({ as, expression });
    names.set(key, as);
    return as;
  };
  return {
    get list(): readonly DerivedColumn[] {
      return list;
    },
    /** The column of an aggregate in rows that match its condition; 1 if it counts rows. */
    where({ column, where }: BuiltIn): string {
      if (where === undefined) throw new Error("there is no condition");
      const label = filterLabel(where).slice(0, labelMax);
      const alone = (expression: Expression): string => add(label, expression);
      const condition = expressionOf(where, alone);
      const value = column === undefined ? { value: 1 } : { column };
      // The end of a name determines its unit.
      const name = column === undefined ? `1 where ${label}` : `where ${label}: ${column}`;
      return add(name, { fn: "case", args: [condition, value] });
    },
  };
}

/** Names of columns have an end. */
const labelMax = 100;

/** The numbers of a query as the form has them; null where it has none for one of them. */
export function numbersOfQuery(query: Query): readonly Aggregate[] | null {
  const { aggregates = [], calculate = [], groupBy = [] } = query;
  const plain = new Map(aggregates.map((spec) => [numberName(spec as Plain), spec as Plain]));
  if (calculate.length === 0) return query.show == null ? [...plain.values()] : null;
  const ratios = new Map<string, Ratio>();
  for (const { as, expression } of calculate) {
    const ratio = ratioOf(as, expression, plain);
    if (ratio === null) return null;
    ratios.set(as, ratio);
  }
  const groups = new Set(groupBy.map(resultName));
  const shown = query.show ?? [...plain.keys(), ...ratios.keys()];
  const numbers = shown
    .filter((name) => !groups.has(name))
    .map((name) => plain.get(name) ?? ratios.get(name));
  return numbers.every((spec) => spec !== undefined) ? numbers : null;
}

function ratioOf(
  as: string,
  expression: Expression,
  plain: ReadonlyMap<string, Plain>,
): Ratio | null {
  const whole = productOf(expression);
  const { fn, args } = whole.term;
  const [left, right] = (args ?? []).map((arg) =>
    "column" in arg ? plain.get(arg.column) : undefined,
  );
  if (fn !== "/" || left === undefined || right === undefined) return null;
  const ratio: Ratio = {
    ...{ fn: "ratio", of: left, by: right },
    ...(whole.percent && { percent: true as const }),
  };
  return numberName(ratio) === as ? ratio : { ...ratio, as };
}

/** A term, and whether it is taken times 100. */
function productOf(expression: Expression) {
  const term = "fn" in expression ? expression : { fn: null, args: null };
  if (term.fn !== "*") return { term, percent: false };
  const [inner, factor] = term.args;
  const isPercent = factor !== undefined && "value" in factor && factor.value === 100;
  const isCall = inner !== undefined && "fn" in inner;
  return isPercent && isCall
    ? { term: inner, percent: true }
    : { term: { fn: null, args: null }, percent: false };
}

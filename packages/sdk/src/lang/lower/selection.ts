import {
  type AggregateSpec,
  aggregateName,
  type FunctionAggregate,
  isFunctionAggregate,
  rawCountName,
} from "../../model/aggregate.js";
import type { Expression } from "../../model/expression.js";
import type { CalculatedColumn, GroupBy } from "../../model/query.js";
import { nameOfExpression } from "../base/printExpression.js";
import { sameText } from "../base/sameText.js";
import type { LoweredGroup } from "./lowerGroup.js";
import type { Lowering } from "./lowering.js";

type Aggregate = AggregateSpec | FunctionAggregate;

export interface NamedGroup {
  readonly group: Exclude<GroupBy, string>;
  readonly name: string;
}

/**
 * Groups, aggregates and calculations of a statement with the names of their result columns.
 * HAVING, ORDER BY and calculations add what they need.
 */
export class Selection {
  readonly groups: NamedGroup[] = [];
  readonly aggregates: Aggregate[] = [];
  readonly calculate: CalculatedColumn[] = [];
  /** Names of the result columns of the selected items, in their order. */
  readonly itemNames: string[] = [];
  timeZone: LoweredGroup["timeZone"] = null;

  /** Which result columns are shown; null: those that would be anyway. */
  get show(): readonly string[] | null {
    const all = this.#names();
    const isAll = all.length === this.itemNames.length;
    if (this.itemNames.length === 0) return null;
    return isAll && all.every((name, i) => name === this.itemNames[i]) ? null : this.itemNames;
  }

  /** Name of an aggregate's result column; null when there is none. */
  nameOf(spec: Aggregate): string | null {
    const key = aggregateKey(spec);
    const found = this.aggregates.find((one) => aggregateKey(one) === key);
    if (found !== undefined) return aggregateName(found);
    // Every count of rows brings its raw count along.
    if (isFunctionAggregate(spec) || spec.fn !== "count.raw") return null;
    const count = this.aggregates.find(isCountOfRows);
    return count === undefined ? null : rawCountName(count);
  }

  /** The same; the aggregate is added when it is missing. */
  nameOfNeeded(spec: Aggregate, at: number, lowering: Lowering): string {
    const known = this.#find(spec);
    if (known !== null) return known;
    const path = `aggregates[${this.aggregates.length}]`;
    for (const part of ["", ".fn", ".column"]) lowering.mark(path + part, at);
    const name = aggregateName(spec);
    const as = this.#freeName(name);
    this.aggregates.push(as === name ? spec : { ...spec, as });
    return as;
  }

  /** Name of a calculated column, which is added when there is none like it. */
  nameOfCalculated(
    expression: Expression,
    alias: string | null,
    add: (path: string) => void,
  ): string {
    const as = alias ?? nameOfExpression(expression);
    const key = sameText(expression);
    const found = this.calculate.find(
      (one) => sameText(one.expression) === key && (alias === null || one.as === alias),
    );
    if (found !== undefined) return found.as;
    add(`calculate[${this.calculate.length}]`);
    this.calculate.push({ as, expression });
    return as;
  }

  /** The aggregate or calculation with this alias; null when there is none. */
  selectedAs(name: string): Expression | null {
    if (this.aggregates.some((one) => aggregateName(one) === name)) return { column: name };
    return this.calculate.find(({ as }) => as === name)?.expression ?? null;
  }

  /** Raw counts come along where a count is shown, and are no columns to calculate with. */
  #find(spec: Aggregate): string | null {
    const key = aggregateKey(spec);
    const found = this.aggregates.find((one) => aggregateKey(one) === key);
    return found === undefined ? null : aggregateName(found);
  }

  #names(): readonly string[] {
    return [
      ...this.groups.map(({ name }) => name),
      ...this.aggregates.map(aggregateName),
      ...this.calculate.map(({ as }) => as),
    ];
  }

  /** A name for one more column that would be called so: `sum_bytes_2`. */
  nextName(name: string, aliases: readonly string[] = []): string {
    return nextName(name, [...this.#names(), ...this.itemNames, ...aliases]);
  }

  /** An added aggregate must not take a name that the statement uses. */
  #freeName(name: string): string {
    const taken = new Set([...this.#names(), ...this.itemNames]);
    let free = name;
    while (taken.has(free)) free += "_";
    return free;
  }
}

/** The name; when it is taken, with the first free number after it. */
export function nextName(name: string, taken: readonly string[]): string {
  if (!taken.includes(name)) return name;
  let number = 2;
  while (taken.includes(`${name}_${number}`)) number++;
  return `${name}_${number}`;
}

function isCountOfRows(spec: Aggregate): spec is AggregateSpec {
  return !isFunctionAggregate(spec) && spec.fn === "count" && spec.column === undefined;
}

/** A key that equal aggregates share, whatever their aliases. */
export function aggregateKey(spec: Aggregate): string {
  if (isFunctionAggregate(spec)) return JSON.stringify([spec.fn, spec.columns]);
  const { fn, column, p, per } = spec;
  return JSON.stringify([fn, column, p, per]);
}

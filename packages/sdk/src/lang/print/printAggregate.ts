import {
  type AggregateSpec,
  type FunctionAggregate,
  isFunctionAggregate,
} from "../../model/aggregate.js";
import { printName } from "../base/names.js";
import { type PrintColumn, printFunction, printNumber } from "../base/printExpression.js";

export function printAggregate(
  spec: AggregateSpec | FunctionAggregate,
  printColumn: PrintColumn,
): string {
  const as = spec.as === undefined ? "" : ` AS ${printName(spec.as)}`;
  return printAggregateCall(spec, printColumn) + as;
}

export function printAggregateCall(
  spec: AggregateSpec | FunctionAggregate,
  printColumn: PrintColumn,
): string {
  if (isFunctionAggregate(spec)) {
    return `AGGREGATE ${printFunction(spec.fn, spec.columns, printColumn)}`;
  }
  const per = spec.per === undefined ? "" : ` PER ${spec.per.toUpperCase()}`;
  return printCall(spec, printColumn) + per;
}

function printCall({ fn, column, p }: AggregateSpec, printColumn: PrintColumn): string {
  const arg = column === undefined ? "*" : printColumn(column);
  if (fn === "distinct") return `count(DISTINCT ${arg})`;
  return p === undefined ? `${fn}(${arg})` : `${fn}(${arg}, ${printNumber(p)})`;
}

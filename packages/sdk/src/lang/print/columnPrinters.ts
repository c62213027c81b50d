import type { Expression, ExpressionFn } from "../../model/expression.js";
import type { DerivedColumn } from "../../model/query.js";
import { printName } from "../base/names.js";
import {
  type PrintColumn,
  printExpression,
  printFunction,
  printOperand,
} from "../base/printExpression.js";
import type { FilterColumns } from "./printFilter.js";

export function columnPrinters(inPlace: InPlace): FilterColumns & { readonly whole: PrintColumn } {
  const write =
    (printOwn: (expression: Expression) => string): PrintColumn =>
    (name) => {
      const column = inPlace.get(name);
      if (column === undefined || "js" in column) return printName(name);
      if ("expression" in column) return printOwn(column.expression);
      return printFunction(column.function, column.args ?? [], write(printExpression));
    };
  return {
    whole: write((expression) => printExpression(expression)),
    operand: write((expression) => printOperand(expression)),
    condition(name) {
      const column = inPlace.get(name);
      if (column === undefined || !("expression" in column)) return null;
      const { expression } = column;
      const isCondition = "fn" in expression && conditionFns.has(expression.fn);
      return isCondition ? printExpression(expression) : null;
    },
  };
}

/** Results of these are conditions, which WHERE takes as they are. */
const conditionFns: ReadonlySet<ExpressionFn> = new Set<ExpressionFn>([
  ...(["=", "!=", "<", "<=", ">", ">=", "in", "is missing", "is present", "contains"] as const),
  ...(["~", "like", "and", "or", "not", "starts_with", "ends_with"] as const),
]);

export type InPlace = ReadonlyMap<string, DerivedColumn>;

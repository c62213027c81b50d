import {
  type CalculatedColumn,
  type Expression,
  HadalError,
  nearestHint,
  type ResultType,
} from "@hadal/sdk";
import { parseExactDecimal } from "../../base/number/decimalText.js";
import { isDigits, roundedDigits } from "../derive/roundedDigits.js";
import {
  type Calculation,
  type CalculationFn,
  type CalculationType,
  calculationFns,
  productDecimalsMax,
} from "../query/calculation.js";
import { type FinishAggregate, type FinishGroup, numberParts } from "../query/finishPlan.js";
import { typeMismatch, unsupported } from "../schema/tableSchema.js";
import { argPath, type BindCall, bound, isMissing, type UnboundCall } from "./calculationCall.js";
import { textCalculations } from "./textCalculations.js";

interface Scope {
  readonly groups: readonly FinishGroup[];
  readonly aggregates: readonly FinishAggregate[];
  readonly timeZone: string;
}

/** Binds calculated columns to the query's groups and aggregates. Throws a HadalError that names the path at fault. */
export function resolveCalculations(
  columns: readonly CalculatedColumn[],
  groups: readonly FinishGroup[],
  aggregates: readonly FinishAggregate[],
  timeZone: string,
): readonly FinishAggregate[] {
  return columns.map(({ as, expression }, i): FinishAggregate => {
    const path = `calculate[${i}].expression`;
    const calculation = bind(expression, path, { groups, aggregates, timeZone });
    const { decimals } = calculation;
    return {
      name: as,
      type: resultType(calculation),
      decimals: calculation.type === "exact" ? decimals : 0,
      unit: undefined,
      // It has no state itself: state 0 gives the count of its group's rows.
      value: { kind: "calculated", stateIndex: 0, calculation, path },
      // It is calculated of complete groups only.
      rankBy: null,
      spreadIndex: null,
      compared: resultType(calculation) === "string" ? ["compare"] : numberParts,
    };
  });
}

function resultType({ type, decimals }: Calculation): ResultType {
  if (type === "exact") return decimals > 0 ? "decimal" : "int";
  return type === "float" ? "float" : "string";
}

function bind(expression: Expression, path: string, scope: Scope): Calculation {
  if ("column" in expression) return bindColumn(expression.column, `${path}.column`, scope);
  if ("integer" in expression) return exactConstant(BigInt(expression.integer), 0);
  if ("decimal" in expression) return bindNumber(expression.decimal);
  if ("value" in expression) return bindConstant(expression.value);
  const fn = calculationFns.find((known) => known === expression.fn);
  if (fn === undefined) {
    const what = `${expression.fn} in a calculation with aggregates`;
    throw unsupported(`${path}.fn`, what, `Use ${calculationFns.join(", ")}; derive the rest.`);
  }
  const args = expression.args.map((arg, i) => bind(arg, `${path}.args[${i}]`, scope));
  return calls[fn]({ fn, args, path, timeZone: scope.timeZone });
}

function bindColumn(name: string, path: string, { groups, aggregates }: Scope): Calculation {
  const index = aggregates.findIndex((one) => one.name === name && one.value.kind !== "calculated");
  const aggregate = aggregates[index];
  if (aggregate !== undefined) {
    if (aggregate.type === "histogram") {
      throw typeMismatch(path, `${name} is a histogram, which is no number to calculate with.`);
    }
    return { kind: "aggregate", index, ...typeOf(aggregate.type, aggregate.decimals) };
  }
  const groupIndex = groups.findIndex((one) => one.name === name);
  const group = groups[groupIndex];
  if (group === undefined) {
    const known = [...aggregates, ...groups].map((one) => one.name);
    const detail = `No group and no aggregate of the query is called "${name}".${nearestHint(name, known)}`;
    throw new HadalError("invalid-query", { detail }, [
      { path, code: "unknown-result-column", detail },
    ]);
  }
  if (group.type === "set" || group.type === "vector") {
    throw typeMismatch(path, `${name} is a list, which is nothing to calculate with.`);
  }
  return { kind: "key", groupIndex, ...typeOf(group.type, group.decimals) };
}

function typeOf(
  type: ResultType,
  decimals: number,
): { readonly type: CalculationType; readonly decimals: number } {
  if (type === "float") return { type: "float", decimals: 0 };
  if (type === "string") return { type: "text", decimals: 0 };
  return { type: "exact", decimals: type === "decimal" ? decimals : 0 };
}

function bindConstant(value: string | number | boolean | null): Calculation {
  if (typeof value === "string") return { kind: "constant", value, type: "text", decimals: 0 };
  if (typeof value === "boolean") return { kind: "constant", value, type: "truth", decimals: 0 };
  if (value === null) return { kind: "constant", value, type: "exact", decimals: 0 };
  return bindNumber(String(value));
}

function bindNumber(text: string): Calculation {
  const exact = parseExactDecimal(text);
  if (exact !== null && exact.scale <= 18 && BigInt.asIntN(64, exact.digits) === exact.digits)
    return exactConstant(exact.digits, exact.scale);
  return { kind: "constant", value: Number(text), type: "float", decimals: 0 };
}

function exactConstant(value: bigint, decimals: number): Calculation {
  return { kind: "constant", value, type: "exact", decimals };
}

/** How each call gets its type. */
const calls: { readonly [Fn in CalculationFn]: BindCall } = {
  ...textCalculations,
  "+": arithmetic,
  "-": arithmetic,
  "*": bindProduct,
  "/": ofDoubles,
  "%": arithmetic,
  negate: arithmetic,
  abs: arithmetic,
  sign: bindSign,
  sqrt: ofDoubles,
  power: ofDoubles,
  floor: bindRounded,
  ceil: bindRounded,
  round: bindRounded,
  trunc: bindRounded,
  to_decimal: bindDecimal,
  least: ofOneType,
  greatest: ofOneType,
  coalesce: ofOneType,
  nullif: bindNullIf,
  case: bindCase,
  and: ofTruths,
  or: ofTruths,
  not: ofTruths,
  "is missing": (unbound) => bound(unbound, "truth"),
  "is present": (unbound) => bound(unbound, "truth"),
  "=": comparison,
  "!=": comparison,
  "<": comparison,
  "<=": comparison,
  ">": comparison,
  ">=": comparison,
  in: comparison,
};

function arithmetic(unbound: UnboundCall): Calculation {
  return bound(unbound, ...numbers(unbound));
}

function bindProduct(unbound: UnboundCall): Calculation {
  const [type] = numbers(unbound);
  if (type === "float") return bound(unbound, type);
  const [a, b] = unbound.args.map(({ decimals }) => decimals) as [number, number];
  return bound(unbound, type, Math.min(a + b, Math.max(productDecimalsMax, a, b)));
}

function ofDoubles(unbound: UnboundCall): Calculation {
  numbers(unbound);
  return bound(unbound, "float");
}

function bindSign(unbound: UnboundCall): Calculation {
  numbers(unbound);
  return bound(unbound, "exact");
}

/** A float stays a float of that many digits, since it may be too large for an integer. */
function bindRounded(unbound: UnboundCall): Calculation {
  const [first, second] = unbound.args as [Calculation, Calculation?];
  const [type, decimals] = numbers({ ...unbound, args: [first] });
  const kept = second === undefined ? 0 : digitsOf(second, unbound);
  return bound(unbound, type, type === "float" ? kept : Math.min(kept, decimals));
}

/** As CAST rounds. Without digits a number stays as it is, since `/` gives a fraction anyway. */
function bindDecimal(unbound: UnboundCall): Calculation {
  const [value, digits] = unbound.args as [Calculation, Calculation?];
  const kept = digits === undefined ? null : digitsOf(digits, unbound);
  if (kept === null && value.type === "exact") return value;
  return kept === null ? bound(unbound, "float") : bound(unbound, "exact", kept);
}

function ofOneType(unbound: UnboundCall): Calculation {
  const { args, path } = unbound;
  return bound(unbound, ...commonType(args, path));
}

function bindNullIf(unbound: UnboundCall): Calculation {
  const { args, path } = unbound;
  const [type] = commonType(args, path);
  return isNumber(type) ? bound(unbound, ...widest(args.slice(0, 1))) : bound(unbound, type);
}

function bindCase(unbound: UnboundCall): Calculation {
  const { args, path } = unbound;
  const isCondition = (i: number): boolean => i % 2 === 0 && i < args.length - 1;
  expectTruths({ ...unbound, args: args.filter((_, i) => isCondition(i)) });
  const values = args.filter((_, i) => !isCondition(i));
  return bound(unbound, ...commonType(values, path));
}

function ofTruths(unbound: UnboundCall): Calculation {
  expectTruths(unbound);
  return bound(unbound, "truth");
}

function comparison(unbound: UnboundCall): Calculation {
  commonType(unbound.args, unbound.path);
  return bound(unbound, "truth");
}

function digitsOf(term: Calculation, unbound: UnboundCall): number {
  const digits = term.kind === "constant" && term.decimals === 0 ? Number(term.value ?? -1) : -1;
  if (term.type !== "exact" || !isDigits(digits)) {
    throw typeMismatch(argPath(unbound, 1), roundedDigits);
  }
  return digits;
}

type TypeAndDecimals = readonly [CalculationType, number];

function numbers(unbound: UnboundCall): TypeAndDecimals {
  const { fn, args } = unbound;
  const wrong = args.findIndex(({ type }) => !isNumber(type));
  if (wrong >= 0) throw typeMismatch(argPath(unbound, wrong), `${fn} calculates with numbers.`);
  return widest(args);
}

function isNumber(type: CalculationType): boolean {
  return type === "exact" || type === "float";
}

/** The type that all present values share; exact numbers and floats are one type. */
function commonType(values: readonly Calculation[], path: string): TypeAndDecimals {
  const kindOf = ({ type }: Calculation): string => (type === "float" ? "exact" : type);
  const known = values.filter((term) => !isMissing(term));
  if (new Set(known.map(kindOf)).size > 1) {
    throw typeMismatch(path, "These are compared or chosen among, and are not of one type.");
  }
  const [first] = known;
  if (first !== undefined && !isNumber(first.type)) return [first.type, 0];
  return widest(values);
}

function widest(terms: readonly Calculation[]): TypeAndDecimals {
  if (terms.some(({ type }) => type === "float")) return ["float", 0];
  return ["exact", Math.max(0, ...terms.map(({ decimals }) => decimals))];
}

function expectTruths({ fn, args, path }: UnboundCall): void {
  const wrong = args.find((term) => term.type !== "truth" && !isMissing(term));
  if (wrong !== undefined) throw typeMismatch(path, `${fn} takes conditions, such as count > 10.`);
}

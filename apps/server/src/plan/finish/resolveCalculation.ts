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
import { bindTextCall, isNothing } from "./calculatedText.js";

interface Scope {
  readonly groups: readonly FinishGroup[];
  readonly aggregates: readonly FinishAggregate[];
  /** Of calendars. */
  readonly zone: string;
}

/** Binds calculated columns to the query's groups and aggregates. Throws a HadalError that names the path at fault. */
export function resolveCalculations(
  columns: readonly CalculatedColumn[],
  groups: readonly FinishGroup[],
  aggregates: readonly FinishAggregate[],
  zone: string,
): readonly FinishAggregate[] {
  return columns.map(({ as, expression }, i): FinishAggregate => {
    const path = `calculate[${i}].expression`;
    const calculation = bind(expression, path, { groups, aggregates, zone });
    const { decimals } = calculation;
    return {
      name: as,
      type: resultType(calculation),
      decimals: calculation.type === "exact" ? decimals : 0,
      unit: undefined,
      // Of its own it has no state: the rows of its groups are all it stands on.
      value: { kind: "calculated", stateIndex: 0, calculation, path },
      // It is made of whole groups alone.
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
  const text = bindTextCall(fn, args, path, scope.zone);
  return text ?? bindCall(fn, args, path);
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

/** What each function takes and gives. Long: one branch for each. */
function bindCall(fn: CalculationFn, args: readonly Calculation[], path: string): Calculation {
  const call = (type: CalculationType, decimals = 0): Calculation => ({
    ...{ kind: "call", fn, args, type, decimals },
  });
  const [first, second] = args as [Calculation, Calculation];
  switch (fn) {
    case "+":
    case "-":
    case "%":
    case "negate":
    case "abs":
      return call(...numbers(fn, args, path));
    case "*": {
      const [type] = numbers(fn, args, path);
      const { decimals: a } = first;
      const { decimals: b } = second;
      return call(type, type === "float" ? 0 : Math.min(a + b, Math.max(productDecimalsMax, a, b)));
    }
    case "/":
      numbers(fn, args, path);
      return call("float");
    case "least":
    case "greatest":
      return call(...alike(args, args, path));
    case "sign":
      numbers(fn, args, path);
      return call("exact");
    case "sqrt":
    case "power":
      numbers(fn, args, path);
      return call("float");
    case "to_decimal":
      return bindDecimal(args, path, call);
    case "floor":
    case "ceil":
    case "round":
    case "trunc": {
      const [type, decimals] = numbers(fn, [first], path);
      const kept = second === undefined ? 0 : digitsOf(second, path);
      // A float is one still, of that many digits: what is too large for an integer may be rounded too.
      return call(type, type === "float" ? kept : Math.min(kept, decimals));
    }
    case "coalesce":
    case "nullif":
      return call(...alike(fn === "nullif" ? [first] : args, args, path));
    case "case": {
      const values = args.filter((_, i) => i % 2 === 1 || i === args.length - 1);
      expectTruth(
        args.filter((_, i) => i % 2 === 0 && i < args.length - 1),
        fn,
        path,
      );
      return call(...alike(values, values, path));
    }
    case "and":
    case "or":
    case "not":
      expectTruth(args, fn, path);
      return call("truth");
    case "is missing":
    case "is present":
      return call("truth");
    default:
      alike(args, args, path);
      return call("truth");
  }
}

/** As CAST rounds. Without digits a number stays as it is: `/` gives a fraction in any case. */
function bindDecimal(
  [value, digits]: readonly Calculation[],
  path: string,
  call: (type: CalculationType, decimals?: number) => Calculation,
): Calculation {
  const kept = digits === undefined ? null : digitsOf(digits, path);
  if (kept === null && value!.type === "exact") return value!;
  return kept === null ? call("float") : call("exact", kept);
}

function digitsOf(term: Calculation, path: string): number {
  const digits = term.kind === "constant" && term.decimals === 0 ? Number(term.value ?? -1) : -1;
  if (term.type !== "exact" || !isDigits(digits)) {
    throw typeMismatch(`${path}.args[1]`, roundedDigits);
  }
  return digits;
}

function numbers(
  fn: string,
  args: readonly Calculation[],
  path: string,
): readonly [CalculationType, number] {
  const wrong = args.findIndex(({ type }) => type !== "exact" && type !== "float");
  if (wrong >= 0) throw typeMismatch(`${path}.args[${wrong}]`, `${fn} calculates with numbers.`);
  return widest(args);
}

/** Numbers of all kinds are alike. */
function alike(
  shown: readonly Calculation[],
  all: readonly Calculation[],
  path: string,
): readonly [CalculationType, number] {
  const kindOf = ({ type }: Calculation): string => (type === "float" ? "exact" : type);
  const known = all.filter((term) => !isNothing(term));
  if (new Set(known.map(kindOf)).size > 1) {
    throw typeMismatch(path, "These are compared or chosen among, and are not of one type.");
  }
  const [first] = known;
  if (first !== undefined && kindOf(first) !== "exact") return [first.type, 0];
  return widest(shown);
}

function widest(terms: readonly Calculation[]): readonly [CalculationType, number] {
  if (terms.some(({ type }) => type === "float")) return ["float", 0];
  return ["exact", Math.max(0, ...terms.map(({ decimals }) => decimals))];
}

function expectTruth(args: readonly Calculation[], fn: string, path: string): void {
  const wrong = args.find((term) => term.type !== "truth" && !isNothing(term));
  if (wrong !== undefined) throw typeMismatch(path, `${fn} takes conditions, such as count > 10.`);
}

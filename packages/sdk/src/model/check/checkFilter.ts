import type { FilterOperator } from "../filter.js";
import { filterDepthMax, filterTermsMax } from "../filter.js";
import { nameFault } from "../name.js";
import { nearestHint } from "../problem/nearestName.js";
import {
  checkKeys,
  checkObject,
  type JsonObject,
  joinPath,
  kindOf,
  notFinite,
  type ProblemList,
} from "../problem/problemList.js";

type ValueShape = "none" | "one" | "text" | "list";

/** Operators, and what is on their right. */
const operators: ReadonlyMap<string, ValueShape> = new Map<FilterOperator, ValueShape>([
  ["=", "one"],
  ["!=", "one"],
  ["<", "one"],
  ["<=", "one"],
  [">", "one"],
  [">=", "one"],
  ["in", "list"],
  ["not in", "list"],
  ["~", "text"],
  ["!~", "text"],
  ["contains", "text"],
  ["is missing", "none"],
  ["is present", "none"],
  ["includes any", "list"],
  ["includes all", "list"],
  ["includes none", "list"],
  ["is empty", "none"],
  ["starts with", "list"],
  ["ends with", "list"],
  ["contains sequence", "list"],
]);

/** Operators that a form may offer. */
export const filterOperators: readonly FilterOperator[] = [...operators.keys()] as FilterOperator[];

/** Operators with this to their right: nothing, one value, a text, or a list of values. */
export function operatorsTaking(shape: ValueShape): FilterOperator[] {
  return filterOperators.filter((operator) => operators.get(operator) === shape);
}

interface FilterCheck {
  readonly problems: ProblemList;
  terms: number;
}

/** Checks a list of filters. Terms are counted over the whole list, values of `in` included. */
export function checkFilters(value: unknown, path: string, problems: ProblemList): void {
  if (value === undefined) return;
  const check: FilterCheck = { problems, terms: 0 };
  checkFilterList(value, path, 1, check);
  if (check.terms > filterTermsMax) {
    problems.add(path, "too-many", `More than ${filterTermsMax} terms (filterTermsMax).`);
  }
}

function checkFilterList(value: unknown, path: string, depth: number, check: FilterCheck): void {
  if (!Array.isArray(value)) {
    check.problems.add(
      path,
      "type-mismatch",
      `Expected a list of filters, found ${kindOf(value)}.`,
    );
    return;
  }
  for (let i = 0; i < value.length && check.terms <= filterTermsMax; i++) {
    checkFilter(value[i], `${path}[${i}]`, depth, check);
  }
}

function checkFilter(value: unknown, path: string, depth: number, check: FilterCheck): void {
  check.terms += 1;
  const { problems } = check;
  if (depth > filterDepthMax) {
    problems.add(path, "too-deep", `Filters nest deeper than ${filterDepthMax} (filterDepthMax).`);
    return;
  }
  const filter = checkObject(value, path, problems);
  if (filter === null) return;
  const kinds = ["column", "any", "all", "not"].filter((key) => filter[key] !== undefined);
  if (kinds.length > 1) {
    problems.add(
      path,
      "ambiguous",
      `A filter has one of column, any, all or not; this one has ${kinds.join(" and ")}.`,
    );
    return;
  }
  switch (kinds[0]) {
    case "any":
    case "all":
      checkKeys(filter, path, [kinds[0]], problems);
      checkFilterList(filter[kinds[0]], joinPath(path, kinds[0]), depth + 1, check);
      return;
    case "not":
      checkKeys(filter, path, ["not"], problems);
      checkFilter(filter.not, joinPath(path, "not"), depth + 1, check);
      return;
    case "column":
      checkColumnFilter(filter, path, check);
      return;
    default:
      checkKeys(filter, path, ["column", "op", "value", "any", "all", "not"], problems);
      problems.add(
        joinPath(path, "column"),
        "missing",
        "A filter needs a column, or any, all or not.",
      );
  }
}

function checkColumnFilter(filter: JsonObject, path: string, check: FilterCheck): void {
  const { problems } = check;
  checkKeys(filter, path, ["column", "op", "value"], problems);
  checkName(filter.column, joinPath(path, "column"), problems);
  const op = filter.op;
  const opPath = joinPath(path, "op");
  if (typeof op !== "string") {
    problems.add(opPath, "missing", `A filter needs an operator such as "="; found ${kindOf(op)}.`);
    return;
  }
  const shape = operators.get(op);
  if (shape === undefined) {
    addUnknownOperator(op, opPath, problems);
    return;
  }
  checkOperand(filter.value, { op, shape }, joinPath(path, "value"), check);
}

function addUnknownOperator(op: string, path: string, problems: ProblemList): void {
  const shown = op.length > 40 ? `${op.slice(0, 40)}…` : op;
  const hint = nearestHint(op, filterOperators);
  problems.add(path, "unknown-operator", `No operator is written "${shown}".${hint}`);
}

function checkOperand(
  value: unknown,
  { op, shape }: { readonly op: string; readonly shape: ValueShape },
  path: string,
  check: FilterCheck,
): void {
  const { problems } = check;
  if (shape === "none") {
    if (value !== undefined) problems.add(path, "unexpected", `"${op}" takes no value.`);
  } else if (value === undefined) {
    problems.add(path, "missing", `"${op}" needs a value.`);
  } else if (shape === "list") {
    checkValueList(value, op, path, check);
  } else if (shape === "text" && typeof value !== "string") {
    problems.add(path, "type-mismatch", `"${op}" needs a string, found ${kindOf(value)}.`);
  } else {
    checkValue(value, op, path, problems);
  }
}

function checkValueList(value: unknown, op: string, path: string, check: FilterCheck): void {
  if (!Array.isArray(value)) {
    check.problems.add(
      path,
      "type-mismatch",
      `"${op}" needs a list of values, found ${kindOf(value)}.`,
    );
    return;
  }
  check.terms += value.length;
  for (let i = 0; i < value.length && i <= filterTermsMax; i++) {
    checkValue(value[i], op, `${path}[${i}]`, check.problems);
  }
}

function checkValue(value: unknown, op: string, path: string, problems: ProblemList): void {
  if (typeof value === "boolean" || typeof value === "bigint") return;
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) {
      problems.add(path, "not-unicode", "The text is not well-formed Unicode.");
    }
    return;
  }
  if (typeof value !== "number") {
    const advice = value === null ? ' Use "is missing" or "is present".' : "";
    problems.add(
      path,
      "type-mismatch",
      `"${op}" needs a string, number or boolean, found ${kindOf(value)}.${advice}`,
    );
    return;
  }
  if (!Number.isFinite(value)) {
    problems.add(path, "not-finite", notFinite(value));
  } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    problems.add(
      path,
      "unsafe-integer",
      `A JSON number beyond 2^53 has lost digits before it gets here: write it as a decimal string, such as "9007199254740993".`,
    );
  }
}

/** Adds what is wrong with a name to `problems`; true when it can be used. */
export function checkName(value: unknown, path: string, problems: ProblemList): value is string {
  if (typeof value !== "string") {
    const missing = value === undefined;
    problems.add(
      path,
      missing ? "missing" : "type-mismatch",
      `Expected a name, found ${kindOf(value)}.`,
    );
    return false;
  }
  const fault = nameFault(value);
  if (fault !== null) problems.add(path, "invalid-name", fault);
  return fault === null;
}

import { nearestHint } from "../problem/nearestName.js";
import {
  checkKeys,
  checkList,
  checkObject,
  joinPath,
  kindOf,
  notFinite,
  type ProblemList,
} from "../problem/problemList.js";
import { type HavingOperator, havingMax } from "../query.js";
import { checkResultName, type ResultNames } from "./resultNames.js";

type ValueShape = "none" | "one";

/** Operators, and what is on their right. */
const operators: ReadonlyMap<string, ValueShape> = new Map<HavingOperator, ValueShape>([
  ["=", "one"],
  ["!=", "one"],
  ["<", "one"],
  ["<=", "one"],
  [">", "one"],
  [">=", "one"],
  ["is missing", "none"],
  ["is present", "none"],
]);

/**
 * Checks the conditions on result rows; the types of their columns are known when the query is
 * resolved.
 */
export function checkHaving(value: unknown, known: ResultNames, problems: ProblemList): void {
  const list = checkList(value, "having", havingMax, problems) ?? [];
  if (list.length > 0 && known.isSample) {
    const detail = "`having` chooses among groups: raw rows are chosen by `filter`.";
    problems.add("having", "unexpected", detail);
    return;
  }
  for (const [i, one] of list.entries()) checkCondition(one, `having[${i}]`, known, problems);
}

function checkCondition(
  value: unknown,
  path: string,
  known: ResultNames,
  problems: ProblemList,
): void {
  const having = checkObject(value, path, problems);
  if (having === null) return;
  checkKeys(having, path, ["column", "op", "value"], problems);
  const shape = checkOperator(having.op, joinPath(path, "op"), problems);
  if (shape !== null) checkValue(having.value, shape, joinPath(path, "value"), problems);
  const { column } = having;
  const columnPath = joinPath(path, "column");
  if (typeof column !== "string") {
    const detail = `Expected the name of a result column, found ${kindOf(column)}.`;
    problems.add(columnPath, "missing", detail);
    return;
  }
  if (known.histograms.has(column)) {
    const detail = `${column} is a histogram, which compares with nothing: use a number, such as a percentile.`;
    problems.add(columnPath, "type-mismatch", detail);
    return;
  }
  checkResultName(column, columnPath, known, problems);
}

/** What the operator takes; null after a problem was added: there is no such operator. */
function checkOperator(op: unknown, path: string, problems: ProblemList): ValueShape | null {
  if (typeof op !== "string") {
    const detail = `A condition needs an operator such as ">"; found ${kindOf(op)}.`;
    problems.add(path, "missing", detail);
    return null;
  }
  const shape = operators.get(op);
  if (shape !== undefined) return shape;
  const shown = op.length > 40 ? `${op.slice(0, 40)}…` : op;
  const hint = nearestHint(op, operators.keys());
  problems.add(path, "unknown-operator", `having knows no operator "${shown}".${hint}`);
  return null;
}

function checkValue(value: unknown, shape: ValueShape, path: string, problems: ProblemList): void {
  if (shape === "none") {
    if (value !== undefined) problems.add(path, "unexpected", "This operator takes no value.");
  } else if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) {
      problems.add(path, "not-unicode", "The text is not well-formed Unicode.");
    }
  } else if (typeof value !== "number") {
    const code = value === undefined ? "missing" : "type-mismatch";
    problems.add(path, code, `Expected a number or a string, found ${kindOf(value)}.`);
  } else if (!Number.isFinite(value)) {
    problems.add(path, "not-finite", notFinite(value, "result"));
  } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const detail =
      "A JSON number beyond 2^53 has lost digits before it gets here: write it as a decimal string.";
    problems.add(path, "unsafe-integer", detail);
  }
}

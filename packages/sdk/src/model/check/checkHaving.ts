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

/** Operators, and whether a value stands to their right. */
const operators: ReadonlyMap<string, boolean> = new Map<HavingOperator, boolean>([
  ["=", true],
  ["!=", true],
  ["<", true],
  ["<=", true],
  [">", true],
  [">=", true],
  ["is missing", false],
  ["is present", false],
]);

/** Checks the conditions on result rows; what their columns hold is known when the query is resolved. */
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
  const takesValue = checkOperator(having.op, joinPath(path, "op"), problems);
  if (takesValue !== null) checkValue(having.value, takesValue, joinPath(path, "value"), problems);
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

/** Whether the operator takes a value; null after telling that there is none. */
function checkOperator(op: unknown, path: string, problems: ProblemList): boolean | null {
  if (typeof op !== "string") {
    const detail = `A condition needs an operator such as ">"; found ${kindOf(op)}.`;
    problems.add(path, "missing", detail);
    return null;
  }
  const takesValue = operators.get(op);
  if (takesValue !== undefined) return takesValue;
  const shown = op.length > 40 ? `${op.slice(0, 40)}…` : op;
  const hint = nearestHint(op, operators.keys());
  problems.add(path, "unknown-operator", `having knows no operator "${shown}".${hint}`);
  return null;
}

function checkValue(
  value: unknown,
  takesValue: boolean,
  path: string,
  problems: ProblemList,
): void {
  if (!takesValue) {
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

import {
  deriveMax,
  type ExpressionFn,
  expressionArity,
  expressionDepthMax,
  expressionFns,
  expressionTermsMax,
  expressionTextMax,
  fractionMax,
  functionSourceMax,
  isDecimal,
} from "../expression.js";
import { nearestHint } from "../problem/nearestName.js";
import {
  checkKeys,
  checkList,
  checkObject,
  type JsonObject,
  joinPath,
  kindOf,
  notFinite,
  type ProblemList,
} from "../problem/problemList.js";
import { aggregatesMax } from "../query.js";
import { sampleRateColumn, timeColumn } from "../schema.js";
import { checkName } from "./checkFilter.js";

const ways = ["expression", "js", "function"] as const;

export interface ExpressionCheck {
  readonly problems: ProblemList;
  /** Over all derived columns. */
  terms: number;
}

/** Checks the derived columns: names, one way to compute each, and expressions term by term. */
export function checkDerive(value: unknown, problems: ProblemList): void {
  const list = checkList(value, "derive", deriveMax, problems) ?? [];
  const names = new Set<string>();
  const check: ExpressionCheck = { problems, terms: 0 };
  for (const [i, item] of list.entries()) {
    const path = `derive[${i}]`;
    const column = checkObject(item, path, problems);
    if (column === null) continue;
    checkDerivedName(column.as, joinPath(path, "as"), names, problems);
    const found = ways.filter((way) => column[way] !== undefined);
    const [way] = found;
    if (way === undefined || found.length > 1) {
      const code = way === undefined ? "missing" : "ambiguous";
      const detail = "A derived column has one of expression, js or function.";
      checkKeys(column, path, ["as", "args", ...ways], problems);
      problems.add(path, code, detail);
      continue;
    }
    checkKeys(column, path, way === "function" ? ["as", way, "args"] : ["as", way], problems);
    const wayPath = joinPath(path, way);
    if (way === "expression") checkExpression(column.expression, wayPath, 1, check);
    else if (way === "js") checkSource(column.js, wayPath, problems);
    else {
      checkName(column.function, wayPath, problems);
      checkArguments(column.args, joinPath(path, "args"), problems);
    }
  }
  if (check.terms > expressionTermsMax) {
    const detail = `More than ${expressionTermsMax} terms (expressionTermsMax).`;
    problems.add("derive", "too-many", detail);
  }
}

function checkDerivedName(
  name: unknown,
  path: string,
  names: Set<string>,
  problems: ProblemList,
): void {
  if (!checkName(name, path, problems)) return;
  if (name === timeColumn || name === sampleRateColumn) {
    problems.add(
      path,
      "duplicate-name",
      `${name} is a column of every table: choose another name.`,
    );
  } else if (names.has(name)) {
    problems.add(path, "duplicate-name", `Two derived columns are called "${name}".`);
  }
  names.add(name);
}

function checkSource(source: unknown, path: string, problems: ProblemList): void {
  if (typeof source !== "string") {
    const detail = `js is a function of the row, such as "(row) => row.bytes / 1024"; found ${kindOf(source)}.`;
    problems.add(path, "type-mismatch", detail);
  } else if (source.length > functionSourceMax) {
    const detail = `The function has ${source.length} characters; at most ${functionSourceMax} (functionSourceMax).`;
    problems.add(path, "too-many", detail);
  }
}

function checkArguments(args: unknown, path: string, problems: ProblemList): void {
  const list = checkList(args, path, aggregatesMax, problems) ?? [];
  for (const [i, name] of list.entries()) checkName(name, `${path}[${i}]`, problems);
}

/** Checks an expression, term by term. */
export function checkExpression(
  value: unknown,
  path: string,
  depth: number,
  check: ExpressionCheck,
): void {
  const { problems } = check;
  check.terms += 1;
  if (check.terms > expressionTermsMax) return;
  if (depth > expressionDepthMax) {
    const detail = `Expressions nest deeper than ${expressionDepthMax} (expressionDepthMax).`;
    problems.add(path, "too-deep", detail);
    return;
  }
  const term = checkObject(value, path, problems);
  if (term === null) return;
  const kinds = ["column", "value", "integer", "decimal", "fn"].filter(
    (key) => term[key] !== undefined,
  );
  const [kind] = kinds;
  if (kind === undefined || kinds.length > 1) {
    const detail = "A term has one of column, value, integer, decimal, or fn with args.";
    problems.add(path, kind === undefined ? "missing" : "ambiguous", detail);
    return;
  }
  checkKeys(term, path, kind === "fn" ? ["fn", "args"] : [kind], problems);
  if (kind === "column") checkName(term.column, joinPath(path, "column"), problems);
  else if (kind === "value") checkConstant(term.value, joinPath(path, "value"), problems);
  else if (kind === "integer") checkInteger(term.integer, joinPath(path, "integer"), problems);
  else if (kind === "decimal") checkDecimal(term.decimal, joinPath(path, "decimal"), problems);
  else checkCall(term, path, depth, check);
}

function checkCall(
  { fn, args }: JsonObject,
  path: string,
  depth: number,
  check: ExpressionCheck,
): void {
  const { problems } = check;
  if (typeof fn !== "string" || !expressionFns.includes(fn as ExpressionFn)) {
    const shown = typeof fn === "string" ? `"${fn.slice(0, 40)}"` : kindOf(fn);
    const hint = typeof fn === "string" ? nearestHint(fn.slice(0, 40), expressionFns) : "";
    const detail = `No function of expressions is called ${shown}.${hint}`;
    problems.add(joinPath(path, "fn"), "unknown-function", detail);
    return;
  }
  const argsPath = joinPath(path, "args");
  if (!Array.isArray(args)) {
    problems.add(argsPath, "type-mismatch", `Expected a list, found ${kindOf(args)}.`);
    return;
  }
  const [least, most] = expressionArity[fn as ExpressionFn];
  if (args.length < least || args.length > most) {
    const wanted = least === most ? `${least}` : `${least} to ${most}`;
    const detail = `${fn} takes ${wanted} argument(s); found ${args.length}.`;
    problems.add(argsPath, "wrong-arguments", detail);
    return;
  }
  for (const [i, arg] of args.entries()) {
    checkExpression(arg, `${argsPath}[${i}]`, depth + 1, check);
  }
}

function checkConstant(value: unknown, path: string, problems: ProblemList): void {
  if (value === null || typeof value === "boolean") return;
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) {
      problems.add(path, "not-unicode", "The text is not well-formed Unicode.");
    } else if (value.length > expressionTextMax) {
      const detail = `A text of ${value.length} characters; at most ${expressionTextMax} (expressionTextMax).`;
      problems.add(path, "too-many", detail);
    }
  } else if (typeof value !== "number") {
    const detail = `A value is a string, a number, true, false or null; found ${kindOf(value)}.`;
    problems.add(path, "type-mismatch", detail);
  } else if (!Number.isFinite(value)) {
    problems.add(path, "not-finite", notFinite(value));
  } else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    const detail = `A JSON number beyond 2^53 has lost digits: write it as {"integer": "9007199254740993"}.`;
    problems.add(path, "unsafe-integer", detail);
  }
}

function checkDecimal(value: unknown, path: string, problems: ProblemList): void {
  if (typeof value === "string" && isDecimal(value)) return;
  const detail = `decimal is a number such as "1024.0": a point with at most ${fractionMax} digits behind it, at most 64 bits in all.`;
  problems.add(path, "out-of-range", detail);
}

function checkInteger(value: unknown, path: string, problems: ProblemList): void {
  const isInteger = typeof value === "string" && /^-?\d{1,19}$/.test(value);
  if (isInteger && BigInt.asIntN(64, BigInt(value)) === BigInt(value)) return;
  const shown = typeof value === "string" ? value.slice(0, 40) : kindOf(value);
  const detail = `An integer has 64 bits, which is too few for ${shown}; in JSON it is a decimal string.`;
  problems.add(path, "out-of-range", detail);
}

import type { Expression } from "../expression.js";
import { expressionTermsMax } from "../expression.js";
import { nearestHint } from "../problem/nearestName.js";
import {
  checkKeys,
  checkList,
  checkObject,
  joinPath,
  type ProblemList,
} from "../problem/problemList.js";
import { aggregatesMax, calculateMax, groupByMax } from "../query.js";
import { checkExpression, type ExpressionCheck } from "./checkDerive.js";
import { checkName } from "./checkFilter.js";

/** What calculations and `show` can name. */
export interface NamedResults {
  readonly groups: ReadonlySet<string>;
  readonly aggregates: ReadonlySet<string>;
  /** Whether a name that is not among them is none. */
  readonly complete: boolean;
}

/** Checks the calculated columns; gives the names of those that are sound. */
export function checkCalculate(
  value: unknown,
  known: NamedResults,
  problems: ProblemList,
): readonly string[] {
  const list = checkList(value, "calculate", calculateMax, problems) ?? [];
  const check: ExpressionCheck = { problems, terms: 0 };
  const names = list.flatMap((item, i): string[] => {
    const path = `calculate[${i}]`;
    const column = checkObject(item, path, problems);
    if (column === null) return [];
    checkKeys(column, path, ["as", "expression"], problems);
    const before = problems.count;
    const { as } = column;
    checkName(as, joinPath(path, "as"), problems);
    checkExpression(column.expression, joinPath(path, "expression"), 1, check);
    if (problems.count > before) return [];
    checkColumns(column.expression as Expression, joinPath(path, "expression"), known, problems);
    return [as as string];
  });
  if (check.terms > expressionTermsMax) {
    const detail = `More than ${expressionTermsMax} terms (expressionTermsMax).`;
    problems.add("calculate", "too-many", detail);
  }
  return names;
}

/** A calculation reads groups and aggregates. */
function checkColumns(
  expression: Expression,
  path: string,
  { groups, aggregates, complete }: NamedResults,
  problems: ProblemList,
): void {
  const columns = columnsOf(expression, path);
  for (const { name, path: at } of columns) {
    if (!complete || groups.has(name) || aggregates.has(name)) continue;
    const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
    const hint = nearestHint(name, [...aggregates, ...groups]);
    const detail = `No group and no aggregate of the query is called "${shown}".${hint}`;
    problems.add(joinPath(at, "column"), "unknown-result-column", detail);
  }
}

function columnsOf(
  expression: Expression,
  path: string,
): readonly { readonly name: string; readonly path: string }[] {
  if ("column" in expression) return [{ name: expression.column, path }];
  if (!("fn" in expression)) return [];
  return expression.args.flatMap((arg, i) => columnsOf(arg, `${path}.args[${i}]`));
}

/** Checks which result columns are shown. */
export function checkShow(
  value: unknown,
  { groups, aggregates, complete }: NamedResults,
  calculated: readonly string[],
  problems: ProblemList,
): void {
  if (value === undefined) return;
  const max = groupByMax + aggregatesMax + calculateMax;
  const list = checkList(value, "show", max, problems);
  if (list === null) return;
  if (list.length === 0) problems.add("show", "missing", "A result shows at least one column.");
  const known = new Set([...groups, ...aggregates, ...calculated]);
  const seen = new Set<unknown>();
  for (const [i, name] of list.entries()) {
    const path = `show[${i}]`;
    if (!checkName(name, path, problems)) continue;
    if (seen.has(name)) {
      problems.add(path, "duplicate-name", `"${name}" is shown twice.`);
    } else if (complete && !known.has(name as string)) {
      const shown = (name as string).slice(0, 80);
      const hint = nearestHint(shown, known);
      const detail = `No group, aggregate or calculated column is called "${shown}".${hint}`;
      problems.add(path, "unknown-result-column", detail);
    }
    seen.add(name);
  }
}

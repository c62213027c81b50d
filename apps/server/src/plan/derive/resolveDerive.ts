import { type DerivedColumn, HadalError } from "@hadal/sdk";
import { compileFunction } from "../../function/compile/compileFunction.js";
import { readRowFunction, readValueFunction } from "../../function/compile/functionSource.js";
import { parseFunction } from "../../function/compile/functionSyntax.js";
import type { TypedExpression } from "../../function/term/typedExpression.js";
import type { BoundColumn, ResolvedDerived } from "../query/resolvedQuery.js";
import {
  createTableSchema,
  findColumn,
  type SchemaColumn,
  type TableSchema,
} from "../schema/tableSchema.js";
import { findFunction, type UserFunctions } from "../schema/userFunctions.js";
import { resolveExpression } from "./resolveExpression.js";

export interface DerivedTable {
  /** The table's columns and the derived ones: what the rest of the query is bound to. */
  readonly table: TableSchema;
  readonly derived: readonly ResolvedDerived[];
}

type UnplacedDerived = Omit<ResolvedDerived, "index">;

/** Binds derived columns, each to the table's columns and to those derived before it. Throws a HadalError that names the path at fault. */
export function resolveDerive(
  derive: readonly DerivedColumn[],
  table: TableSchema,
  timeZone: string,
  functions: UserFunctions,
): DerivedTable {
  const derived: ResolvedDerived[] = [];
  let known = table;
  for (const [i, column] of derive.entries()) {
    const path = `derive[${i}]`;
    refuseKnownName(column.as, table, `${path}.as`);
    const one =
      "expression" in column
        ? resolveDerived(column, known, timeZone, path)
        : resolveFunction(column, known, functions, path);
    derived.push({ index: i, ...one });
    known = withDerived(known, [one]);
  }
  return { table: known, derived };
}

/** The table as if it had stored these columns. */
export function withDerived(
  table: TableSchema,
  derived: readonly UnplacedDerived[] = [],
): TableSchema {
  const added = derived.map(({ name, type, decimals }) => ({ name, type, decimals }));
  return createTableSchema(table.name, [...table.columns.values(), ...added], table);
}

/** A function's column reads stored columns, and those that are derived before it. */
function resolveFunction(
  column: Exclude<DerivedColumn, { readonly expression: unknown }>,
  table: TableSchema,
  functions: UserFunctions,
  path: string,
): UnplacedDerived {
  const isSource = "js" in column;
  const sourcePath = isSource ? `${path}.js` : `${path}.function`;
  const find = (name: string, at = sourcePath): SchemaColumn => {
    const found = findColumn(table, name, at);
    return found;
  };
  const { source, values } = isSource
    ? { source: column.js, values: null }
    : {
        source: findFunction(functions, column.function, "scalar", sourcePath).source,
        values: (column.args ?? []).map((name, i) => find(name, `${path}.args[${i}]`)),
      };
  const read =
    values === null
      ? readRowFunction(source, sourcePath, find)
      : readValueFunction(source, sourcePath, values);
  const { type, decimals } = read;
  const columns = { find: (name: string) => table.columns.get(name), values };
  const compiled = compileFunction(parseFunction(source, sourcePath), columns, read);
  if (compiled !== null) {
    const { expression } = compiled;
    const how = { kind: "expression", expression } as const;
    return { name: column.as, type, decimals, inputs: compiled.inputs, how };
  }
  return { name: column.as, type, decimals, inputs: read.inputs, how: read.how };
}

function resolveDerived(
  column: Extract<DerivedColumn, { readonly expression: unknown }>,
  table: TableSchema,
  timeZone: string,
  path: string,
): UnplacedDerived {
  const inputs: BoundColumn[] = [];
  const inputOf = ({ name, type, decimals }: SchemaColumn): number => {
    const known = inputs.findIndex((input) => input.name === name);
    return known >= 0 ? known : inputs.push({ name, type, decimals }) - 1;
  };
  const place = { table, timeZone, inputOf };
  const expression = resolveExpression(column.expression, `${path}.expression`, place);
  if (expression.type === "list") {
    const detail =
      "A derived column is a number, a string or a condition: name the list itself instead.";
    throw new HadalError("type-mismatch", { detail }, [
      { path: `${path}.expression`, code: "type-mismatch", detail },
    ]);
  }
  const { type, decimals } = expression;
  if (type === "int") {
    return { name: column.as, type, decimals, inputs, how: { kind: "expression", expression } };
  }
  const how = { kind: "expression", expression: textOf(expression) } as const;
  return { name: column.as, type: "string", decimals: 0, inputs, how };
}

/** Conditions are stored as the strings "true" and "false". */
function textOf(term: TypedExpression): TypedExpression {
  if (term.type !== "truth") return term;
  return { kind: "call", fn: "to_string", args: [term], type: "string", decimals: 0 };
}

/** A name means one thing in a query. */
function refuseKnownName(name: string, table: TableSchema, path: string): void {
  if (!table.columns.has(name)) return;
  const detail = `Table ${table.name} has a column ${name}: give the derived one another name.`;
  throw new HadalError("invalid-query", { detail }, [{ path, code: "duplicate-name", detail }]);
}

import {
  type FunctionKind,
  type FunctionVersion,
  HadalError,
  isFunctionAggregate,
  nearestHint,
  type Query,
  type UserFunction,
} from "@hadal/sdk";
import { adviceOnFunction } from "@hadal/sdk/sql";

/** Saved functions by name, as they are while a query is bound. */
export type UserFunctions = ReadonlyMap<string, UserFunction>;

export const noFunctions: UserFunctions = new Map();

/** The saved functions that a query names, with their versions. */
export function usedFunctions(query: Query, functions: UserFunctions): readonly FunctionVersion[] {
  const names = new Set<string>();
  for (const column of query.derive ?? []) if ("function" in column) names.add(column.function);
  for (const spec of query.aggregates ?? []) if (isFunctionAggregate(spec)) names.add(spec.fn);
  return [...names].map((name) => ({ name, version: functions.get(name)?.version ?? 0 }));
}

/** The function of that name and kind; throws `unknown-function` with the nearest one. */
export function findFunction(
  functions: UserFunctions,
  name: string,
  kind: FunctionKind,
  path: string,
): UserFunction {
  const found = functions.get(name);
  if (found?.kind === kind) return found;
  if (found !== undefined) {
    const detail =
      found.kind === "scalar"
        ? `${name} is a function of one row, no aggregate: derive a column by it.`
        : `${name} is an aggregate: in SQL write AGGREGATE ${name}(…), else {"fn": "${name}", "columns": […]} in aggregates.`;
    throw new HadalError("type-mismatch", { detail }, [{ path, code: "type-mismatch", detail }]);
  }
  const ofKind = [...functions.values()].filter((one) => one.kind === kind);
  const hint = nearestHint(
    name,
    ofKind.map((one) => one.name),
  );
  const nearest = hint === "" ? adviceOnFunction(name) : hint;
  const detail = `No function is called ${name}.${nearest}`;
  throw new HadalError("unknown-function", { function: name, nearest }, [
    { path, code: "unknown-function", detail },
  ]);
}

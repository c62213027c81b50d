import type { Filter, Grant, TokenInfo, User } from "@hadal/sdk";
import { sameName } from "../base/names.js";

/** All of these filters must hold; none: every row. */
export type RowCondition = readonly Filter[];

/** What a person reads of a table. */
export interface SeenTable {
  /** `*`: every table that the list does not name. */
  readonly table: string;
  /** Rows that pass one of the conditions; null: every row. */
  readonly rows: readonly RowCondition[] | null;
  readonly hiddenColumns: readonly string[];
}

/** The group of all users. */
export const everyone = "everyone";

/** What a user reads, by the server's rules: grants of one table add their rows, and their hidden columns. */
export function seenByUser(user: User, grants: readonly Grant[]): readonly SeenTable[] {
  if (user.state === "disabled") return [];
  if (user.role === "admin") return [{ table: "*", rows: null, hiddenColumns: [] }];
  return seenBy(grants.filter((grant) => isOfUser(grant, user)));
}

/** What a token reads: the tables of its scopes; where grants name it, only what both allow. */
export function seenByToken(token: TokenInfo, grants: readonly Grant[]): readonly SeenTable[] {
  const tables = token.scopes.flatMap((scope) => {
    if (scope === "query") return ["*"];
    return scope.startsWith("query:") ? [scope.slice("query:".length)] : [];
  });
  const scoped = [...new Set(tables)].map((table) => ({ table, rows: null, hiddenColumns: [] }));
  const own = grants.filter(
    ({ token: name }) => name !== undefined && (name === token.id || sameName(name, token.name)),
  );
  if (own.length === 0) return scoped;
  const isScoped = (table: string): boolean => tables.includes("*") || tables.includes(table);
  const granted = seenBy(own);
  const rest = granted.find(({ table }) => table === "*");
  const named = granted.filter(({ table }) => table !== "*" && isScoped(table));
  if (rest === undefined) return named;
  const others = tables
    .filter((table) => !named.some((one) => one.table === table))
    .map((table) => ({ ...rest, table }));
  return [...named, ...others];
}

function isOfUser({ user: name, group }: Grant, user: User): boolean {
  if (name !== undefined) return name === user.id || sameName(name, user.name);
  if (group === undefined) return false;
  return sameName(group, everyone) || user.groups.some((one) => sameName(one, group));
}

/** A table that is named gets what the grants of `*` give, too. */
function seenBy(grants: readonly Grant[]): readonly SeenTable[] {
  const tables = [...new Set(grants.map(({ table }) => table))].toSorted(byName);
  return tables.map((table) => {
    const own = grants.filter((grant) => grant.table === table || grant.table === "*");
    const conditions = own.map(({ filter = [] }) => filter);
    const hidden = own.flatMap(({ hiddenColumns = [] }) => hiddenColumns);
    return {
      table,
      rows: conditions.some((filter) => filter.length === 0) ? null : conditions,
      hiddenColumns: [...new Set(hidden)].toSorted(),
    };
  });
}

/** Every other table comes last. */
function byName(a: string, b: string): number {
  if (a === "*" || b === "*") return a === b ? 0 : a === "*" ? 1 : -1;
  return a < b ? -1 : 1;
}

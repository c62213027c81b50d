import type { Permission } from "@hadal/sdk";

/** What the scopes of a token allow. */
export interface TokenRights {
  readonly permissions: ReadonlySet<Permission>;
  /** Tables that it reads; `*`: every one. */
  readonly queryTables: ReadonlySet<string>;
  readonly ingestTables: ReadonlySet<string>;
  /** Tables that its embeds show. */
  readonly embedTables: ReadonlySet<string>;
}

/** Of scopes that were checked. `query` means `query:*`. */
export function rightsOf(scopes: readonly string[]): TokenRights {
  const permissions = new Set<Permission>();
  const tables = new Map<string, Set<string>>();
  for (const scope of scopes) {
    const colon = scope.indexOf(":");
    const name = colon === -1 ? scope : scope.slice(0, colon);
    const own = tables.get(name) ?? new Set();
    permissions.add(name as Permission);
    tables.set(name, own.add(colon === -1 ? "*" : scope.slice(colon + 1)));
  }
  return {
    permissions,
    queryTables: tables.get("query") ?? new Set(),
    ingestTables: tables.get("ingest") ?? new Set(),
    embedTables: tables.get("embed") ?? new Set(),
  };
}

import { createHash } from "node:crypto";
import type { Filter, Grant } from "@hadal/sdk";
import { everything, type Readable, type TableGrant } from "../../base/access/readable.js";

/** In grants and scopes: every table. */
export const everyTable = "*";

/** Which tables a person may read by these grants, which are all that name the person. */
export function readableByGrants(grants: readonly Grant[]): Readable {
  const byTable = new Map<string, Grant[]>();
  for (const grant of grants) {
    const known = byTable.get(grant.table);
    if (known === undefined) byTable.set(grant.table, [grant]);
    else known.push(grant);
  }
  const ofEvery = byTable.get(everyTable) ?? [];
  const otherwise = ofEvery.length === 0 ? null : unionOf(ofEvery);
  const named = new Map(
    [...byTable]
      .filter(([table]) => table !== everyTable)
      .map(([table, own]) => [table, unionOf([...own, ...ofEvery])]),
  );
  const isEverything = otherwise !== null && [otherwise, ...named.values()].every(isWhole);
  if (isEverything) return everything;
  return {
    of: (table) => named.get(table) ?? otherwise,
    key: keyOf([otherwise, [...named].sort(byName)]),
  };
}

/** What a token may read: the tables of its scopes, and where grants name it what both allow. */
export function readableByScopes(
  tables: ReadonlySet<string>,
  grants: readonly Grant[] | null,
): Readable {
  const granted = grants === null || grants.length === 0 ? everything : readableByGrants(grants);
  const isEvery = tables.has(everyTable);
  if (isEvery) return granted;
  return {
    of: (table) => (tables.has(table) ? granted.of(table) : null),
    key: keyOf([[...tables].sort(), granted.key]),
  };
}

export const nothing: Readable = { of: () => null, key: keyOf("nothing") };

function unionOf(grants: readonly Grant[]): TableGrant {
  const hidden = new Set(grants.flatMap(({ hiddenColumns = [] }) => hiddenColumns));
  const filters = grants.map(({ filter = [] }) => filter);
  const isWholeRows = filters.some((filter) => filter.length === 0);
  return { rows: isWholeRows ? null : distinct(filters), hiddenColumns: [...hidden].sort() };
}

/** In one order, so that the same grants in another have the same key. */
function distinct(filters: readonly (readonly Filter[])[]): readonly (readonly Filter[])[] {
  const byText = new Map(filters.map((filter) => [JSON.stringify(filter), filter]));
  return [...byText].sort(byName).map(([, filter]) => filter);
}

const isWhole = ({ rows, hiddenColumns }: TableGrant): boolean =>
  rows === null && hiddenColumns.length === 0;

const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : 1;

function keyOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}

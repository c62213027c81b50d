import type { AuthMode, Role } from "@hadal/sdk";
import { everything, type Readable } from "../base/access/readable.js";
import type { EmbedPass } from "./embed/embedPass.js";
import type { KnownGrants } from "./grant/knownGrants.js";
import { everyTable, nothing, readableByGrants, readableByScopes } from "./grant/readableOf.js";
import { readableOfEmbed } from "./grant/readableOfEmbed.js";
import type { Person } from "./person.js";
import { rolePermissions } from "./rolePermissions.js";
import type { KnownToken } from "./token/knownTokens.js";
import { rightsOf } from "./token/scopes.js";
import type { KnownUser } from "./user/knownUsers.js";

/** A person, and a text that is the same as long as the rights of it are. */
export interface Recognised {
  readonly person: Person;
  readonly rights: string;
}

/** How a user or a token becomes a person with rights. */
export interface PersonSources {
  readonly grants: KnownGrants;
  readonly auth: AuthMode;
}

export function personOfUser(user: KnownUser, { grants, auth }: PersonSources): Recognised {
  const { id, name, role, groups } = user;
  const own = role === "admin" ? [] : grants.of({ kind: "user", id, name, groups });
  const byGrants = own === null ? nothing : readableByGrants(own);
  const readable = role === "admin" ? everything : byGrants;
  const wholeTables = (own ?? [])
    .filter(({ filter = [] }) => filter.length === 0)
    .map(({ table }) => table);
  const mayIngest = ingestInto(role === "admin" ? [everyTable] : wholeTables);
  const permissions = rolePermissions[role];
  const person: Person = {
    ...{ key: `user:${id}`, kind: "user", id, name, role, groups, permissions, readable, auth },
    mayIngest,
    embeddable: permissions.has("embed") ? readable : nothing,
  };
  return recognised(person, wholeTables);
}

export function personOfToken(token: KnownToken, { grants, auth }: PersonSources): Recognised {
  const { id, name, scopes } = token;
  const { permissions, queryTables, ingestTables, embedTables } = rightsOf(scopes);
  const own = grants.of({ kind: "token", id, name, groups: [] });
  const role: Role | null = null;
  const person: Person = {
    ...{ key: `token:${id}`, kind: "token", id, name, role, groups: [], permissions, auth },
    readable: own === null ? nothing : readableByScopes(queryTables, own),
    mayIngest: ingestInto([...ingestTables]),
    embeddable: own === null ? nothing : readableByScopes(embedTables, own),
  };
  return recognised(person, [...ingestTables]);
}

/** A visitor of an embed, within what whoever made it may embed now. */
export function personOfEmbed(pass: EmbedPass, embeddable: Readable, auth: AuthMode): Recognised {
  const { embedId, kid, scope } = pass;
  const id = embedId ?? kid;
  const person: Person = {
    // Tokens of one embed, or of one host, have their limits together.
    ...{ key: `embed:${id}`, kind: "embed", id, name: `${scope.title} (${id})`, role: null },
    ...{ groups: [], permissions: new Set(["query"]), auth, pass, embeddable: nothing },
    readable: readableOfEmbed(scope, embeddable),
    mayIngest: () => false,
  };
  return recognised(person, []);
}

function recognised(person: Person, ingestTables: readonly string[]): Recognised {
  const { key, name, role, groups, permissions, readable, embeddable } = person;
  const rights = [
    key,
    name,
    role,
    groups,
    [...permissions],
    readable.key,
    ingestTables,
    embeddable.key,
  ];
  return { person, rights: JSON.stringify(rights) };
}

function ingestInto(tables: readonly string[]): Person["mayIngest"] {
  const known = new Set(tables);
  return (table) => known.has(everyTable) || known.has(table);
}

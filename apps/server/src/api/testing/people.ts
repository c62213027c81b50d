import { apiBase, type EmbedDraft, type EmbedToken, type Permission, type Role } from "@hadal/sdk";
import { checkEmbedScope } from "@hadal/sdk/checks";
import type { Access } from "../../access/access.js";
import type { EmbedOwner } from "../../access/embed/embedOwner.js";
import type { TestApi } from "./startApi.js";

const byTest = { who: null, address: null };

export const password = "correct horse battery staple";

/** A user with that role whose password is {@link password}; returns the id. */
export async function addUser(access: Access, name: string, role: Role): Promise<string> {
  return (await access.users.createWithPassword({ name, role }, password, byTest)).id;
}

/** A token with these scopes. */
export async function addToken(
  access: Access,
  scopes: readonly string[],
  expires?: string,
): Promise<{ readonly id: string; readonly token: string }> {
  return access.tokens.create({ scopes, ...(expires !== undefined && { expires }) }, byTest);
}

/** Signs in and returns the cookie as a browser would send it. */
export async function cookieOf({ app }: Pick<TestApi, "app">, name: string): Promise<string> {
  const reply = await app.inject({
    method: "POST",
    url: `${apiBase}/session`,
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ name, password }),
  });
  const [cookie] = reply.cookies;
  if (cookie === undefined) throw new Error(`no session: ${reply.body}`);
  return `${cookie.name}=${cookie.value}`;
}

/** An embed of the table `t`. */
export async function addEmbed(
  access: Access,
  draft: Partial<EmbedDraft> = {},
  owner: EmbedOwner = { kind: "anyone", id: null },
): Promise<EmbedToken> {
  const scope = checkEmbedScope({
    ...{ title: "Test", table: "t", views: ["timeseries"], rangeMsMax: 3_600_000 },
    ...draft,
  });
  return access.embeds.create(scope, { ...byTest, owner, isAdmin: false });
}

/** What each scope of a token allows: nothing else. */
export const permissionsOfScope: Readonly<Record<string, Permission>> = {
  "query:*": "query",
  "ingest:*": "ingest",
  "embed:*": "embed",
  ...{ save: "save", operate: "operate", admin: "admin" },
};

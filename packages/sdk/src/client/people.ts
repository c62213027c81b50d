import type {
  AuditEntry,
  CreatedToken,
  Grant,
  InvitedUser,
  Me,
  TokenDraft,
  TokenInfo,
  User,
  UserDraft,
} from "../model/people.js";
import { routes } from "../wire/routes.js";
import type { Http } from "./http.js";
import { jsonRequest, printParameters } from "./requests.js";

/** With a password, or with the code of a setup link and the password that it sets. */
export type SignInAttempt =
  | { readonly name: string; readonly password: string }
  | { readonly setup: string; readonly password: string };

export interface AuditFilter {
  /** As in a query: `-7d`, ISO-8601, milliseconds. */
  readonly from?: string | number;
  readonly to?: string | number;
  readonly who?: string;
  readonly limit?: number;
}

/** Who signs in, and what admins decide about people and programs. */
export interface PeopleClient {
  me(): Promise<Me>;
  /** In a page: the browser keeps the session as a cookie. */
  signIn(attempt: SignInAttempt): Promise<Me>;
  /** `everywhere`: all sessions of the user. */
  signOut(options?: { readonly everywhere?: boolean }): Promise<void>;
  readonly users: {
    list(): Promise<readonly User[]>;
    /** The answer has the setup link. */
    create(draft: UserDraft): Promise<InvitedUser>;
    change(id: string, draft: UserDraft): Promise<User>;
    /** A new setup link: the password and all sessions end. */
    invite(id: string): Promise<InvitedUser>;
    delete(id: string): Promise<void>;
  };
  readonly tokens: {
    list(): Promise<readonly TokenInfo[]>;
    /** Only this answer has the token itself. */
    create(draft: TokenDraft): Promise<CreatedToken>;
    revoke(id: string): Promise<void>;
  };
  readonly grants: {
    list(): Promise<readonly Grant[]>;
    /** These take the place of all grants. */
    replace(grants: readonly Grant[]): Promise<readonly Grant[]>;
  };
  /** The newest first. */
  audit(filter?: AuditFilter): Promise<readonly AuditEntry[]>;
}

export function createPeople(http: Http): PeopleClient {
  const ask = <Reply>(path: string, init?: RequestInit) =>
    http.requestJson(path, init) as Promise<Reply>;
  const remove = async (path: string): Promise<void> => {
    await http.request(path, { method: "DELETE" });
  };
  return {
    me: () => ask(routes.me()),
    signIn: (attempt) => ask(routes.session(), jsonRequest("POST", attempt)),
    signOut: ({ everywhere } = {}) =>
      remove(`${routes.session()}${everywhere === true ? "?everywhere=true" : ""}`),
    users: {
      list: async () => (await ask<{ users: readonly User[] }>(routes.users())).users,
      create: (draft) => ask(routes.users(), jsonRequest("POST", draft)),
      change: (id, draft) => ask(routes.user(id), jsonRequest("PUT", draft)),
      invite: (id) => ask(routes.userSetup(id), { method: "POST" }),
      delete: (id) => remove(routes.user(id)),
    },
    tokens: {
      list: async () => (await ask<{ tokens: readonly TokenInfo[] }>(routes.tokens())).tokens,
      create: (draft) => ask(routes.tokens(), jsonRequest("POST", draft)),
      revoke: (id) => remove(routes.token(id)),
    },
    grants: {
      list: async () => (await ask<{ grants: readonly Grant[] }>(routes.grants())).grants,
      replace: async (grants) => {
        const request = jsonRequest("PUT", { grants });
        return (await ask<{ grants: readonly Grant[] }>(routes.grants(), request)).grants;
      },
    },
    audit: async ({ from, to, who, limit } = {}) => {
      const path = `${routes.audit()}${printParameters({ from, to, who, limit })}`;
      return (await ask<{ entries: readonly AuditEntry[] }>(path)).entries;
    },
  };
}

import type { Filter } from "./filter.js";

/** What a person may do; each role may do what those before it may. */
export const roles = ["viewer", "editor", "operator", "admin"] as const;
export type Role = (typeof roles)[number];

/**
 * Kinds of requests. `query`: ask and see; `ingest`: send rows; `save`: documents and functions; `embed`: embed tokens;
 * `operate`: tables, retention, metrics, queries of others; `admin`: people, tokens, grants, audit log.
 */
export const permissions = ["query", "ingest", "save", "embed", "operate", "admin"] as const;
export type Permission = (typeof permissions)[number];

/** How people sign in at a server. */
export type AuthMode = "none" | "users" | "header";

/** Who asks, and what is allowed. */
export interface Me {
  readonly kind: "anyone" | "user" | "token";
  readonly id: string | null;
  /** Null where no one signs in. */
  readonly name: string | null;
  /** Null for a token: it has scopes. */
  readonly role: Role | null;
  readonly groups: readonly string[];
  readonly permissions: readonly Permission[];
  readonly auth: AuthMode;
}

/** How the sign-in page can sign people in; part of the problem `unauthenticated`, as its member `signIn`. */
export interface SignInWays {
  readonly password: boolean;
  /** The provider's host for people to read; null: there is none. */
  readonly oidc: string | null;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly groups: readonly string[];
  /** `invited`: no password is set yet. */
  readonly state: "active" | "invited" | "disabled";
  /** How the user signs in. */
  readonly source: "password" | "oidc" | "header";
  readonly createdMs: number;
  readonly lastSignInMs: number | null;
}

/** What an admin writes of a user. */
export interface UserDraft {
  readonly name: string;
  readonly role: Role;
  readonly groups?: readonly string[];
  readonly disabled?: boolean;
}

/** A new user, or one whose password is set again; `setup` is shown once: the path and code with which the user sets a password. */
export interface InvitedUser extends User {
  readonly setup: string;
}

/** `query:requests`, `ingest:*`, `save`, `admin`: a permission, and of `query`, `ingest`, `embed` the table. */
export type TokenScope = string;

export interface TokenDraft {
  /** For people: which program it is for. */
  readonly name?: string;
  readonly scopes: readonly TokenScope[];
  /** A duration such as `90d` or `1h`; left out: it does not expire. */
  readonly expires?: string;
}

export interface TokenInfo {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  readonly createdMs: number;
  readonly createdBy: string | null;
  /** Milliseconds since 1970. */
  readonly expires: number | null;
  readonly lastUsed: number | null;
}

/** `token` is shown once. */
export interface CreatedToken extends TokenInfo {
  readonly token: string;
}

/** Who may read a table: exactly one of `user`, `group`, `token`, by name or id. The group `everyone` has all users. */
export interface Grant {
  readonly user?: string;
  readonly group?: string;
  readonly token?: string;
  /** `*`: every table. */
  readonly table: string;
  /** Only rows that pass. */
  readonly filter?: readonly Filter[];
  readonly hiddenColumns?: readonly string[];
}

export const auditActions = [
  "sign-in",
  "sign-in.failed",
  "sign-out",
  "user.create",
  "user.change",
  "user.delete",
  "token.create",
  "token.revoke",
  "embed.create",
  "embed.token",
  "embed.revoke",
  "embed-key.add",
  "embed-key.delete",
  "embed-key.rotate",
  "grants.change",
  "document.create",
  "document.change",
  "document.delete",
  "function.change",
  "function.delete",
  "table.delete",
  "retention.change",
  "machine.drain",
  "machine.undrain",
  "source.change",
  "source.delete",
  "export",
] as const;
export type AuditAction = (typeof auditActions)[number];

export interface AuditEntry {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** Name of the user or token; null where no one signs in. */
  readonly who: string | null;
  readonly action: AuditAction;
  /** Of a failed sign-in the name that was tried, else a name or id. */
  readonly target: string;
  /** The client's address; null for the command line. */
  readonly address: string | null;
}

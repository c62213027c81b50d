import { type Permission, permissions, type TokenScope } from "@hadal/sdk";

/** Permissions whose scope names a table. */
const ofTables: readonly Permission[] = ["query", "ingest", "embed"];
export const takesTable = (permission: Permission): boolean => ofTables.includes(permission);

export const permissionText: Readonly<Record<Permission, string>> = {
  query: "ask",
  ingest: "send rows to",
  embed: "make embed tokens of",
  save: "save documents and functions",
  operate: "change tables",
  admin: "change people",
};

export const scopePermissions: readonly Permission[] = permissions;

/** `query:requests`, `save`. */
export const scopeOf = (permission: Permission, table: string): TokenScope =>
  takesTable(permission) ? `${permission}:${table}` : permission;

export interface Expiry {
  readonly value: string;
  readonly label: string;
}

/** `never` stands for no expiry. */
export const never = "never";
export const expiries: readonly Expiry[] = [
  { value: "1d", label: "in a day" },
  { value: "30d", label: "in 30 days" },
  { value: "90d", label: "in 90 days" },
  { value: "365d", label: "in a year" },
  { value: never, label: "never" },
];

import type { Registry } from "../registry/registry.js";
import { AuditLog, auditDaysDefault } from "./audit/auditLog.js";
import { Tokens } from "./token/tokens.js";
import { Passwords } from "./user/password.js";
import { Users } from "./user/users.js";

/** Users and tokens without a server, for the command line. */
export function openPeople(registry: Registry): { readonly users: Users; readonly tokens: Tokens } {
  const audit = new AuditLog(registry, { nowMs: Date.now, keepDays: auditDaysDefault });
  const parts = { audit, passwords: new Passwords(), nowMs: Date.now };
  return {
    users: new Users(registry, parts),
    tokens: new Tokens(registry, audit, Date.now),
  };
}

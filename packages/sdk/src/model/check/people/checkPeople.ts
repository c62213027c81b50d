import { nameFault } from "../../name.js";
import { type Role, roles, type TokenDraft, type UserDraft } from "../../people.js";
import {
  checkKeys,
  checkList,
  checkObject,
  createProblemList,
  kindOf,
  type ProblemList,
} from "../../problem/problemList.js";
import { durationMs, parseDuration } from "../../time/duration.js";

/** Names of users, groups and tokens: lists show them whole. */
const personNameMax = 100;
const groupsMax = 200;
const scopesMax = 1_000;
/** Expiry in ten years is a typing error. */
const expiresMsMax = 3_660 * 86_400_000;

/** The body of `POST /users` and `PUT /users/{id}`; throws `invalid-query` with everything that is wrong. */
export function checkUserDraft(value: unknown): UserDraft {
  const problems = createProblemList();
  const draft = checkObject(value, "", problems);
  if (draft === null) throw problems.toError();
  checkKeys(draft, "", ["name", "role", "groups", "disabled"], problems);
  checkPersonName(draft.name, "name", problems);
  if (!(roles as readonly unknown[]).includes(draft.role)) {
    const detail = `role is one of ${roles.join(", ")}; found ${shown(draft.role)}.`;
    problems.add("role", draft.role === undefined ? "missing" : "unknown-value", detail);
  }
  const groups = checkList(draft.groups, "groups", groupsMax, problems) ?? [];
  groups.forEach((group, i) => {
    checkPersonName(group, `groups[${i}]`, problems);
  });
  if (draft.disabled !== undefined && typeof draft.disabled !== "boolean") {
    const detail = `disabled is true or false; found ${kindOf(draft.disabled)}.`;
    problems.add("disabled", "type-mismatch", detail);
  }
  if (problems.count > 0) throw problems.toError();
  return draft as unknown as { readonly name: string; readonly role: Role };
}

/** The body of `POST /tokens`; throws `invalid-query` with everything that is wrong. */
export function checkTokenDraft(value: unknown): TokenDraft {
  const problems = createProblemList();
  const draft = checkObject(value, "", problems);
  if (draft === null) throw problems.toError();
  checkKeys(draft, "", ["name", "scopes", "expires"], problems);
  if (draft.name !== undefined) checkPersonName(draft.name, "name", problems);
  if (draft.scopes === undefined || (Array.isArray(draft.scopes) && draft.scopes.length === 0)) {
    const detail = `scopes is a list of at least one, such as "query:requests" or "ingest:*".`;
    problems.add("scopes", "missing", detail);
  } else {
    const scopes = checkList(draft.scopes, "scopes", scopesMax, problems) ?? [];
    scopes.forEach((scope, i) => {
      const fault = scopeFault(scope);
      if (fault !== null) problems.add(`scopes[${i}]`, "unknown-value", fault);
    });
  }
  checkExpires(draft.expires, problems);
  if (problems.count > 0) throw problems.toError();
  return draft as unknown as TokenDraft;
}

/** Permissions whose scope names a table, as `query:requests`; without one it is every table. */
const tableScopes: readonly string[] = ["query", "ingest", "embed"];
const plainScopes: readonly string[] = ["save", "operate", "admin"];

/** What is wrong with a scope, as a sentence; null when it is fine. */
function scopeFault(scope: unknown): string | null {
  const known =
    "query:TABLE, ingest:TABLE, embed:TABLE (or * for every table), save, operate, admin";
  if (typeof scope !== "string") return `A scope is one of ${known}; found ${kindOf(scope)}.`;
  const { name, table } = splitScope(scope);
  if (table === null && [...tableScopes, ...plainScopes].includes(name)) return null;
  if (table === null || !tableScopes.includes(name))
    return `${shown(scope)} is no scope; scopes are ${known}.`;
  const fault = nameFault(table);
  return fault === null ? null : `The table of the scope ${shown(scope)}: ${fault}`;
}

/** `query:a:b` → `query` and `a:b`. */
function splitScope(scope: string): { readonly name: string; readonly table: string | null } {
  const colon = scope.indexOf(":");
  if (colon === -1) return { name: scope, table: null };
  return { name: scope.slice(0, colon), table: scope.slice(colon + 1) };
}

function checkExpires(expires: unknown, problems: ProblemList): void {
  if (expires === undefined) return;
  if (typeof expires === "string") {
    const lengthMs = lengthOf(expires);
    if (lengthMs !== null && lengthMs > 0 && lengthMs <= expiresMsMax) return;
  }
  const detail = `expires is a duration of at most ten years, such as 90d, 1h or 1s; found ${shown(expires)}.`;
  problems.add("expires", "type-mismatch", detail);
}

function lengthOf(text: string): number | null {
  try {
    return durationMs(parseDuration(text));
  } catch {
    return null;
  }
}

/** The name of a user, group or token. */
export function checkPersonName(value: unknown, path: string, problems: ProblemList): void {
  const fault = personNameFault(value);
  if (fault === null) return;
  const detail = `${path} is a text of 1 to ${personNameMax} characters (personNameMax); ${fault}.`;
  problems.add(path, value === undefined ? "missing" : "type-mismatch", detail);
}

function personNameFault(value: unknown): string | null {
  if (typeof value !== "string") return `found ${kindOf(value)}`;
  if (value.trim() === "") return "it is empty";
  if (value !== value.trim()) return "it begins or ends with a space";
  if (value.length > personNameMax) return `it has ${value.length}`;
  // Invisible ones, such as those that turn the direction of writing, make names look like others.
  return /[\p{Cc}\p{Cf}\p{Surrogate}\p{Zl}\p{Zp}]/u.test(value)
    ? "it has control or invisible characters"
    : null;
}

const shown = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : kindOf(value);

import { randomUUID } from "node:crypto";
import { HadalError, type InvitedUser, type Role, type User, type UserDraft } from "@hadal/sdk";
import { checkUserDraft } from "@hadal/sdk/checks";
import { raiseRevision } from "../../registry/database/areas.js";
import type { RegistryTransaction } from "../../registry/database/database.js";
import type { UserRow } from "../../registry/database/tables.js";
import type { Registry } from "../../registry/registry.js";
import type { Actor, AuditLog } from "../audit/auditLog.js";
import { foldName } from "../foldName.js";
import { removeGrantsOfUser } from "../grant/grantRows.js";
import { removeSessionsOfUser } from "../session/sessionRows.js";
import { type Passwords, passwordFault } from "./password.js";
import { newSetupCode, noSetupCode } from "./setupCode.js";
import {
  canSignIn,
  findUserRow,
  insertUserRow,
  isDisabled,
  listUserRows,
  replaceUserRow,
  userOf,
} from "./userRows.js";

/** All are in memory, and in every list. */
const usersMax = 10_000;
/** The user for whom a server without users prints a setup link. The id is its own: another user may have that name. */
const firstName = "admin";
const firstId = "first-admin";

export interface UsersParts {
  readonly audit: AuditLog;
  readonly passwords: Passwords;
  readonly nowMs: () => number;
}

/** Whether the last admin may go: on the page it would lock all people out, at the command line there is a way back. */
export type LastAdmin = "keep" | "any";

/** A user as a provider or a proxy names it. */
export interface ExternalUser {
  readonly source: "oidc" | "header";
  readonly name: string;
  readonly groups: readonly string[];
  /** Who it is at the provider for ever: names change there, and may be another person's later. */
  readonly subject?: string;
  /** By the groups; left out: a new user is a viewer, and others keep their role. */
  readonly role?: Role;
}

/** Users, as admins change them. Each change is in the audit log. */
export class Users {
  readonly #registry: Registry;
  readonly #parts: UsersParts;

  constructor(registry: Registry, parts: UsersParts) {
    this.#registry = registry;
    this.#parts = parts;
  }

  /** By name. */
  async list(): Promise<readonly User[]> {
    return (await this.#rows()).map(userOf);
  }

  /** `draft` is what was sent. The user sets a password by the setup link. */
  create(draft: unknown, actor: Actor): Promise<InvitedUser> {
    const checked = checkUserDraft(draft);
    const { setup, values } = newSetupCode(this.#parts.nowMs());
    return this.#change(async (transaction) => {
      const row = await this.#insert(transaction, checked, { ...values, password_hash: null });
      await this.#note(transaction, actor, "user.create", row.name);
      return { ...userOf(row), setup };
    });
  }

  /** The command line may give the password of a new user at once. */
  async createWithPassword(draft: unknown, password: string, actor: Actor): Promise<User> {
    const checked = checkUserDraft(draft);
    const password_hash = await this.#hash(password);
    return this.#change(async (transaction) => {
      const row = await this.#insert(transaction, checked, { ...noSetupCode, password_hash });
      await this.#note(transaction, actor, "user.create", row.name);
      return userOf(row);
    });
  }

  /** Rejects with `unknown-user`. Sessions of a user who is disabled end. */
  change(id: string, draft: unknown, actor: Actor): Promise<User> {
    const { name, role, groups, disabled } = checkUserDraft(draft);
    return this.#change(async (transaction) => {
      const before = await this.#find(transaction, id);
      const isNowDisabled = disabled ?? isDisabled(before);
      if (role !== "admin" || isNowDisabled) await this.#keepAdmin(transaction, before);
      if (foldName(name) !== before.folded_name) await checkNameIsFree(transaction, name);
      const row = await replaceUserRow(transaction, before, {
        ...{ name, folded_name: foldName(name), role, changed_ms: this.#parts.nowMs() },
        user_groups: groups === undefined ? before.user_groups : JSON.stringify(groups),
        disabled: isNowDisabled ? 1 : 0,
      });
      if (isNowDisabled) await endSessions(transaction, id);
      await this.#note(transaction, actor, "user.change", row.name);
      return userOf(row);
    });
  }

  /** Grants that name the user go too: a later user of that name is another. Rejects with `unknown-user`. */
  remove(id: string, actor: Actor, lastAdmin: LastAdmin = "keep"): Promise<void> {
    return this.#change(async (transaction) => {
      const row = await this.#find(transaction, id);
      if (lastAdmin === "keep") await this.#keepAdmin(transaction, row);
      await endSessions(transaction, id);
      const isNamed = (user: string) => user === id || foldName(user) === row.folded_name;
      await removeGrantsOfUser(transaction, isNamed);
      await raiseRevision(transaction, "grants");
      await transaction.deleteFrom("user_account").where("id", "=", id).execute();
      await this.#note(transaction, actor, "user.delete", row.name);
    });
  }

  /** A new setup link. The password and all sessions end. Rejects with `unknown-user`. */
  invite(id: string, actor: Actor): Promise<InvitedUser> {
    const { setup, values } = newSetupCode(this.#parts.nowMs());
    return this.#change(async (transaction) => {
      const before = await this.#find(transaction, id);
      const changes = { ...values, password_hash: null, source: "password" };
      const row = await this.#replace(transaction, before, changes);
      await endSessions(transaction, id);
      await this.#note(transaction, actor, "user.change", row.name);
      return { ...userOf(row), setup };
    });
  }

  /** All sessions end. Rejects with `unknown-user`. */
  async setPassword(id: string, password: string, actor: Actor): Promise<void> {
    const password_hash = await this.#hash(password);
    await this.#change(async (transaction) => {
      const row = await this.#find(transaction, id);
      await this.#replace(transaction, row, { ...noSetupCode, password_hash, source: "password" });
      await endSessions(transaction, id);
      await this.#note(transaction, actor, "user.change", row.name);
    });
  }

  /** By name, as people write it. Rejects with `unknown-user`. */
  async findByName(name: string): Promise<User> {
    const row = await this.#registry.read((database) =>
      findUserRow(database, "folded_name", foldName(name)),
    );
    if (row === null) throw unknownUser(name);
    return userOf(row);
  }

  /** The setup link of a first admin; null where there are users. An earlier link is not valid any more. */
  async firstSetup(actor: Actor): Promise<string | null> {
    const others = await this.#registry.read((database) =>
      database.selectFrom("user_account").select("id").where("id", "!=", firstId).execute(),
    );
    if (others.length > 0) return null;
    const { setup, values } = newSetupCode(this.#parts.nowMs());
    return this.#change(async (transaction) => {
      const before = await findUserRow(transaction, "id", firstId);
      if (before !== null && !isUnused(before)) return null;
      await removeUnused(transaction);
      const draft = { name: firstName, role: "admin" } as const;
      await this.#insert(transaction, draft, { ...values, password_hash: null }, firstAccount);
      if (before === null) await this.#note(transaction, actor, "user.create", firstName);
      return setup;
    });
  }

  /** Creates the user at first sight, and takes over groups and role. Null where it may not sign in. */
  external(external: ExternalUser, actor: Actor): Promise<User | null> {
    const { source, name, groups, role, subject = null } = external;
    const draft = checkUserDraft({ name, role: role ?? "viewer", groups });
    return this.#change(async (transaction) => {
      const known = subject && (await findUserRow(transaction, "subject", subject));
      const before = known || (await findUserRow(transaction, "folded_name", foldName(name)));
      if (before === null) {
        const values = { ...noSetupCode, password_hash: null };
        const row = await this.#insert(transaction, draft, values, { source, subject });
        await this.#note(transaction, { ...actor, who: row.name }, "user.create", row.name);
        return userOf(row);
      }
      if (!mayTakeOver(before, external)) return null;
      const row = await this.#replace(transaction, before, {
        ...{ ...noSetupCode, source, user_groups: JSON.stringify(groups) },
        ...{ role: role ?? before.role, subject: subject ?? before.subject },
      });
      return userOf(row);
    });
  }

  #rows(): Promise<readonly UserRow[]> {
    return this.#registry.read((database) =>
      listUserRows(database, ({ message }) => this.#registry.warn(message)),
    );
  }

  #change<Value>(work: (transaction: RegistryTransaction) => Promise<Value>): Promise<Value> {
    return this.#registry.change("people", work);
  }

  async #find(transaction: RegistryTransaction, id: string): Promise<UserRow> {
    const row = await findUserRow(transaction, "id", id);
    if (row === null) throw unknownUser(id);
    return row;
  }

  async #hash(password: string): Promise<string> {
    const fault = passwordFault(password);
    if (fault !== null) throw new HadalError("bad-request", { detail: fault });
    return this.#parts.passwords.hash(password);
  }

  async #insert(
    transaction: RegistryTransaction,
    { name, role, groups = [], disabled = false }: UserDraft,
    secrets: Pick<UserRow, "password_hash" | "setup_hash" | "setup_expires_ms">,
    origin: Origin = ownAccount,
  ): Promise<UserRow> {
    // The link of the start is not needed any more, and its name is free.
    if (role === "admin" || foldName(name) === firstName) await removeUnused(transaction);
    await checkNameIsFree(transaction, name);
    await checkCount(transaction);
    const nowMs = this.#parts.nowMs();
    return insertUserRow(transaction, {
      ...{ id: randomUUID(), ...origin, name, folded_name: foldName(name), role, ...secrets },
      ...{ user_groups: JSON.stringify(groups), disabled: disabled ? 1 : 0 },
      ...{ created_ms: nowMs, changed_ms: nowMs },
    });
  }

  #replace(
    transaction: RegistryTransaction,
    before: UserRow,
    changes: Partial<UserRow>,
  ): Promise<UserRow> {
    return replaceUserRow(transaction, before, { ...changes, changed_ms: this.#parts.nowMs() });
  }

  #note(
    transaction: RegistryTransaction,
    actor: Actor,
    action: "user.create" | "user.change" | "user.delete",
    name: string,
  ): Promise<void> {
    const { audit } = this.#parts;
    return audit.write(transaction, audit.entry(actor, action, name));
  }

  async #keepAdmin(transaction: RegistryTransaction, row: UserRow): Promise<void> {
    if (row.role !== "admin" || !canSignIn(row)) return;
    const rows = await listUserRows(transaction, () => undefined);
    const isOther = (other: UserRow): boolean => other.role === "admin" && other.id !== row.id;
    if (rows.some((other) => isOther(other) && canSignIn(other))) return;
    const detail = `${row.name} is the only admin who can sign in: make another one first.`;
    throw new HadalError("bad-request", { detail });
  }
}

/** Where an account comes from. */
interface Origin extends Pick<UserRow, "subject">, Pick<User, "source"> {
  /** Left out: a new one. */
  readonly id?: string;
}

const ownAccount: Origin = { source: "password", subject: null };
const firstAccount: Origin = { ...ownAccount, id: firstId };

/** Of the first admin: the link was never used. */
const isUnused = (row: UserRow): boolean => !isDisabled(row) && !canSignIn(row);

async function removeUnused(transaction: RegistryTransaction): Promise<void> {
  const first = await findUserRow(transaction, "id", firstId);
  if (first === null || !isUnused(first)) return;
  await transaction.deleteFrom("user_account").where("id", "=", firstId).execute();
}

/**
 * An account that is not the provider's is not for it to give away: a name that is free there may be an admin's here. A
 * proxy answers for all people.
 */
function mayTakeOver(row: UserRow, { source, subject }: ExternalUser): boolean {
  if (isDisabled(row)) return false;
  if (source === "header") return true;
  if (row.subject !== null) return row.subject === subject;
  return row.source === source;
}

async function endSessions(transaction: RegistryTransaction, userId: string): Promise<void> {
  await removeSessionsOfUser(transaction, userId);
  await raiseRevision(transaction, "sessions");
}

async function checkNameIsFree(transaction: RegistryTransaction, name: string): Promise<void> {
  const taken = await transaction
    .selectFrom("user_account")
    .select("name")
    .where("folded_name", "=", foldName(name))
    .executeTakeFirst();
  if (taken === undefined) return;
  throw new HadalError("bad-request", { detail: `There is a user named ${taken.name} already.` });
}

async function checkCount(transaction: RegistryTransaction): Promise<void> {
  const { count } = await transaction
    .selectFrom("user_account")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (Number(count) < usersMax) return;
  const detail = `There are ${usersMax} users (usersMax): remove some first.`;
  throw new HadalError("bad-request", { detail });
}

const unknownUser = (id: string): HadalError =>
  new HadalError("unknown-user", { id: id.slice(0, 80) });

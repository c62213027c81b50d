import { HadalError, type SignInWays } from "@hadal/sdk";
import { raiseRevision } from "../../registry/database/areas.js";
import { DamagedRow } from "../../registry/database/checksum.js";
import type { UserRow } from "../../registry/database/tables.js";
import type { Registry } from "../../registry/registry.js";
import type { Actor, AuditLog } from "../audit/auditLog.js";
import { unauthenticated } from "../credentials.js";
import { foldName } from "../foldName.js";
import type { Person } from "../person.js";
import { hashOf } from "../secret/secret.js";
import type { Sessions } from "../session/sessions.js";
import { type Passwords, passwordFault } from "../user/password.js";
import { noSetupCode } from "../user/setupCode.js";
import { findUserRow, isDisabled, noteSignIn, replaceUserRow } from "../user/userRows.js";
import { SignInThrottle } from "./signInThrottle.js";

export interface SignInParts {
  readonly registry: Registry;
  readonly audit: AuditLog;
  readonly sessions: Sessions;
  readonly passwords: Passwords;
  readonly nowMs: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly signIn: SignInWays;
  /** Of the secret of a session. */
  readonly personOf: (secret: string) => Person;
}

export interface PasswordAttempt {
  readonly name: string;
  readonly password: string;
  readonly address: string;
}

export interface SetupAttempt {
  /** Of the setup link. */
  readonly code: string;
  readonly password: string;
  readonly address: string;
}

export interface SignedIn {
  /** For the cookie. */
  readonly secret: string;
  readonly person: Person;
}

/** How sessions begin. */
export class SignIn {
  readonly #parts: SignInParts;
  readonly #throttle: SignInThrottle;

  constructor(parts: SignInParts) {
    this.#parts = parts;
    this.#throttle = new SignInThrottle(parts.nowMs);
  }

  /** Names that do not exist are answered like wrong passwords, as late. */
  async byPassword({ name, password, address }: PasswordAttempt): Promise<SignedIn> {
    const { audit, sleep, signIn } = this.#parts;
    const attempt = this.#throttle.begin(foldName(name), address);
    let user: UserRow | null;
    try {
      user = await this.#userOf(name, password);
      if (user === null) await audit.record({ who: null, address }, "sign-in.failed", name);
    } catch (error) {
      attempt.abandoned();
      throw error;
    }
    if (user === null) {
      await sleep(attempt.failed());
      throw unauthenticated(signIn, "The name or the password is wrong.");
    }
    attempt.succeeded();
    return this.start(user, { who: user.name, address });
  }

  /** The code is used up, and all other sessions of the user end. */
  async bySetup({ code, password, address }: SetupAttempt): Promise<SignedIn> {
    const { registry, passwords, sessions, audit, nowMs, personOf } = this.#parts;
    const fault = passwordFault(password);
    if (fault !== null) throw new HadalError("bad-request", { detail: fault });
    const setupHash = hashOf(code);
    // A hash costs much: only for a code that is valid.
    this.#checkSetup(
      await registry.read((database) => findUserRow(database, "setup_hash", setupHash)),
    );
    const password_hash = await passwords.hash(password);
    const secret = await registry.change("people", async (transaction) => {
      const before = this.#checkSetup(await findUserRow(transaction, "setup_hash", setupHash));
      const changes = { ...noSetupCode, password_hash, source: "password", changed_ms: nowMs() };
      const user = await replaceUserRow(transaction, before, changes);
      await sessions.endAll(transaction, user.id);
      const started = await sessions.start(transaction, user.id);
      await raiseRevision(transaction, "sessions");
      await noteSignIn(transaction, user.id, nowMs());
      const actor = { who: user.name, address };
      await audit.write(transaction, audit.entry(actor, "user.change", user.name));
      await audit.write(transaction, audit.entry(actor, "sign-in", user.name));
      return started;
    });
    return { secret, person: personOf(secret) };
  }

  /** Begins a session of a user who has proved to be that. */
  async start({ id, name }: { readonly id: string; readonly name: string }, actor: Actor) {
    const { registry, sessions, audit, nowMs, personOf } = this.#parts;
    const secret = await registry.change("sessions", async (transaction) => {
      const started = await sessions.start(transaction, id);
      await noteSignIn(transaction, id, nowMs());
      await audit.write(transaction, audit.entry(actor, "sign-in", name));
      return started;
    });
    return { secret, person: personOf(secret) } satisfies SignedIn;
  }

  /** Null where name or password are wrong. */
  async #userOf(name: string, password: string): Promise<UserRow | null> {
    const { registry, passwords } = this.#parts;
    const row = await registry.read((database) =>
      findUserRow(database, "folded_name", storable(foldName(name))).catch((error: unknown) => {
        if (!(error instanceof DamagedRow)) throw error;
        registry.warn(error.message);
        return null;
      }),
    );
    const isRight = await passwords.isRight(row?.password_hash ?? null, password);
    return isRight && row !== null && !isDisabled(row) ? row : null;
  }

  #checkSetup(row: UserRow | null): UserRow {
    const { nowMs, signIn } = this.#parts;
    if (row !== null && !isDisabled(row) && (row.setup_expires_ms ?? 0) > nowMs()) return row;
    throw unauthenticated(
      signIn,
      "The setup link is not valid any more. Ask an admin for another.",
    );
  }
}

/** PostgreSQL refuses texts with this character; no name has it. */
const storable = (name: string): string => name.replaceAll("\0", "\ufffd");

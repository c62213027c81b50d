import { setTimeout as sleep } from "node:timers/promises";
import { type AuthMode, HadalError, type Role, roles, type SignInWays } from "@hadal/sdk";
import type { RoleGroup } from "../base/access/accessSettings.js";
import type { Readable } from "../base/access/readable.js";
import type { RegistryTransaction } from "../registry/database/database.js";
import type { Registry } from "../registry/registry.js";
import { type Actor, AuditLog, auditDaysDefault } from "./audit/auditLog.js";
import { Changes } from "./changes.js";
import { type Credentials, unauthenticated } from "./credentials.js";
import { EmbedKeys } from "./embed/embedKeys.js";
import type { EmbedOwner } from "./embed/embedOwner.js";
import { Embeds } from "./embed/embeds.js";
import { EmbedTokens } from "./embed/embedTokens.js";
import { type EmbedHosts, KnownEmbeds } from "./embed/knownEmbeds.js";
import { foldName } from "./foldName.js";
import { Grants } from "./grant/grants.js";
import { KnownGrants } from "./grant/knownGrants.js";
import { anyone, type Person } from "./person.js";
import { type KnownParts, Recognition } from "./recognition.js";
import { hashOf } from "./secret/secret.js";
import { Sessions } from "./session/sessions.js";
import { type PasswordAttempt, type SetupAttempt, type SignedIn, SignIn } from "./signin/signIn.js";
import { KnownTokens } from "./token/knownTokens.js";
import { Tokens } from "./token/tokens.js";
import { KnownUsers } from "./user/knownUsers.js";
import { Passwords } from "./user/password.js";
import { type ExternalUser, Users } from "./user/users.js";

export interface AccessOptions {
  readonly auth: AuthMode;
  /** For the page, where people sign in. */
  readonly signIn: SignInWays;
  /** Roles by groups of the provider or the proxy; of several the highest counts. Empty: admins choose the roles. */
  readonly roleGroups: readonly RoleGroup[];
  readonly warn: (text: string) => void;
  readonly nowMs?: () => number;
  /** How long entries of the audit log are kept. */
  readonly auditDays?: number;
}

interface AccessParts {
  readonly known: KnownParts;
  readonly changes: Changes;
  readonly audit: AuditLog;
  readonly passwords: Passwords;
  readonly users: Users;
}

/** Uses and expiries are looked at so often. */
const roundMs = 1_000;
const dayMs = 86_400_000;

/** Who sends requests and what they may do. Requests are checked against copies in memory. */
export class Access {
  readonly users: Users;
  readonly tokens: Tokens;
  readonly grants: Grants;
  readonly audit: AuditLog;
  readonly embeds: Embeds;
  readonly embedKeys: EmbedKeys;
  readonly embedTokens: EmbedTokens;
  readonly #registry: Registry;
  readonly #options: AccessOptions;
  readonly #known: KnownParts;
  readonly #signIn: SignIn;
  readonly #changes: Changes;
  readonly #recognition: Recognition;
  /** Sign-ins at the proxy that are being written. */
  readonly #external = new Map<string, Promise<Person>>();
  readonly #timers: readonly NodeJS.Timeout[];

  private constructor(registry: Registry, options: AccessOptions, parts: AccessParts) {
    this.#registry = registry;
    this.#options = options;
    this.#known = parts.known;
    this.#changes = parts.changes;
    const { auth, signIn } = options;
    const nowMs = options.nowMs ?? Date.now;
    this.#recognition = new Recognition(parts.known, parts.changes, {
      ...{ auth, signIn, nowMs, roleOfGroups: (groups) => this.roleOfGroups(groups) },
    });
    const { audit, users } = parts;
    this.audit = audit;
    this.users = users;
    this.tokens = new Tokens(registry, audit, nowMs);
    this.grants = new Grants(registry, audit);
    this.embedKeys = new EmbedKeys(registry, { audit, known: parts.known.embeds, nowMs });
    this.embedTokens = new EmbedTokens(parts.known.embeds, nowMs);
    this.embeds = new Embeds(registry, {
      ...{ audit, keys: this.embedKeys, tokens: this.embedTokens, nowMs },
    });
    const { sessions } = parts.known;
    this.#signIn = new SignIn({
      ...{ registry, audit, sessions, passwords: parts.passwords, nowMs },
      ...{ signIn, sleep },
      personOf: (secret) => this.#recognition.personOf({ kind: "session", hash: hashOf(secret) }),
    });
    this.#timers = [
      setInterval(() => void this.#round(), roundMs).unref(),
      setInterval(() => void this.#prune(), dayMs).unref(),
    ];
    void this.#prune();
  }

  static async open(registry: Registry, options: AccessOptions): Promise<Access> {
    const nowMs = options.nowMs ?? Date.now;
    const changes = new Changes();
    const onChange = (): void => changes.raise();
    const audit = new AuditLog(registry, {
      nowMs,
      keepDays: options.auditDays ?? auditDaysDefault,
    });
    const passwords = new Passwords();
    const users = new Users(registry, { audit, passwords, nowMs });
    const known = {
      users: await KnownUsers.open(registry, onChange),
      sessions: await Sessions.open(registry, nowMs, onChange),
      tokens: await KnownTokens.open(registry, nowMs, onChange),
      grants: await KnownGrants.open(registry, onChange),
      embeds: await KnownEmbeds.open(registry, nowMs, onChange),
    };
    return new Access(registry, options, { known, changes, audit, passwords, users });
  }

  /** Throws `unauthenticated`, and `registry-unavailable` where users or tokens were never read. */
  identify(credentials: Credentials): Person | Promise<Person> {
    const { auth, signIn } = this.#options;
    const { token, signature, session, external, address } = credentials;
    // A token is judged also where no sign-in is needed: whoever sends one relies on its scopes.
    // Only embed tokens have points.
    if (token?.includes(".")) return this.#personOfEmbed(token);
    if (token !== null) return this.#personOfToken(token);
    if (signature !== undefined) return this.#personOfImage(signature);
    if (auth === "none") return anyone;
    if (auth === "header") {
      if (external === null) throw unauthenticated(signIn);
      const groups = [...new Set(external.groups)].sort();
      return this.#externalPerson({ name: external.name, groups }, address);
    }
    if (session === null) throw unauthenticated(signIn);
    const proof = { kind: "session", hash: hashOf(session) } as const;
    const person = this.#recognition.personOf(proof);
    this.#known.sessions.touch(proof.hash);
    return person;
  }

  /** Rejects with `unauthenticated`; after some failures with `quota-exceeded`. */
  signIn(attempt: PasswordAttempt): Promise<SignedIn> {
    return this.#signIn.byPassword(attempt);
  }

  /** Sets a password by the code of a setup link, and signs in. */
  signInBySetup(setup: SetupAttempt): Promise<SignedIn> {
    return this.#signIn.bySetup(setup);
  }

  /** Who signed in at a provider; a session begins. Rejects with `unauthenticated` where the user may not. */
  async signInExternally(
    external: ExternalUser,
    { address }: { readonly address: string },
  ): Promise<SignedIn> {
    const actor = { who: external.name, address };
    const groups = [...new Set(external.groups)].sort();
    const user = await this.users.external({ ...external, groups }, actor);
    if (user === null) throw unauthenticated(this.#options.signIn);
    return this.#signIn.start(user, actor);
  }

  /** The highest role that the groups have; undefined: roles do not depend on groups. */
  roleOfGroups(groups: readonly string[]): Role | undefined {
    const { roleGroups } = this.#options;
    if (roleGroups.length === 0) return undefined;
    const found = roleGroups.filter(({ group }) => groups.includes(group));
    return roles[Math.max(0, ...found.map(({ role }) => roles.indexOf(role)))];
  }

  /** Ends the session of this secret, if there is one. */
  async signOut(secret: string, address: string): Promise<void> {
    const hash = hashOf(secret);
    const session = this.#known.sessions.find(hash);
    if (session === undefined) return;
    const name = this.#known.users.byId(session.userId)?.name ?? session.userId;
    await this.#endSessions({ who: name, address }, name, (transaction) =>
      this.#known.sessions.end(transaction, hash),
    );
  }

  /** Ends all sessions of a user. */
  async signOutEverywhere(userId: string, actor: Actor): Promise<void> {
    const name = this.#known.users.byId(userId)?.name ?? userId;
    await this.#endSessions(actor, name, (transaction) =>
      this.#known.sessions.endAll(transaction, userId),
    );
  }

  /** Whether the person would be recognised now, with the same rights: connections of others are closed. */
  isStillValid(person: Person): boolean {
    return this.whyEnded(person) === null;
  }

  /** Why that is not so; null where it is. */
  whyEnded(person: Person): HadalError | null {
    return this.#recognition.whyEnded(person);
  }

  /** What the owner of something may read now. Throws `unauthenticated` where there is no such user or token any more. */
  readableOf(owner: EmbedOwner): Readable {
    return this.#recognition.ownerOf(owner).readable;
  }

  /** Whether the page of that origin may show an embed: a browser asks before it sends the token. */
  mayBeHost(origin: string): boolean {
    return this.#known.embeds.mayBeHost(origin);
  }

  /** Which pages may show the frame of an embed, or of a host's key. */
  hostsOf(id: string): EmbedHosts {
    return this.#known.embeds.hostsOf(id);
  }

  /** Called after each change of people, sessions, tokens and grants, and every second: they also end by time. */
  onChange(listener: () => void): () => void {
    return this.#changes.add(listener);
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#flush();
  }

  async #endSessions(
    actor: Actor,
    target: string,
    end: (transaction: RegistryTransaction) => Promise<void>,
  ): Promise<void> {
    await this.#registry.change("sessions", async (transaction) => {
      await end(transaction);
      await this.audit.write(transaction, this.audit.entry(actor, "sign-out", target));
    });
  }

  async #personOfEmbed(token: string): Promise<Person> {
    const pass = await this.embedTokens.verifyEmbed(token, this.#options.signIn);
    return this.#recognition.personOf({ kind: "embed", pass });
  }

  async #personOfImage(signature: string): Promise<Person> {
    const pass = await this.embedTokens.verifyImage(signature, this.#options.signIn);
    return this.#recognition.personOf({ kind: "embed", pass });
  }

  #personOfToken(token: string): Person {
    const person = this.#recognition.personOf({ kind: "token", hash: hashOf(token) });
    if (person.id !== null) this.#known.tokens.noteUse(person.id);
    return person;
  }

  /** Who signed in at the proxy: known, or created and changed as the proxy says. */
  #externalPerson(
    external: { readonly name: string; readonly groups: readonly string[] },
    address: string,
  ): Person | Promise<Person> {
    const { name, groups } = external;
    if (this.#known.users.isDisabled(name)) throw unauthenticated(this.#options.signIn);
    const user = this.#known.users.byName(name);
    if (user !== undefined && this.#recognition.isUpToDate(user, groups))
      return this.#recognition.personOf({ kind: "external", name, groups });
    const key = JSON.stringify([foldName(name), groups]);
    const running = this.#external.get(key);
    if (running !== undefined) return running;
    const writing = this.#writeExternal(external, address).finally(() =>
      this.#external.delete(key),
    );
    this.#external.set(key, writing);
    return writing;
  }

  async #writeExternal(
    { name, groups }: { readonly name: string; readonly groups: readonly string[] },
    address: string,
  ): Promise<Person> {
    const role = this.roleOfGroups(groups);
    const external: ExternalUser = {
      ...{ source: "header", name, groups },
      ...(role === undefined ? {} : { role }),
    };
    const user = await this.users.external(external, { who: name, address });
    if (user === null) throw unauthenticated(this.#options.signIn);
    return this.#recognition.personOf({ kind: "external", name, groups });
  }

  async #round(): Promise<void> {
    this.#changes.notify();
    await this.#flush();
  }

  /** Where the registry is away, the next round tries again. */
  async #flush(): Promise<void> {
    await this.#ignoringLoss(this.#known.tokens.flush());
    await this.#ignoringLoss(this.#known.sessions.flush());
  }

  async #prune(): Promise<void> {
    await this.#ignoringLoss(this.audit.prune());
    await this.#ignoringLoss(this.#known.sessions.prune());
  }

  async #ignoringLoss(work: Promise<void>): Promise<void> {
    await work.catch((error: unknown) => {
      if (error instanceof HadalError && error.code === "registry-unavailable") return;
      this.#options.warn(`access: ${error instanceof Error ? error.message : error}`);
    });
  }
}

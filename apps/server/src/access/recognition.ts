import { type AuthMode, HadalError, type Role, type SignInWays } from "@hadal/sdk";
import type { Changes } from "./changes.js";
import { unauthenticated } from "./credentials.js";
import type { EmbedOwner } from "./embed/embedOwner.js";
import { type EmbedPass, endedPass } from "./embed/embedPass.js";
import type { KnownEmbeds } from "./embed/knownEmbeds.js";
import type { KnownGrants } from "./grant/knownGrants.js";
import { nothing } from "./grant/readableOf.js";
import { anyone, type Person } from "./person.js";
import { personOfEmbed, personOfToken, personOfUser, type Recognised } from "./persons.js";
import type { Sessions } from "./session/sessions.js";
import type { KnownToken, KnownTokens } from "./token/knownTokens.js";
import type { KnownUser, KnownUsers } from "./user/knownUsers.js";

/** By what a person is recognised; hashes instead of secrets. `groups` are sorted. */
export type Proof =
  | { readonly kind: "session" | "token"; readonly hash: string }
  | { readonly kind: "external"; readonly name: string; readonly groups: readonly string[] }
  | { readonly kind: "embed"; readonly pass: EmbedPass };

/** The areas of the registry, in memory. */
export interface KnownParts {
  readonly users: KnownUsers;
  readonly sessions: Sessions;
  readonly tokens: KnownTokens;
  readonly grants: KnownGrants;
  readonly embeds: KnownEmbeds;
}

export interface RecognitionOptions {
  readonly auth: AuthMode;
  readonly signIn: SignInWays;
  readonly nowMs: () => number;
  /** Undefined: roles do not depend on groups. */
  readonly roleOfGroups: (groups: readonly string[]) => Role | undefined;
}

/** Finds a person, and what the person may do now, by what is in memory. */
export class Recognition {
  readonly #known: KnownParts;
  readonly #changes: Changes;
  readonly #options: RecognitionOptions;
  readonly #proofs = new WeakMap<Person, { readonly proof: Proof; readonly rights: string }>();
  /** As of the version of {@link Changes}: persons and their rights cost more to make than to find. */
  readonly #recognised = new Map<string, Recognised>();
  #recognisedAt = 0;
  /** Each visitor may have a token of its own: these are remembered while their requests or sockets last. */
  readonly #visitors = new WeakMap<
    EmbedPass,
    { readonly within: string; readonly found: Recognised }
  >();

  constructor(known: KnownParts, changes: Changes, options: RecognitionOptions) {
    this.#known = known;
    this.#changes = changes;
    this.#options = options;
  }

  /** The same object until something changes. Throws `unauthenticated` and `registry-unavailable`. */
  personOf(proof: Proof): Person {
    const { person, rights } = this.#recognise(proof);
    if (!this.#proofs.has(person)) this.#proofs.set(person, { proof, rights });
    return person;
  }

  /** Null where the person would be recognised now, with the same rights. */
  whyEnded(person: Person): HadalError | null {
    const known = this.#proofs.get(person);
    if (known === undefined) return null;
    try {
      const isSame = this.#recognise(known.proof).rights === known.rights;
      return isSame ? null : new HadalError("cancelled");
    } catch (error) {
      if (error instanceof HadalError) return error;
      throw error;
    }
  }

  /** Whether the user has the groups, and the role that goes with them. */
  isUpToDate(user: KnownUser, groups: readonly string[]): boolean {
    const role = this.#options.roleOfGroups(groups) ?? user.role;
    return role === user.role && JSON.stringify(groups) === JSON.stringify(user.groups);
  }

  #recognise(proof: Proof): Recognised {
    const { users, tokens, sessions } = this.#known;
    if (proof.kind === "external") {
      const user = users.byName(proof.name);
      const isKnown = user !== undefined && this.isUpToDate(user, proof.groups);
      return this.#ofUser(`user ${user?.id}`, isKnown ? user : undefined);
    }
    if (proof.kind === "embed") return this.#ofEmbed(proof.pass);
    const { hash } = proof;
    if (proof.kind === "token") {
      const token = tokens.find(hash);
      if (token === undefined) throw unauthenticated(this.#options.signIn);
      return this.#ofToken(token);
    }
    const session = sessions.find(hash);
    return this.#ofUser(hash, session && users.byId(session.userId));
  }

  #ofEmbed(pass: EmbedPass): Recognised {
    const { embeds } = this.#known;
    const { auth, signIn, nowMs } = this.#options;
    const { kid, x, embedId, issuedMs, expiresMs } = pass;
    const named = embeds.key(kid);
    const key = named?.x === x ? named : undefined;
    const embed = embedId === null ? undefined : embeds.live(embedId, issuedMs);
    const owner = embedId === null ? key?.owner : embed?.owner;
    if (key === undefined || owner === undefined || expiresMs <= nowMs()) throw endedPass(signIn);
    const { title, query, view, mayOpen } = embed?.scope ?? pass.scope;
    const scope = { ...pass.scope, title, query, view, mayOpen };
    const isOther = key.tables !== null && !key.tables.includes(scope.table);
    const embeddable = isOther ? nothing : this.ownerOf(owner).embeddable;
    const known = this.#visitors.get(pass);
    if (known?.within === embeddable.key) return known.found;
    const found = personOfEmbed({ ...pass, scope }, embeddable, auth);
    this.#visitors.set(pass, { within: embeddable.key, found });
    return found;
  }

  /** Who owns something now. Throws `unauthenticated` where there is no such user or token any more. */
  ownerOf({ kind, id }: EmbedOwner): Person {
    const { users, tokens } = this.#known;
    const { auth, signIn } = this.#options;
    if (kind === "anyone" && auth === "none") return anyone;
    const user = kind === "user" ? users.byId(id!) : undefined;
    if (user !== undefined) return this.#ofUser(`user ${id}`, user).person;
    const token = kind === "token" ? tokens.byId(id!) : undefined;
    if (token !== undefined) return this.#ofToken(token).person;
    throw endedPass(signIn);
  }

  #ofUser(key: string, user: KnownUser | undefined): Recognised {
    if (user === undefined) throw unauthenticated(this.#options.signIn);
    return this.#remember(key, () => personOfUser(user, this.#sources));
  }

  #ofToken(token: KnownToken): Recognised {
    return this.#remember(token.hash, () => personOfToken(token, this.#sources));
  }

  #remember(key: string, find: () => Recognised): Recognised {
    if (this.#recognisedAt !== this.#changes.version) this.#recognised.clear();
    this.#recognisedAt = this.#changes.version;
    const known = this.#recognised.get(key);
    if (known !== undefined) return known;
    const found = find();
    this.#recognised.set(key, found);
    return found;
  }

  get #sources() {
    return { grants: this.#known.grants, auth: this.#options.auth };
  }
}

import { createReader, type EmbedSelf, HadalError, type HadalReader } from "@hadal/sdk";
import { scopeOfToken } from "./tokenScope.js";

/** A chart on the page, as its connection knows it. */
export interface ConnectionUser {
  /** The token ends soon. */
  onExpiring(expiresMs: number): void;
  /** The next token; null: this chart has no way to get one. */
  renewToken(): Promise<string> | null;
  /** The token was renewed: queries go on over this connection. */
  moveTo(next: Connection): void;
}

/** One client, and so one socket, for all charts of a page with the same server and token. */
export interface Connection {
  readonly client: HadalReader;
  /** The server, and what the token is for: the same after a renewal, unless the next token is for something else. */
  readonly scope: string;
  /** What the token allows. Rejects with a HadalError. */
  self(): Promise<EmbedSelf>;
  join(user: ConnectionUser): void;
  leave(user: ConnectionUser): void;
  /** Moves its charts to a connection with a new token. null: none of them can get one. */
  renew(): Promise<Connection | null>;
}

export interface ConnectionTarget {
  readonly src: string;
  readonly token: string | null;
}

/** How a page reaches servers. */
export interface PageAccess {
  createClient(target: ConnectionTarget): HadalReader;
  /** Whether the server answers a request that needs no token. */
  isReachable(src: string): Promise<boolean>;
  origin(): string;
}

/** For a chart whose page has not said which server: it asks nothing. */
const noServer = "https://no-src.invalid";

/** Without cookies: the token alone says what may be seen. */
const fetchPlain: typeof fetch = (input, init) => fetch(input, { ...init, credentials: "omit" });

export const pageAccess: PageAccess = {
  // That of the address would be another one in a sandbox.
  origin: () => self.origin,
  createClient: ({ src, token }) =>
    createReader({
      ...{ url: src === "" ? noServer : src, fetch: fetchPlain },
      ...(token !== null && { token }),
    }),
  async isReachable(src) {
    try {
      const script = new URL("/embed/hadal-chart.js", src);
      return (await fetchPlain(script, { method: "HEAD", cache: "no-store" })).ok;
    } catch {
      return false;
    }
  },
};

/** The connections of a page. */
export class Connections {
  readonly #open = new Map<string, SharedConnection>();
  readonly #page: PageAccess;

  constructor(page: PageAccess) {
    this.#page = page;
  }

  /** Whoever comes with an old token gets the connection that followed. */
  open(target: ConnectionTarget): Connection {
    return this.#shared(target).newest();
  }

  #shared(target: ConnectionTarget): SharedConnection {
    const key = JSON.stringify([target.src, target.token]);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    const { src, token } = target;
    const made = new SharedConnection(this.#page.createClient(target), {
      scope: JSON.stringify([src, token === null ? null : scopeOfToken(token)]),
      hasToken: target.token !== null,
      isReachable: () => this.#page.isReachable(target.src),
      refusal: () =>
        new HadalError("origin-refused", { origin: nameOfOrigin(this.#page.origin()) }),
      openNext: (token) => this.#shared({ ...target, token }),
      onClose: () => this.#open.delete(key),
    });
    this.#open.set(key, made);
    return made;
  }
}

interface SharedParts {
  readonly scope: string;
  /** Without one, the page may know how to get one. */
  readonly hasToken: boolean;
  readonly isReachable: () => Promise<boolean>;
  /** Of this page, by the server. */
  readonly refusal: () => HadalError;
  readonly openNext: (token: string) => SharedConnection;
  readonly onClose: () => void;
}

/** A chart that is moved within the page leaves and joins again. */
const idleMs = 5_000;
/** Renewed this long before the token ends, or for the last fifth of a short life. */
const leadMsMax = 60_000;
const leadShare = 0.2;
/** A page that has not answered by then has no token. */
const answerMsMax = 30_000;
/** A page whose tokens are refused this often in a row is not asked for more. */
const refusedMax = 2;
/** The longest time that a timer of a browser can wait. */
const timerMsMax = 2 ** 31 - 1;

class SharedConnection implements Connection {
  readonly client: HadalReader;
  readonly #parts: SharedParts;
  readonly #users = new Set<ConnectionUser>();
  #self: Promise<EmbedSelf> | null = null;
  #renewal: Promise<SharedConnection | null> | null = null;
  #next: SharedConnection | null = null;
  /** How many tokens before this one were refused, one after another. */
  #refusedBefore = 0;
  #isAccepted = false;
  #expiry: ReturnType<typeof setTimeout> | null = null;
  /** A chart that is not on the page opens a connection, and may never join it. */
  #idle: ReturnType<typeof setTimeout> | null = this.#closeLater();
  #isClosed = false;

  constructor(client: HadalReader, parts: SharedParts) {
    this.client = client;
    this.#parts = parts;
  }

  get scope(): string {
    return this.#parts.scope;
  }

  newest(): SharedConnection {
    return this.#next?.newest() ?? this;
  }

  self(): Promise<EmbedSelf> {
    this.#self ??= this.#readSelf();
    return this.#self;
  }

  join(user: ConnectionUser): void {
    this.#users.add(user);
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
  }

  leave(user: ConnectionUser): void {
    this.#users.delete(user);
    if (this.#users.size > 0 || this.#idle !== null) return;
    this.#idle = this.#closeLater();
  }

  renew(): Promise<SharedConnection | null> {
    this.#renewal ??= this.#renew();
    return this.#renewal;
  }

  async #readSelf(): Promise<EmbedSelf> {
    try {
      if (!this.#parts.hasToken) throw new HadalError("unauthenticated");
      const self = await this.#askForSelf();
      this.#isAccepted = true;
      this.#watchExpiry(self.expiresMs);
      return self;
    } catch (error) {
      // A lost connection is asked again; what a token is refused for does not change.
      if (error instanceof HadalError && error.retry) this.#self = null;
      throw error;
    }
  }

  /** Browsers do not say whether a server is lost or refuses their page: its files are for every page. */
  async #askForSelf(): Promise<EmbedSelf> {
    try {
      return await this.client.embeds.self();
    } catch (error) {
      if (!isLost(error) || !(await this.#parts.isReachable())) throw error;
    }
    try {
      // The server may have come back meanwhile.
      return await this.client.embeds.self();
    } catch (error) {
      throw isLost(error) ? this.#parts.refusal() : error;
    }
  }

  /** A clock that is wrong is noticed when the server refuses the token. */
  #watchExpiry(expiresMs: number): void {
    const leftMs = expiresMs - Date.now();
    if (this.#isClosed || leftMs <= 0 || leftMs > timerMsMax) return;
    const waitMs = leftMs - Math.min(leadMsMax, leftMs * leadShare);
    this.#expiry = setTimeout(() => {
      for (const user of this.#users) user.onExpiring(expiresMs);
      void this.renew();
    }, waitMs);
  }

  async #renew(): Promise<SharedConnection | null> {
    const refused = this.#isAccepted ? 0 : this.#refusedBefore + 1;
    const token = refused > refusedMax ? null : await this.#askForToken();
    if (token === null) {
      // A later call asks again: the page may have said by then how to get one.
      this.#renewal = null;
      return null;
    }
    const next = this.#parts.openNext(token).newest();
    if (next === this) {
      this.#renewal = null;
      return null;
    }
    next.#refusedBefore = refused;
    this.#next = next;
    for (const user of [...this.#users]) user.moveTo(next);
    return next;
  }

  /** Of the first chart that can say. */
  async #askForToken(): Promise<string | null> {
    for (const user of this.#users) {
      try {
        const token = await withinTime(user.renewToken());
        if (typeof token === "string" && token !== "") return token;
      } catch {
        // Its page reports its own errors; another chart may know more.
      }
    }
    return null;
  }

  #closeLater(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#close(), idleMs);
  }

  #close(): void {
    this.#isClosed = true;
    if (this.#expiry !== null) clearTimeout(this.#expiry);
    this.client.close();
    this.#parts.onClose();
  }
}

/** Pages without an origin all have the same: no embed can allow one of them. */
const nameOfOrigin = (origin: string): string =>
  origin === "null" ? "a frame with the attribute sandbox, without allow-same-origin," : origin;

const isLost = (error: unknown): boolean =>
  error instanceof HadalError && error.code === "connection-lost";

/** null: nothing came in time. */
function withinTime<Value>(promise: Promise<Value> | null): Promise<Value | null> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, answerMsMax, null);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

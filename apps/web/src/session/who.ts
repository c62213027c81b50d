import {
  type Batch,
  type BatchOptions,
  type HadalClient,
  HadalError,
  type LiveOptions,
  type LiveQuery,
  type Me,
  type PeopleClient,
  type Permission,
  type Query,
  type SignInAttempt,
  type TileQuery,
} from "@hadal/sdk";
import { createStore, type StoreApi } from "zustand/vanilla";
import { isSignedOut, type SignInGate } from "./signInGate.js";

export interface WhoSnapshot {
  /** Who asks; null: not known. */
  readonly me: Me | null;
}

/** Who is signed in. */
export interface Who
  extends Pick<StoreApi<WhoSnapshot>, "getState" | "getInitialState" | "subscribe"> {
  load(): Promise<void>;
  /** Requests that wait for it go on. Another person gets a new page. Rejects with a HadalError. */
  signIn(draft: SignInAttempt): Promise<void>;
  signOut(options?: { readonly everywhere?: boolean }): Promise<void>;
}

export interface WhoParts {
  readonly client: Pick<PeopleClient, "me" | "signIn" | "signOut">;
  readonly gate: SignInGate;
  /** What the page holds belongs to someone else. */
  readonly onOtherPerson: () => void;
}

export function createWho({ client, gate, onOtherPerson }: WhoParts): Who {
  const store = createStore<WhoSnapshot>(() => ({ me: null }));
  return {
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    async load() {
      try {
        store.setState({ me: await client.me() });
      } catch (error) {
        // Whatever else the page asks is refused for the same reason, in its place.
        if (!(error instanceof HadalError)) throw error;
      }
    },
    async signIn(draft) {
      const before = store.getState().me;
      const me = await client.signIn(draft);
      if (before !== null && before.id !== me.id) {
        onOtherPerson();
        return;
      }
      store.setState({ me });
      gate.open();
    },
    async signOut(options = {}) {
      await client.signOut(options);
      onOtherPerson();
    },
  };
}

/** Why the person may not do this, as a sentence; null: they may, or who they are is not known. */
export function whyNot(me: Me | null, permission: Permission): string | null {
  if (me === null || me.permissions.includes(permission)) return null;
  const who = me.role === null ? "This token" : `Your role (${me.role})`;
  return `${who} does not allow ${deeds[permission]}.`;
}

const deeds: Readonly<Record<Permission, string>> = {
  query: "queries",
  ingest: "sending rows",
  save: "saving",
  embed: "embedding",
  operate: "changes of tables and of other people's queries",
  admin: "the administration of people",
};

/** The client's live queries; those that end with the session begin again after the next sign-in. */
export function liveThroughGate(client: Pick<HadalClient, "live">, recheck: () => Promise<void>) {
  return (query: Query | string, options: LiveOptions = {}): LiveQuery => {
    let stopped = false;
    let live = start();
    function start(): LiveQuery {
      return client.live(query, {
        ...options,
        onProblem(problem) {
          if (!isSignedOut(problem)) options.onProblem?.(problem);
          else if (!stopped) void recheck().then(() => stopped || restart());
        },
      });
    }
    function restart(): void {
      live = start();
    }
    return {
      stop() {
        stopped = true;
        live.stop();
      },
      [Symbol.asyncIterator]: () => live[Symbol.asyncIterator](),
    };
  };
}

/** The same for the queries of a board: all of them are asked again. */
export function batchThroughGate(client: Pick<HadalClient, "batch">, recheck: () => Promise<void>) {
  return (queries: readonly TileQuery[], options: BatchOptions): Batch => {
    let stopped = false;
    let isRestarting = false;
    let order: readonly string[] = [];
    let batch = start();
    function start(): Batch {
      return client.batch(queries, {
        ...options,
        onProblem(tile, problem) {
          if (!isSignedOut(problem)) options.onProblem(tile, problem);
          else if (!stopped && !isRestarting) restart();
        },
      });
    }
    /** Each tile has the same problem. */
    function restart(): void {
      isRestarting = true;
      void recheck().then(() => {
        isRestarting = false;
        if (stopped) return;
        batch = start();
        if (order.length > 0) batch.prioritize(order);
      });
    }
    return {
      prioritize(tiles) {
        order = tiles;
        batch.prioritize(tiles);
      },
      stop() {
        stopped = true;
        batch.stop();
      },
    };
  };
}

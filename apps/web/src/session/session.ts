import {
  createClient,
  type HadalClient,
  HadalError,
  type TableDetail,
  type TableInfo,
} from "@hadal/sdk";
import { createStore, type StoreApi } from "zustand/vanilla";
import { createSavedQueries, type SavedQueries } from "./savedQueries.js";
import { createSignInGate, type SignInGate } from "./signInGate.js";
import { batchThroughGate, createWho, liveThroughGate, type Who } from "./who.js";

export interface SessionSnapshot {
  /** null until they are first read. */
  readonly tables: readonly TableInfo[] | null;
  readonly details: ReadonlyMap<string, TableDetail>;
  readonly problem: HadalError | null;
}

/** The client of the page, and the tables as last read. */
export interface Session
  extends Pick<StoreApi<SessionSnapshot>, "getState" | "getInitialState" | "subscribe"> {
  readonly client: HadalClient;
  readonly who: Who;
  readonly gate: SignInGate;
  readonly savedQueries: SavedQueries;
  loadTables(): Promise<void>;
  /** Stores tables that another part of the page has just read. */
  remember(tables: readonly TableInfo[]): void;
  /** Reads a table's columns again; null when this fails (the problem is in the snapshot). */
  loadTable(name: string): Promise<TableDetail | null>;
}

export interface SessionParts {
  readonly send: typeof fetch;
  /** What the page holds belongs to another person. */
  readonly onOtherPerson: () => void;
}

export function createSession({ send, onOtherPerson }: SessionParts): Session {
  const gate = createSignInGate(send);
  const plain = createClient({ fetch: gate.fetch });
  const who = createWho({ client: plain, gate, onOtherPerson });
  const client: HadalClient = {
    ...plain,
    live: liveThroughGate(plain, who.load),
    batch: batchThroughGate(plain, who.load),
  };
  const store = createStore<SessionSnapshot>(() => ({
    tables: null,
    details: new Map(),
    problem: null,
  }));
  return {
    ...{ client, who, gate },
    savedQueries: createSavedQueries(client),
    getState: store.getState,
    getInitialState: store.getInitialState,
    subscribe: store.subscribe,
    async loadTables() {
      try {
        store.setState({ tables: await client.tables(), problem: null });
      } catch (error) {
        store.setState({ problem: asProblem(error) });
      }
    },
    remember(tables) {
      store.setState({ tables, problem: null });
    },
    async loadTable(name) {
      try {
        const detail = await client.table(name);
        const details = new Map(store.getState().details).set(name, detail);
        store.setState({ details });
        return detail;
      } catch (error) {
        store.setState({ problem: asProblem(error) });
        return null;
      }
    },
  };
}

/** The error as a HadalError; any other error is a bug and is rethrown. */
function asProblem(error: unknown): HadalError {
  if (error instanceof HadalError) return error;
  throw error;
}

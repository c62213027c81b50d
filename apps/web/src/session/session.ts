import {
  createClient,
  type HadalClient,
  HadalError,
  type TableDetail,
  type TableInfo,
} from "@hadal/sdk";
import { createStore, type StoreApi } from "zustand/vanilla";

export interface SessionSnapshot {
  /** null while they were never read. */
  readonly tables: readonly TableInfo[] | null;
  readonly details: ReadonlyMap<string, TableDetail>;
  readonly problem: HadalError | null;
}

/** The one client of the page, and the tables as last read. */
export interface Session
  extends Pick<StoreApi<SessionSnapshot>, "getState" | "getInitialState" | "subscribe"> {
  readonly client: HadalClient;
  loadTables(): Promise<void>;
  /** What another part of the page has just read of the tables. */
  remember(tables: readonly TableInfo[]): void;
  /** Reads a table's columns anew; null when it cannot be read (the problem is in the snapshot). */
  loadTable(name: string): Promise<TableDetail | null>;
}

export function createSession(client: HadalClient = createClient()): Session {
  const store = createStore<SessionSnapshot>(() => ({
    tables: null,
    details: new Map(),
    problem: null,
  }));
  return {
    client,
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

/** What went wrong, as a HadalError; what is none is a bug and is thrown on. */
function asProblem(error: unknown): HadalError {
  if (error instanceof HadalError) return error;
  throw error;
}

import { type DocumentSummary, type HadalClient, HadalError } from "@hadal/sdk";
import { createStore, type StoreApi } from "zustand/vanilla";

export interface SavedQueriesSnapshot {
  /** The last changed first; null until they are first read. */
  readonly list: readonly DocumentSummary[] | null;
  readonly problem: HadalError | null;
}

/** The saved queries as last read. */
export interface SavedQueries
  extends Pick<
    StoreApi<SavedQueriesSnapshot>,
    "getState" | "getInitialState" | "setState" | "subscribe"
  > {
  load(): Promise<void>;
}

export function createSavedQueries(client: Pick<HadalClient, "documents">): SavedQueries {
  const store = createStore<SavedQueriesSnapshot>(() => ({ list: null, problem: null }));
  return {
    ...store,
    async load() {
      try {
        store.setState({ list: await client.documents.list({ kind: "query" }), problem: null });
      } catch (error) {
        if (!(error instanceof HadalError)) throw error;
        store.setState({ problem: error });
      }
    },
  };
}

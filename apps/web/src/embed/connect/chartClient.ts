import {
  HadalError,
  type HadalReader,
  type LiveOptions,
  type LiveQuery,
  type Query,
} from "@hadal/sdk";
import type { PanelSession } from "../../panel/ask/panelSession.js";
import type { Connection } from "./connection.js";

/** The client of one chart, over a connection that may be replaced by one with a newer token. */
export interface ChartClient {
  readonly client: PanelSession["client"];
  /** Queries that are running start again there. */
  moveTo(connection: Connection): void;
}

/** A token does not allow to read them. */
const noAnnotations: PanelSession["client"]["annotations"] = {
  list: async () => [],
  listAll: async () => ({ annotations: [], queries: [] }),
  create: async () => {
    throw new HadalError("token-scope", { detail: "This chart has no annotations." });
  },
};

const isRefused = (error: unknown): boolean =>
  error instanceof HadalError && error.code === "unauthenticated";

const isCancelled = (error: unknown): boolean =>
  error instanceof HadalError && error.code === "cancelled";

export function createChartClient(first: Connection): ChartClient {
  let connection = first;
  const now = (): Connection => connection;
  const live = createMovableQueries(now);
  const ask = <Answer>(
    question: (client: HadalReader) => Promise<Answer>,
    options: Stoppable = {},
  ): Promise<Answer> => askRenewed(now, question, options);
  return {
    client: {
      ...first.client,
      live: live.start,
      query: (query, options) => ask((client) => client.query(query, options), options),
      facets: (request, options) => ask((client) => client.facets(request, options), options),
      whatChanged: (request, options) =>
        ask((client) => client.whatChanged(request, options), options),
      values: (...request) => ask((client) => client.values(...request)),
      annotations: noAnnotations,
    },
    moveTo(next) {
      if (next === connection) return;
      connection = next;
      live.restartAll();
    },
  };
}

interface Stoppable {
  readonly signal?: AbortSignal;
}

/** Asks again with the next token when this one is refused, and when its connection has closed meanwhile. */
async function askRenewed<Answer>(
  now: () => Connection,
  question: (client: HadalReader) => Promise<Answer>,
  { signal }: Stoppable,
): Promise<Answer> {
  const asked = now();
  try {
    return await question(asked.client);
  } catch (error) {
    const isClosed = asked !== now() && isCancelled(error) && signal?.aborted !== true;
    if (!isRefused(error) && !isClosed) throw error;
    const next = asked === now() ? await asked.renew() : now();
    if (next === null) throw error;
    return question(next.client);
  }
}

/** Live queries that can be started again over the connection of the moment. */
function createMovableQueries(now: () => Connection) {
  const running = new Set<{ restart(): void }>();
  return {
    start(query: Query | string, options: LiveOptions = {}): LiveQuery {
      const end = (): void => void running.delete(entry);
      const begin = (): LiveQuery => {
        const asked = now();
        return asked.client.live(query, renewedOptions(asked, options, end));
      };
      const entry = {
        restart() {
          current.stop();
          current = begin();
        },
      };
      running.add(entry);
      let current = begin();
      return {
        stop() {
          end();
          current.stop();
        },
        [Symbol.asyncIterator]: () => current[Symbol.asyncIterator](),
      };
    },
    restartAll() {
      for (const entry of [...running]) entry.restart();
    },
  };
}

/** The options of one run over `asked`; `end`: no further run is needed. */
function renewedOptions(asked: Connection, options: LiveOptions, end: () => void): LiveOptions {
  return {
    ...options,
    onResult(result) {
      if (result.final && options.everyMs === undefined) end();
      options.onResult?.(result);
    },
    onProblem(problem) {
      if (isRefused(problem)) {
        // A renewal moves this chart, which starts the query again; so does a later token of the page.
        void asked.renew().then((next) => next ?? options.onProblem?.(problem));
        return;
      }
      if (!problem.retry && options.everyMs === undefined) end();
      options.onProblem?.(problem);
    },
  };
}

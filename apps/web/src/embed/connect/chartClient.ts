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

export function createChartClient(first: Connection): ChartClient {
  let connection = first;
  const running = new Set<{ restart(): void }>();

  /** Asks again with the next token when this one is refused. */
  const ask = async <Answer>(
    question: (client: HadalReader) => Promise<Answer>,
  ): Promise<Answer> => {
    const asked = connection;
    try {
      return await question(asked.client);
    } catch (error) {
      if (!isRefused(error)) throw error;
      const next = asked === connection ? await asked.renew() : connection;
      if (next === null) throw error;
      return question(next.client);
    }
  };

  const live = (query: Query | string, options: LiveOptions = {}): LiveQuery => {
    const entry = {
      restart() {
        current.stop();
        current = start();
      },
    };
    running.add(entry);
    let current = start();
    function start(): LiveQuery {
      const asked = connection;
      return asked.client.live(query, {
        ...options,
        onResult(result) {
          if (result.final && options.everyMs === undefined) running.delete(entry);
          options.onResult?.(result);
        },
        onProblem(problem) {
          if (isRefused(problem)) {
            // A renewal moves this chart, which starts the query again; so does a later token of the page.
            void asked.renew().then((next) => next ?? options.onProblem?.(problem));
            return;
          }
          if (!problem.retry && options.everyMs === undefined) running.delete(entry);
          options.onProblem?.(problem);
        },
      });
    }
    return {
      stop() {
        running.delete(entry);
        current.stop();
      },
      [Symbol.asyncIterator]: () => current[Symbol.asyncIterator](),
    };
  };

  return {
    client: {
      ...first.client,
      live,
      query: (query, options) => ask((client) => client.query(query, options)),
      facets: (request, options) => ask((client) => client.facets(request, options)),
      whatChanged: (request, options) => ask((client) => client.whatChanged(request, options)),
      values: (...request) => ask((client) => client.values(...request)),
      annotations: noAnnotations,
    },
    moveTo(next) {
      if (next === connection) return;
      connection = next;
      for (const entry of [...running]) entry.restart();
    },
  };
}

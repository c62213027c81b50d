import type { Facets, FacetsRequest } from "../model/facets.js";
import { HadalError } from "../model/problem/problem.js";
import { type Query, timeoutMsDefault } from "../model/query.js";
import type { Result } from "../model/result.js";
import type { WhatChanged, WhatChangedRequest } from "../model/whatChanged.js";
import { decodeFacets, facetsOfFrame } from "../wire/decodeFacets.js";
import { decodeResult } from "../wire/decodeResult.js";
import { changesOfFrame, decodeWhatChanged } from "../wire/decodeWhatChanged.js";
import { askedFor } from "../wire/frames.js";
import { bigintAsText } from "../wire/printQuery.js";
import { routes } from "../wire/routes.js";
import type { HadalClient } from "./hadalClient.js";
import type { Http } from "./http.js";
import { type Asked, askedQuery, askOnce } from "./live/askOnce.js";
import { openBatch } from "./live/batch.js";
import { createLiveQuery } from "./live/liveQuery.js";
import type { LiveSocket } from "./live/liveSocket.js";

const sessionHeader = "x-hadal-session";
const arrowType = "application/vnd.apache.arrow.stream";

type Queries = Pick<
  HadalClient,
  "query" | "queryArrow" | "facets" | "whatChanged" | "live" | "batch"
>;

/** Queries and what else reads rows: over the WebSocket when there is one, otherwise over HTTP. */
export function createQueries(http: Http, socket: LiveSocket | null, session: string): Queries {
  return {
    query(query, queryOptions = {}) {
      return socket === null
        ? queryOverHttp(http, query, { session, signal: queryOptions.signal })
        : askOnce(socket, askedQuery(query), queryOptions);
    },
    async queryArrow(query, { signal } = {}) {
      return http.requestBytes(routes.query(), postQuery(query, arrowType, { session, signal }));
    },
    async facets(request, askOptions = {}) {
      if (socket !== null) return askOnce(socket, askedFacets(request), askOptions);
      const init = postRequest(request, { session, signal: askOptions.signal });
      return decodeFacets((await http.requestJson(routes.facets(), init)) as Facets);
    },
    async whatChanged(request, askOptions = {}) {
      if (socket !== null) return askOnce(socket, askedChanges(request), askOptions);
      const init = postRequest(request, { session, signal: askOptions.signal });
      return decodeWhatChanged((await http.requestJson(routes.whatChanged(), init)) as WhatChanged);
    },
    live(query, liveOptions = {}) {
      return createLiveQuery(socket ?? noSocket("live"), query, liveOptions);
    },
    batch: (queries, batchOptions) => openBatch(socket ?? noSocket("batch"), queries, batchOptions),
  };
}

function noSocket(name: string): never {
  throw new HadalError("bad-request", {
    detail: `\`${name}\` needs a WebSocket: pass the one of the ws package to createClient.`,
  });
}

async function queryOverHttp(
  http: Http,
  query: Query | string,
  options: PostOptions,
): Promise<Result> {
  const init = postQuery(query, "application/json", options);
  return decodeResult((await http.requestJson(routes.query(), init)) as Result);
}

interface PostOptions {
  readonly session: string;
  readonly signal: AbortSignal | undefined;
}

function postRequest(request: object, { session, signal }: PostOptions): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", [sessionHeader]: session },
    body: JSON.stringify(request, bigintAsText),
    signal: signal ?? null,
  };
}

function askedChanges(request: WhatChangedRequest): Asked<WhatChanged> {
  return {
    request: { kind: "what-changed", whatChanged: request },
    timeoutMs: request.timeoutMs ?? timeoutMsDefault,
    answerOf: changesOfFrame,
  };
}

function askedFacets(request: FacetsRequest): Asked<Facets> {
  return {
    request: { kind: "facets", facets: request },
    timeoutMs: request.timeoutMs ?? timeoutMsDefault,
    answerOf: facetsOfFrame,
  };
}

function postQuery(
  query: Query | string,
  accept: string,
  { session, signal }: PostOptions,
): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", accept, [sessionHeader]: session },
    body: JSON.stringify(askedFor(query), bigintAsText),
    signal: signal ?? null,
  };
}

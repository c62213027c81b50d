import type { Facets, FacetsRequest } from "../model/facets.js";
import type { IngestReply, RowsPreview } from "../model/ingest.js";
import type { ShortLink } from "../model/link.js";
import { HadalError } from "../model/problem/problem.js";
import { type Query, timeoutMsDefault } from "../model/query.js";
import type { Result } from "../model/result.js";
import type { StatusInfo, TableDetail, TableInfo, TableSettings } from "../model/schema.js";
import type { FunctionTrialResult, UserFunction } from "../model/userFunction.js";
import type { WhatChanged, WhatChangedRequest } from "../model/whatChanged.js";
import { completenessHeader, parseCompletenessLine } from "../wire/completenessLine.js";
import { decodeFacets, facetsOfFrame } from "../wire/decodeFacets.js";
import { decodeResult } from "../wire/decodeResult.js";
import { changesOfFrame, decodeWhatChanged } from "../wire/decodeWhatChanged.js";
import { askedFor } from "../wire/frames.js";
import { bigintAsText } from "../wire/printQuery.js";
import { routes } from "../wire/routes.js";
import { type Asked, askedQuery, askOnce } from "./askOnce.js";
import type {
  ClientOptions,
  ColumnValues,
  HadalClient,
  WebSocketConstructor,
} from "./hadalClient.js";
import { createHttp, type Http } from "./http.js";
import { createIngest } from "./ingest.js";
import { createLiveQuery } from "./liveQuery.js";
import { createLiveSocket, type LiveSocket } from "./liveSocket.js";
import { randomKey } from "./randomKey.js";

export const urlDefault = "http://127.0.0.1:7400";

/** A batch that is not answered by then is sent again; its key keeps it from being stored twice. */
const ingestAttemptMsMax = 60_000;
const sessionHeader = "x-hadal-session";
const arrowType = "application/vnd.apache.arrow.stream";

type IngestBody = Parameters<HadalClient["ingestBody"]>;

/** A client of one Hadal server, for Node.js and browsers. Call `close` when done with it. */
export function createClient(options: ClientOptions = {}): HadalClient {
  const url = checkUrl(options.url ?? pageOrigin() ?? urlDefault);
  // Over all connections: answers never go back in time.
  const session = randomKey();
  const http = createHttp(url, options.fetch ?? ((input, init) => fetch(input, init)));
  const socket = openSocket(`${url}${routes.live()}?session=${session}`, options.webSocket);

  const ingestBody = async (...[table, body, bodyOptions]: IngestBody): Promise<IngestReply> => {
    const { contentType, idempotencyKey, signal, csv, ...asked } = bodyOptions;
    const { time, timeUnit, timeZone, binary, ack } = asked;
    const parameters = printParameters({ time, timeUnit, timeZone, binary, ack, ...csv });
    const reply = await http.requestJson(routes.rows(table) + parameters, {
      method: "POST",
      headers: {
        "content-type": contentType,
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      },
      body: body as BodyInit,
      signal: signal ?? null,
    });
    return reply as IngestReply;
  };

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
      if (socket !== null) return createLiveQuery(socket, query, liveOptions);
      throw new HadalError("bad-request", {
        detail: "`live` needs a WebSocket: pass the one of the ws package to createClient.",
      });
    },
    ingest(table, ingestOptions = {}) {
      const { time, timeUnit, timeZone, ack } = ingestOptions;
      return createIngest(async (body, idempotencyKey) => {
        const attempt = new AbortController();
        const timer = setTimeout(() => attempt.abort(), ingestAttemptMsMax);
        try {
          return await ingestBody(table, body, {
            contentType: "application/x-ndjson",
            idempotencyKey,
            signal: attempt.signal,
            ...(time === undefined ? {} : { time }),
            ...(timeUnit === undefined ? {} : { timeUnit }),
            ...(timeZone === undefined ? {} : { timeZone }),
            ...(ack === undefined ? {} : { ack }),
          });
        } catch (error) {
          if (!attempt.signal.aborted) throw error;
          throw new HadalError("connection-lost", { url });
        } finally {
          clearTimeout(timer);
        }
      }, ingestOptions);
    },
    ingestBody,
    async previewBody(table, body, { contentType, signal, csv, ...asked }) {
      const { time, timeUnit, timeZone, binary } = asked;
      const rest = { time, timeUnit, timeZone, binary, ...csv };
      const parameters = printParameters({ preview: "true", ...rest });
      return (await http.requestJson(routes.rows(table) + parameters, {
        method: "POST",
        headers: { "content-type": contentType },
        body: body as BodyInit,
        signal: signal ?? null,
      })) as RowsPreview;
    },
    async tables() {
      return (await http.requestJson(routes.tables())) as readonly TableInfo[];
    },
    async table(name) {
      return (await http.requestJson(routes.table(name))) as TableDetail;
    },
    async setTable(name, settings) {
      return (await http.requestJson(routes.settings(name), {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(settings),
      })) as TableSettings;
    },
    async deleteTable(name) {
      await http.requestJson(routes.table(name), { method: "DELETE" });
    },
    async values(table, column, { signal, ...parameters } = {}) {
      const path = routes.values(table, column) + printParameters(parameters);
      const init = { signal: signal ?? null };
      const { body, headers } = await http.requestAnswer(path, init);
      const completeness = parseCompletenessLine(headers.get(completenessHeader));
      return Object.defineProperty(body as ColumnValues, "completeness", { value: completeness });
    },
    async functions() {
      return (await http.requestJson(routes.functions())) as readonly UserFunction[];
    },
    async function(name) {
      return (await http.requestJson(routes.function(name))) as UserFunction;
    },
    async saveFunction(name, draft, { version } = {}) {
      return (await http.requestJson(routes.function(name), {
        method: "PUT",
        headers: {
          "content-type": "application/json",
          ...(version === undefined ? {} : { "if-match": `"${version}"` }),
        },
        body: JSON.stringify(draft),
      })) as UserFunction;
    },
    async deleteFunction(name) {
      await http.requestJson(routes.function(name), { method: "DELETE" });
    },
    async tryFunction(trial) {
      return (await http.requestJson(routes.functionTrial(), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(trial),
      })) as FunctionTrialResult;
    },
    async saveLink(path) {
      return (await http.requestJson(routes.links(), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ path }),
      })) as ShortLink;
    },
    async link(id) {
      return (await http.requestJson(routes.link(id))) as ShortLink;
    },
    async cancel(id) {
      await http.request(routes.runningQuery(id), { method: "DELETE" });
    },
    async status() {
      return (await http.requestJson(routes.status())) as StatusInfo;
    },
    close() {
      socket?.close();
    },
  };
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
    question: { kind: "what-changed", whatChanged: request },
    timeoutMs: request.timeoutMs ?? timeoutMsDefault,
    answerOf: changesOfFrame,
  };
}

function askedFacets(request: FacetsRequest): Asked<Facets> {
  return {
    question: { kind: "facets", facets: request },
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

function openSocket(url: string, given: WebSocketConstructor | undefined): LiveSocket | null {
  const webSocket = given ?? (globalThis.WebSocket as WebSocketConstructor | undefined);
  if (webSocket === undefined) return null;
  return createLiveSocket(url.replace(/^http/, "ws"), webSocket);
}

function checkUrl(url: string): string {
  if (/^https?:\/\/[^/?#]/.test(url) && URL.canParse(url)) return url.replace(/\/+$/, "");
  throw new HadalError("bad-request", {
    detail: `${JSON.stringify(url)} is not the address of a server: write http://host:port.`,
  });
}

/** Where the page came from; undefined outside a browser. */
function pageOrigin(): string | undefined {
  const location = globalThis.location as Location | undefined;
  return location?.origin;
}

function printParameters(
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? "" : `?${search}`;
}

import type { CacheInfo } from "../model/cluster/cacheInfo.js";
import type { ClusterInfo, DrainOptions, MachineInfo } from "../model/cluster/cluster.js";
import type { ClusterPlan, PlanOptions } from "../model/cluster/clusterPlan.js";
import type { Facets, FacetsRequest } from "../model/facets.js";
import type {
  AckLevel,
  BatchesReply,
  BinaryForm,
  CsvParameters,
  IngestReply,
  RawParameters,
  RowProblem,
  RowsPreview,
  TimeUnit,
} from "../model/ingest/ingest.js";
import type { ShortLink } from "../model/link.js";
import type { HadalError } from "../model/problem/problem.js";
import type { Query } from "../model/query.js";
import type { Completeness, Result } from "../model/result.js";
import type { StatusInfo, TableDetail, TableInfo, TableSettings } from "../model/schema.js";
import type {
  FunctionDraft,
  FunctionTrial,
  FunctionTrialResult,
  UserFunction,
} from "../model/userFunction.js";
import type { WhatChanged, WhatChangedRequest } from "../model/whatChanged.js";
import type { AlertsClient } from "./document/alerts.js";
import type { AnnotationsClient } from "./document/annotations.js";
import type { DocumentsClient } from "./document/documents.js";
import type { EmbedsClient } from "./embeds.js";
import type { PeopleClient } from "./people.js";
import type { Sampling } from "./sampling/sampling.js";
import type { SourcesClient } from "./sources.js";

export interface ClientOptions {
  /**
   * Base address of the server, e.g. `http://127.0.0.1:7400`. In a browser: the page's own origin.
   */
  readonly url?: string;
  /** `hdl_…`, or an embed token: what the client may do is what the token may. In a page a cookie stands for the user. */
  readonly token?: string;
  /**
   * Node.js 20 has no WebSocket of its own: pass the `WebSocket` of the `ws` package there to use
   * `live`; `query` falls back to HTTP without it.
   */
  readonly webSocket?: WebSocketConstructor;
  readonly fetch?: typeof fetch;
}

/** The part of the standard WebSocket that the client uses. */
export interface WebSocketLike {
  readonly readyState: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(): void;
}

export type WebSocketConstructor = new (url: string, protocols?: string[]) => WebSocketLike;

export interface AskOptions<Answer> {
  readonly signal?: AbortSignal;
  /** Called with every partial answer, in order; each replaces the one before. */
  readonly onPartial?: (partial: Answer) => void;
}

export type QueryOptions = AskOptions<Result>;

export interface LiveOptions {
  readonly signal?: AbortSignal;
  /** Ask again this long after each final answer; omitted: ask once. */
  readonly everyMs?: number;
  readonly onResult?: (result: Result) => void;
  /**
   * Called for problems after which the subscription goes on: a refused answer, a connection that
   * is opened again.
   */
  readonly onProblem?: (problem: HadalError) => void;
}

/**
 * A query whose result keeps arriving: partials and finals (`result.final`), in order. A slow
 * reader gets the newest only.
 */
export interface LiveQuery extends AsyncIterable<Result> {
  stop(): void;
}

/** A query of a board, under the name of its tile. */
export interface TileQuery {
  readonly tile: string;
  /** A text is SQL. */
  readonly query: Query | string;
}

export interface BatchOptions {
  /** Ask all again this long after the last answer; omitted: ask once. */
  readonly everyMs?: number;
  /** Partials and finals of each tile, in order; each replaces the one before. */
  readonly onResult: (tile: string, result: Result) => void;
  readonly onProblem: (tile: string, problem: HadalError) => void;
  /** The connection was lost, and is opened again. */
  readonly onLost?: (problem: HadalError) => void;
}

/** Many queries in one request: those of a board. */
export interface Batch {
  /** These tiles go first from now on, in this order: those in view. */
  prioritize(tiles: readonly string[]): void;
  stop(): void;
}

export interface IngestOptions {
  readonly ack?: AckLevel;
  /** Column that holds the event time; default `time`. */
  readonly time?: string;
  /**
   * What numbers in that column count since 1970; without it, milliseconds between 1990 and ten
   * years ahead.
   */
  readonly timeUnit?: TimeUnit;
  /** IANA zone of times without one of their own, and of dates; left out: these are refused. */
  readonly timeZone?: string;
  /** Rows per batch; default 5,000. */
  readonly batchRows?: number;
  /** Longest a row waits for its batch to fill; default 1,000 ms. */
  readonly batchMs?: number;
  /** Rows held while the server is slow or away; `push` waits beyond it; default 100,000. */
  readonly pendingRowsMax?: number;
  /** How long a batch is retried before its rows count as lost; default 5 minutes. */
  readonly retryMs?: number;
  /** Sends some of the rows, each with the `sample_rate` that it stands for; left out: all. */
  readonly sample?: Sampling;
  readonly onBatch?: (reply: IngestReply) => void;
  /** `line` counts the rows pushed to this writer from 1, whatever batch they travelled in. */
  readonly onRejected?: (problems: readonly RowProblem[]) => void;
}

export interface IngestSummary {
  readonly accepted: number;
  readonly rejected: number;
  /** Rows whose batch could not be delivered within `retryMs`. */
  readonly lost: number;
  /** Rows that were not sent because others stand for them. Absent without sampling. */
  readonly sampledOut?: number;
}

/** One row: any JSON object with a `time`. BigInt values travel digit by digit. */
export type IngestRow = Readonly<Record<string, unknown>>;

/**
 * A bounded, retrying writer. Every batch carries an idempotency key, so a retry never stores rows
 * twice.
 */
export interface Ingest {
  /** Resolves when there is room for more; await it to be held back instead of growing. */
  push(row: IngestRow): Promise<void>;
  /** Sends what is waiting; resolves when everything pushed so far is answered. */
  flush(): Promise<IngestSummary>;
  close(): Promise<IngestSummary>;
}

export interface ColumnValue {
  readonly value: string | number | null;
  readonly count: number;
}

/**
 * A list of values with the completeness of the rows they come from; JSON.stringify prints the
 * values only.
 */
export interface ColumnValues extends ReadonlyArray<ColumnValue> {
  readonly completeness: Completeness;
}

export interface BodyOptions {
  readonly contentType: string;
  /** Column that holds the event time; default `time`. */
  readonly time?: string | undefined;
  /**
   * What numbers in that column count since 1970; left out: milliseconds, from 1990 to ten years
   * ahead.
   */
  readonly timeUnit?: TimeUnit | undefined;
  /** IANA zone of times without one of their own, and of dates; left out: these are refused. */
  readonly timeZone?: string | undefined;
  /** Of Arrow. */
  readonly binary?: BinaryForm;
  /** How CSV is to be read; what is left out is found by its first rows. */
  readonly csv?: CsvParameters;
  /** How raw lines (`text/plain`) and profiles are to be read. */
  readonly raw?: RawParameters;
  readonly signal?: AbortSignal;
}

export interface SendOptions
  extends Pick<BodyOptions, "time" | "timeUnit" | "timeZone" | "signal"> {
  readonly idempotencyKey?: string;
  readonly ack?: AckLevel | undefined;
}

export interface HadalClient extends PeopleClient {
  /**
   * Asks once and waits for the final result; a text is SQL. Rejects with a HadalError, whose
   * `errors` have line and column where it is about SQL.
   */
  query(query: Query | string, options?: QueryOptions): Promise<Result>;
  /**
   * The final result as the bytes of an Arrow IPC stream, for `tableFromIPC` and the like. Rejects
   * with a HadalError.
   */
  queryArrow(query: Query | string, options?: Pick<QueryOptions, "signal">): Promise<Uint8Array>;
  /**
   * The values of many columns with their counts over all rows of a range, fill rates and numbers
   * of distinct values, in one scan that steps behind queries. Partials come over the live socket
   * only.
   */
  facets(request: FacetsRequest, options?: AskOptions<Facets>): Promise<Facets>;
  /**
   * In which columns two sets of rows differ, all of them in one scan; columns ranked, with how
   * sure that is.
   */
  whatChanged(request: WhatChangedRequest, options?: AskOptions<WhatChanged>): Promise<WhatChanged>;
  live(query: Query | string, options?: LiveOptions): LiveQuery;
  /** Many queries in one request over the live socket, such as the tiles of a board. */
  batch(queries: readonly TileQuery[], options: BatchOptions): Batch;
  ingest(table: string, options?: IngestOptions): Ingest;
  /** Sends one prepared body (NDJSON, JSON, CSV, raw lines or an Arrow stream) as one request. */
  ingestBody(
    table: string,
    body: string | Uint8Array,
    options: BodyOptions & {
      readonly idempotencyKey?: string;
      readonly ack?: AckLevel | undefined;
    },
  ): Promise<IngestReply>;
  /**
   * Sends rows of several tables as one request: all of them become visible, in one moment, or none.
   * Sent again with the same key, they are stored once. Rejects with a HadalError, whose `errors` name
   * the table and row of each that is wrong.
   */
  sendBatches(
    tables: Readonly<Record<string, readonly IngestRow[]>>,
    options?: SendOptions,
  ): Promise<BatchesReply>;
  /** What would become of a body, sent whole or its beginning; nothing is stored. */
  previewBody(table: string, body: string | Uint8Array, options: BodyOptions): Promise<RowsPreview>;
  tables(): Promise<readonly TableInfo[]>;
  table(name: string): Promise<TableDetail>;
  /** Replaces the table's settings; what is left out is back at its default. */
  setTable(name: string, settings: Partial<TableSettings>): Promise<TableSettings>;
  /** Removes the table with all its rows; its settings go too. */
  deleteTable(name: string): Promise<void>;
  /** Values of a column with their counts over all rows of the range, most frequent first. */
  values(
    table: string,
    column: string,
    options?: {
      readonly prefix?: string;
      readonly from?: string | number;
      readonly to?: string | number;
      readonly limit?: number;
      readonly signal?: AbortSignal;
    },
  ): Promise<ColumnValues>;
  /** Saved functions, the examples that came with Hadal among them. */
  functions(): Promise<readonly UserFunction[]>;
  function(name: string): Promise<UserFunction>;
  /**
   * Saves a function as the next version of its name; with `version`, only if that is the present
   * one.
   */
  saveFunction(
    name: string,
    draft: FunctionDraft,
    options?: { readonly version?: number },
  ): Promise<UserFunction>;
  deleteFunction(name: string): Promise<void>;
  /** Runs a function on a few rows and returns its result for each. */
  tryFunction(trial: FunctionTrial): Promise<FunctionTrialResult>;
  /** Saved queries, dashboards and the like, with all their versions. */
  readonly documents: DocumentsClient;
  /** What happened when, such as releases, for charts over time. */
  readonly annotations: AnnotationsClient;
  readonly alerts: AlertsClient;
  /** Charts that other pages show. */
  readonly embeds: EmbedsClient;
  /** Topics of Kafka whose messages become rows. */
  readonly sources: SourcesClient;
  /** Keeps an address of the page under a short name: `/s/{id}` leads there. */
  saveLink(path: string): Promise<ShortLink>;
  link(id: string): Promise<ShortLink>;
  /** Cancels a running query, of others with the permission `operate`; ids are in the status. */
  cancel(id: string): Promise<void>;
  status(): Promise<StatusInfo>;
  /** The answers that the server keeps. */
  cache(): Promise<CacheInfo>;
  /** Removes kept answers about a table; left out: all. The next ones read all rows again. */
  clearCache(table?: string): Promise<void>;
  /** The machines of the cluster, and the tree of the last query. */
  cluster(): Promise<ClusterInfo>;
  /**
   * Empties a machine: it gets no new rows, and answers queries until it may be stopped. Rejects with
   * `unknown-machine`, and with `last-machine` where no other one takes rows.
   */
  drain(machine: string, options?: DrainOptions): Promise<MachineInfo>;
  /** How long a query would take on a cluster, and the memory for its rows; without options on this one. */
  plan(options?: PlanOptions): Promise<ClusterPlan>;
  close(): void;
}

/** What a {@link HadalClient} can ask. */
export type HadalReader = Pick<
  HadalClient,
  | ("query" | "queryArrow" | "facets" | "whatChanged" | "live" | "batch")
  | ("values" | "embeds" | "status" | "close")
>;

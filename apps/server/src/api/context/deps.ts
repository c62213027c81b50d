import type {
  AuthMode,
  CacheInfo,
  CachePool,
  ClusterInfo,
  ClusterPlan,
  DemoInfo,
  Facets,
  IngestStage,
  LedgerInfo,
  MachineInfo,
  MemberInfo,
  PlanOptions,
  Query,
  RegistryRequest,
  Result,
  SandboxState,
  SealedRegistry,
  ShortLink,
  SourceInfo,
  SourceStatus,
  StatusInfo,
  TableDetail,
  TableInfo,
  TableSettings,
  WhatChanged,
} from "@hadal/sdk";
import type { Access } from "../../access/access.js";
import type { Actor } from "../../access/audit/auditLog.js";
import type { Credentials } from "../../access/credentials.js";
import type { OidcService } from "../../access/oidc/oidcService.js";
import type { Person } from "../../access/person.js";
import type { AlertService } from "../../alert/alertService.js";
import type { Readable } from "../../base/access/readable.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { RowIngest } from "../../ingest/ingestRows.js";
import type { PictureHost } from "../../picture/pictureHost.js";
import type { AnswerPool } from "../../query/admit/answerPool.js";
import type { AnswerSession } from "../../query/answerSession.js";
import type { FunctionService } from "../../query/functionService.js";
import type { SharedScans } from "../../query/run/sharedScans.js";
import type { Documents } from "../../registry/document/documents.js";
import type { CapLimits } from "./clientCaps.js";

export interface AskOptions<Answer = Result> {
  readonly signal: StopSignal;
  readonly onPartial?: (partial: Answer) => void;
  /** Names the query while it runs. */
  readonly id: string;
  /** The client's session: none of its answers is older than an earlier one. */
  readonly session: AnswerSession;
  /** What whoever asks may read. */
  readonly readable: Readable;
  /** Queries that begin in the same turn share scans. */
  readonly scans?: SharedScans;
  /** What asks: answers are kept in its pool. Default: a person. */
  readonly pool?: CachePool;
  /** No answer is of an earlier moment, in place of the session's newest answer. */
  readonly floor?: number;
}

/** Short names of addresses of the page. */
export interface LinkService {
  save(path: string): Promise<ShortLink>;
  /** Rejects with `unknown-link`. */
  find(id: string): Promise<ShortLink>;
}

/** Topics of Kafka that are read. */
export interface SourceService {
  list(): readonly SourceInfo[];
  /** Throws `unknown-source`. */
  get(id: string): SourceInfo;
  /** `body` is what was sent. Rejects with `invalid-query`, `source-fixed`, `registry-unavailable`. */
  set(id: string, body: unknown, actor: Actor): Promise<SourceInfo>;
  remove(id: string, actor: Actor): Promise<void>;
  status(): Promise<readonly SourceStatus[]>;
  /** Of what this gateway reads. */
  lags(): readonly { readonly source: string; readonly topic: string; readonly lagRows: number }[];
  /** Rows refused since the start, by source. */
  rejected(): ReadonlyMap<string, number>;
}

/** What the API needs from the rest of the gateway. */
export interface ApiDeps {
  /** Users, sessions, tokens, grants and the audit log. */
  readonly access: Access;
  /** Sign-in at an OpenID Connect provider; null: there is none. */
  readonly oidc: OidcService | null;
  /** Finds who sends a request, the demo included. Throws `unauthenticated`. */
  identify(credentials: Credentials): Person | Promise<Person>;
  /** Rejects with what the query would be refused with, without running it. */
  checkAsked(query: Query, readable: Readable): Promise<void>;
  /** Checks and runs a query; rejects with a HadalError. Calls `onPartial` at most every 50 ms. */
  ask(query: unknown, options: AskOptions): Promise<Result>;
  /** The same for the values of many columns. */
  facets(request: unknown, options: AskOptions<Facets>): Promise<Facets>;
  /** The same for the differences between two sets of rows. */
  whatChanged(request: unknown, options: AskOptions<WhatChanged>): Promise<WhatChanged>;
  tables(readable: Readable): Promise<readonly TableInfo[]>;
  /** Rejects with `unknown-table`, naming the nearest that may be read. */
  table(name: string, readable: Readable): Promise<TableDetail>;
  /** Saves the table's settings; they apply from the next round of retention on. */
  /** The table may have no rows yet. */
  setTable(name: string, settings: TableSettings, actor: Actor): Promise<void>;
  /** Of a table without rows; false: it has none. */
  removeSettings(name: string, actor: Actor): Promise<boolean>;
  deleteTable(name: string, actor: Actor): Promise<void>;
  members(): Promise<readonly MemberInfo[]>;
  /** The machines; numbers of rows only for those who may read all tables. */
  cluster(readable: Readable): Promise<ClusterInfo>;
  /**
   * Empties a machine, or lets it take rows again. Rejects with `unknown-machine`, `last-machine`,
   * `registry-unavailable`.
   */
  drain(
    wanted: { readonly machine: string; readonly drain: boolean },
    actor: Actor,
    readable: Readable,
  ): Promise<MachineInfo>;
  /** Where the registry is, sealed for a member that joins. Throws `bad-request`. */
  offerRegistry(asked: RegistryRequest): SealedRegistry;
  /** Why the gateway cannot serve yet; null when it can. */
  unready(): string | null;
  /** Counts the memory of answers until they are sent. */
  readonly answers: AnswerPool;
  /** Counts of queries that run, that wait, and that were refused. */
  admission(): StatusInfo["admission"];
  /** The answers that are kept. */
  cache(): CacheInfo;
  /** Removes kept answers about a table; null: all. */
  clearCache(table: string | null): Promise<void>;
  /** How far the demo's history has come; null: there is no demo. */
  demo(): DemoInfo | null;
  /** How functions are isolated. */
  sandbox(): SandboxState;
  /** The rows in each stage from this gateway to merged segments. */
  stages(): readonly IngestStage[];
  /** The state of the row-count ledger. */
  ledger(): LedgerInfo;
  /** Plans a cluster. Rejects with `bad-request`, `unknown-table`, `no-leaves`. */
  plan(asked: PlanOptions, readable: Readable): Promise<ClusterPlan>;
  readonly functions: FunctionService;
  readonly documents: Documents;
  readonly alerts: AlertService;
  readonly links: LinkService;
  /** Draws with the answers of the source it is given. Rejects with a HadalError. */
  readonly pictures: Pick<PictureHost, "draw">;
  readonly ingest: RowIngest;
  readonly sources: SourceService;
  /** Metrics of other parts, in Prometheus text. */
  metrics?(): Promise<string>;
  /** Logs what only the operator should read. */
  logError(text: string, error: unknown): void;
  nowMs(): number;
}

export interface ApiSettings {
  /** The address on which the server listens; requests may name it as their host. */
  readonly host: string;
  /** Folder of the built web app; null serves none. */
  readonly webFolder: string | null;
  /** Folder of what other pages load to show charts; null or left out serves none. */
  readonly embedFolder?: string | null;
  /** Further host names under which the server may be reached, e.g. behind a proxy. */
  readonly hostsAllowed?: readonly string[];
  /** How people sign in; left out: they do not. */
  readonly auth?: AuthMode;
  /** A certificate and its key in PEM; null or left out: plain HTTP. */
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer } | null;
  /** Addresses and ranges of proxies whose `X-Forwarded-…` headers count. */
  readonly trustedProxies?: readonly string[];
  /** Headers by which such a proxy names who signed in. */
  readonly personHeaders?: PersonHeaders | null;
  readonly live?: Partial<LiveLimits>;
  readonly limits?: CapLimits;
}

/** The headers in which a trusted proxy names who signed in, in lower case. */
export interface PersonHeaders {
  readonly name: string;
  readonly groups: string | null;
}

/** Bounds of one live socket. */
export interface LiveLimits {
  readonly pingMs: number;
  /** A peer that misses this many pings is gone. */
  readonly pingsMissedMax: number;
  /** A socket that takes no data for this long is closed. */
  readonly stuckMs: number;
  readonly queriesMax: number;
}

export const liveLimitsDefault: LiveLimits = {
  /** A peer that takes no data answers no ping: after two missed ones it is gone within half a minute. */
  pingMs: 8_000,
  pingsMissedMax: 2,
  stuckMs: 20_000,
  /** A dashboard of 60 panels on one socket. */
  queriesMax: 64,
};

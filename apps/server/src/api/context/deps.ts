import type {
  DemoInfo,
  Facets,
  LedgerInfo,
  MemberInfo,
  Result,
  SandboxState,
  ShortLink,
  StatusInfo,
  TableDetail,
  TableInfo,
  TableSettings,
  WhatChanged,
} from "@hadal/sdk";
import type { ClientLimits } from "../../base/limit/clientLimits.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { RowIngest } from "../../ingest/ingestRows.js";
import type { AnswerPool } from "../../query/admit/answerPool.js";
import type { AnswerSession } from "../../query/answerSession.js";
import type { FunctionService } from "../../query/functionService.js";

export interface AskOptions<Answer = Result> {
  readonly signal: StopSignal;
  readonly onPartial?: (partial: Answer) => void;
  /** Names the query while it runs. */
  readonly id: string;
  /** Of the client: no answer to it is of an earlier moment than one that it had before. */
  readonly session: AnswerSession;
}

/** Short names of addresses of the page. */
export interface LinkService {
  save(path: string): Promise<ShortLink>;
  /** Rejects with `unknown-link`. */
  find(id: string): Promise<ShortLink>;
}

/** What the interface to people needs of the rest of the gateway. */
export interface ApiDeps {
  /** Checks and runs a query; rejects with a HadalError. Calls `onPartial` at most every 50 ms. */
  ask(query: unknown, options: AskOptions): Promise<Result>;
  /** The same for the values of many columns. */
  facets(request: unknown, options: AskOptions<Facets>): Promise<Facets>;
  /** The same for what two sets of rows differ in. */
  whatChanged(request: unknown, options: AskOptions<WhatChanged>): Promise<WhatChanged>;
  tables(): Promise<readonly TableInfo[]>;
  /** Rejects with `unknown-table`, naming the nearest. */
  table(name: string): Promise<TableDetail>;
  /** Keeps the table's settings; they hold from the next round of retention on. */
  setTable(name: string, settings: TableSettings): Promise<void>;
  deleteTable(name: string): Promise<void>;
  members(): Promise<readonly MemberInfo[]>;
  /** Why the gateway cannot serve yet; null when it can. */
  unready(): string | null;
  /** Where answers count until they have left. */
  readonly answers: AnswerPool;
  /** Queries that run, wait, and were refused since they could not. */
  admission(): StatusInfo["admission"];
  /** How far the demo's history has come; null: there is no demo. */
  demo(): DemoInfo | null;
  /** How functions are shut in. */
  sandbox(): SandboxState;
  /** The state of the row-count ledger. */
  ledger(): LedgerInfo;
  readonly functions: FunctionService;
  readonly links: LinkService;
  readonly ingest: RowIngest;
  /** Metrics of other parts, in Prometheus text. */
  metrics?(): Promise<string>;
  /** For what only the operator should read. */
  logError(text: string, error: unknown): void;
  nowMs(): number;
}

export interface ApiSettings {
  /** The address the server listens on; it may be asked for under this name. */
  readonly host: string;
  /** Folder of the built web app; null serves none. */
  readonly webFolder: string | null;
  /** Further host names under which the server may be reached, e.g. behind a proxy. */
  readonly hostsAllowed?: readonly string[];
  readonly live?: Partial<LiveLimits>;
  readonly limits?: ClientLimits;
}

/** Bounds of one live socket. */
export interface LiveLimits {
  readonly pingMs: number;
  /** A peer that answered none of so many pings is gone. */
  readonly pingsMissedMax: number;
  /** A socket that took nothing for so long is closed. */
  readonly stuckMs: number;
  readonly queriesMax: number;
}

export const liveLimitsDefault: LiveLimits = {
  /** Who takes nothing answers no ping: with two missed it is gone before half a minute. */
  pingMs: 8_000,
  pingsMissedMax: 2,
  stuckMs: 20_000,
  /** A dashboard of 60 panels on one socket. */
  queriesMax: 64,
};

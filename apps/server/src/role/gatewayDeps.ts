import type { DemoInfo } from "@hadal/sdk";
import { checkFacets, checkFunctionDraft, checkQuery, checkWhatChanged } from "@hadal/sdk/checks";
import type { ApiDeps } from "../api/context/deps.js";
import type { LeafConnection } from "../cluster/leafConnection.js";
import type { FunctionDocuments } from "../document/functionDocuments.js";
import type { LinkDocuments } from "../document/linkDocuments.js";
import type { SandboxHost } from "../function/sandbox/sandboxHost.js";
import type { RowIngest } from "../ingest/ingestRows.js";
import type { LedgerAudit } from "../ingest/ledger/ledgerAudit.js";
import type { RowCountLedger } from "../ingest/ledger/rowCountLedger.js";
import type { Retention } from "../ingest/retention/retention.js";
import type { TableSettingsFile } from "../ingest/retention/tableSettings.js";
import type { Admission } from "../query/admit/admission.js";
import type { AnswerPool } from "../query/admit/answerPool.js";
import { answerQuery } from "../query/answerQuery.js";
import type { ColumnOrder } from "../query/bind/columnOrder.js";
import type { TableCatalogue } from "../query/bind/tableCatalogue.js";
import { RecentAnswers } from "../query/cache/recentAnswers.js";
import { SharedAnswers } from "../query/cache/sharedAnswers.js";
import { runWhatChanged } from "../query/change/runWhatChanged.js";
import { runFacets } from "../query/facet/runFacets.js";
import { createFunctionService } from "../query/functionService.js";
import { runQuery } from "../query/run/runQuery.js";
import { printLeafMetrics } from "./leafMetrics.js";
import { gatewayMember, leafMember } from "./members.js";

/** The parts of a gateway that requests need. */
export interface GatewayParts {
  readonly settings: {
    readonly leaves: readonly LeafConnection[];
    readonly demo?: () => DemoInfo | null;
    readonly warn: (text: string) => void;
    readonly onPathMs?: (ms: number) => void;
  };
  readonly ledger: RowCountLedger;
  readonly tableSettings: TableSettingsFile;
  readonly order: ColumnOrder;
  readonly catalogue: TableCatalogue;
  readonly retention: Retention;
  readonly ingest: RowIngest;
  readonly audit: LedgerAudit;
  readonly documents: FunctionDocuments;
  readonly links: LinkDocuments;
  readonly sandbox: SandboxHost;
  readonly answers: AnswerPool;
  readonly admission: Admission;
  readonly now: () => number;
  /** Where the server listens; empty until it does. */
  readonly address: () => string;
}

interface KnownAnswers {
  readonly recent: RecentAnswers;
  readonly shared: SharedAnswers;
}

/** What the API asks of the gateway's parts. */
export function createApiDeps(parts: GatewayParts): ApiDeps {
  const { settings, tableSettings, catalogue, retention, ingest, audit } = parts;
  const { documents, links, sandbox, answers, admission } = parts;
  const { leaves } = settings;
  const logError = (text: string, error: unknown): void =>
    settings.warn(`${text}: ${error instanceof Error ? error.stack : error}`);
  const queryDeps = createQueryDeps(parts, logError);
  const known: KnownAnswers = { recent: new RecentAnswers(), shared: new SharedAnswers() };
  return {
    ask: async (query, { signal, session, onPartial }) =>
      answerQuery(checkQuery(query), queryDeps, known, {
        ...{ signal, session },
        ...(onPartial === undefined ? {} : { onPartial }),
      }),
    facets: async (request, { session, ...options }) =>
      session.ask(options, (given) => runFacets(checkFacets(request), queryDeps, given)),
    whatChanged: async (request, { session, ...options }) =>
      session.ask(options, (given) => runWhatChanged(checkWhatChanged(request), queryDeps, given)),
    tables: async () =>
      (await catalogue.tables()).map((table) => ({
        ...table,
        retention: tableSettings.of(table.name).retention,
      })),
    table: async (name) => {
      const { columns: columnSettings, ...settings } = tableSettings.of(name);
      return { ...(await catalogue.table(name)), ...settings, columnSettings };
    },
    setTable: async (name, wanted) => {
      await tableSettings.set(name, wanted);
      void retention.run();
    },
    deleteTable: (name) => deleteTable(name, parts, known),
    functions: createFunctionService({
      documents,
      sandbox,
      ask: (query, signal) => runQuery(query, queryDeps, { signal }),
      checkDraft: checkFunctionDraft,
      nowMs: Date.now,
    }),
    links,
    members: async () => [
      gatewayMember(parts.address()),
      ...leaves.map((leaf) => leafMember(leaf)),
    ],
    unready: () =>
      leaves.some(({ state }) => state === "alive") ? null : "no leaf can be reached yet",
    ingest,
    answers,
    admission: () => admission.counts,
    demo: settings.demo ?? (() => null),
    sandbox: () => sandbox.state,
    ledger: () => audit.report(),
    metrics: async () => printLeafMetrics(leaves),
    logError,
    nowMs: Date.now,
  };
}

function createQueryDeps(
  { settings, ledger, tableSettings, catalogue, documents, sandbox, admission, now }: GatewayParts,
  logError: ApiDeps["logError"],
) {
  return {
    admission,
    functions: () => documents.all,
    sandbox,
    catalogue,
    leaves: () => settings.leaves,
    expectedRows: ledger,
    settingsOf: (table: string) => tableSettings.of(table),
    logError,
    now,
    wallMs: Date.now,
    onPathMs: settings.onPathMs ?? (() => undefined),
  };
}

async function deleteTable(
  name: string,
  { tableSettings, retention, order, catalogue, now }: GatewayParts,
  known: KnownAnswers,
): Promise<void> {
  const before = tableSettings.of(name);
  await tableSettings.remove(name);
  // Leaves may be slow to let go: from when it is booked out on, the name is a new table's.
  const forget = async (): Promise<void> => {
    known.recent.forget(name, now());
    known.shared.forget(name);
    await order.forget(name);
  };
  await retention.deleteTable(name, forget).catch(async (error: unknown) => {
    // Not deleted: what was set of it holds on.
    await tableSettings.set(name, before);
    throw error;
  });
  await catalogue.refresh();
}

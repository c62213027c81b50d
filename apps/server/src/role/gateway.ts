import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { JsonRows } from "@hadal/kernel-wasm";
import type { DemoInfo, MemberInfo } from "@hadal/sdk";
import { checkFacets, checkFunctionDraft, checkQuery, checkWhatChanged } from "@hadal/sdk/checks";
import type { ApiDeps } from "../api/context/deps.js";
import { createApi } from "../api/createApi.js";
import { removeStaged } from "../base/file/durableFile.js";
import { connectionsWithin, openFilesMax } from "../base/file/openFiles.js";
import type { AdmissionLimits } from "../base/limit/admissionLimits.js";
import type { ClientLimits } from "../base/limit/clientLimits.js";
import type { FunctionLimits, SandboxIsolation } from "../base/limit/functionLimits.js";
import type { IngestLimits } from "../base/limit/ingestLimits.js";
import type { LeafConnection } from "../cluster/leafConnection.js";
import { exampleFunctions } from "../document/exampleFunctions.js";
import { FunctionDocuments } from "../document/functionDocuments.js";
import { LinkDocuments } from "../document/linkDocuments.js";
import { SandboxHost } from "../function/sandbox/sandboxHost.js";
import { createIngest } from "../ingest/ingestRows.js";
import { LedgerAudit } from "../ingest/ledger/ledgerAudit.js";
import { RowCountLedger } from "../ingest/ledger/rowCountLedger.js";
import { ReadHere } from "../ingest/read/readHere.js";
import { ReadThread } from "../ingest/read/readThreadHost.js";
import { Retention } from "../ingest/retention/retention.js";
import { TableSettingsFile } from "../ingest/retention/tableSettings.js";
import { Admission } from "../query/admit/admission.js";
import { AnswerPool } from "../query/admit/answerPool.js";
import { answerQuery } from "../query/answerQuery.js";
import { ColumnOrder } from "../query/bind/columnOrder.js";
import { createTableCatalogue } from "../query/bind/tableCatalogue.js";
import { RecentAnswers } from "../query/cache/recentAnswers.js";
import { SharedAnswers } from "../query/cache/sharedAnswers.js";
import { runWhatChanged } from "../query/change/runWhatChanged.js";
import { runFacets } from "../query/facet/runFacets.js";
import { createFunctionService } from "../query/functionService.js";
import { runQuery } from "../query/run/runQuery.js";
import { printLeafMetrics } from "./leafMetrics.js";
import type { RunningServer } from "./runningServer.js";

export interface GatewaySettings {
  readonly host: string;
  readonly port: number;
  /** Names by which requests may call it, beside its addresses. */
  readonly allowedHosts?: readonly string[];
  /** Where the row-count ledger lives. */
  readonly dataDir: string;
  readonly leaves: readonly LeafConnection[];
  /** Leaves that hold rows and are not among them. */
  readonly leavesLeftOut?: readonly string[];
  readonly functionLimits: FunctionLimits;
  readonly sandbox: SandboxIsolation;
  readonly admissionLimits: AdmissionLimits;
  readonly ingestLimits: IngestLimits;
  readonly clientLimits: ClientLimits;
  /** What {@link JsonRows} runs on. */
  readonly jsonModule: WebAssembly.Module;
  /** What is known of the demo that feeds it; left out: there is none. */
  readonly demo?: () => DemoInfo | null;
  readonly warn: (text: string) => void;
  /** Hears what each query took without the way of its frames. */
  readonly onPathMs?: (ms: number) => void;
}

/** A new column can be asked for within a second of its first row. */
const catalogueEveryMs = 500;
/** Rows outlive their age by so much at most, beside the rest of their segment. */
const retentionEveryMs = 5_000;
/** A table whose bytes are bounded is looked at so often: rows come fast. */
const boundedEveryMs = 500;
/** So often it is looked whether the ledger is to be compared with the leaves. */
const auditEveryMs = 1_000;
/** A ledger that has lost counts, or is new, waits so long for leaves before it serves with less. */
const auditWaitMs = 5_000;

/** Built by `vite build`, beside this package in the repository. */
const webFolder = fileURLToPath(new URL("../../web/dist/app", import.meta.url));

/** The node that speaks to people: HTTP, live socket and web app over the leaves. */
export async function startGateway(settings: GatewaySettings): Promise<RunningServer> {
  const { leaves, host, warn } = settings;
  for (const folder of ["", "ledger", "links"]) await removeStaged(join(settings.dataDir, folder));
  const ledger = await RowCountLedger.open(join(settings.dataDir, "ledger"), warn);
  const tableSettings = await TableSettingsFile.open(join(settings.dataDir, "tables.json"), warn);
  const now = (): number => performance.now();
  // Wall time as of the start, from there on by the clock that does not jump.
  const startedMs = Date.now() - now();
  const order = await ColumnOrder.open(join(settings.dataDir, "columns.json"), warn);
  const catalogue = createTableCatalogue({
    leaves: () => leaves,
    now,
    order,
    holdersOf: (table) => [
      ...ledger.expected(table, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY).keys(),
    ],
  });
  const retention = new Retention({
    leaves: () => leaves,
    ledger,
    settings: tableSettings,
    nowMs: () => startedMs + now(),
    sleep,
    onThinned: () => catalogue.refresh(),
    warn,
  });
  const seed = (): bigint => randomBytes(8).readBigInt64LE();
  const { jsonModule } = settings;
  const readThread = new ReadThread(
    new URL("./readThread.js", import.meta.url),
    { jsonModule, seed: seed() },
    warn,
  );
  const ingest = createIngest(
    {
      readers: {
        small: new ReadHere(new JsonRows(jsonModule, { seed: seed() })),
        large: readThread,
      },
      limits: settings.ingestLimits,
      tablesMax: settings.clientLimits.tables,
      leaves: () => leaves,
      leavesLeftOut: settings.leavesLeftOut ?? [],
      ledger,
      random: Math.random,
      nowMs: Date.now,
      sleep,
      onColumns: (table, columns) => order.see(table, columns),
      onStored: (table, columns) => catalogue.know(table, columns),
    },
    (table) => tableSettings.of(table).columns,
  );
  const audit = new LedgerAudit({
    leaves: () => leaves,
    leavesLeftOut: settings.leavesLeftOut ?? [],
    ledger,
    settlePending: () => ingest.resolvePending(),
    areAsidesKnown: () => ingest.areAsidesKnown(),
    nowMs: Date.now,
    sleep,
    warn,
  });
  const documents = await FunctionDocuments.open(
    join(settings.dataDir, "functions.json"),
    exampleFunctions,
    warn,
  );
  const links = await LinkDocuments.open(join(settings.dataDir, "links"), {
    nowMs: Date.now,
    warn,
  });
  const sandbox = new SandboxHost({
    script: new URL("./sandbox.js", import.meta.url),
    limits: settings.functionLimits,
    isolation: settings.sandbox,
    warn,
  });
  const logError = (text: string, error: unknown): void =>
    warn(`${text}: ${error instanceof Error ? error.stack : error}`);
  const answers = new AnswerPool(settings.admissionLimits.answerMemory * 2 ** 20, now);
  const admission = new Admission(settings.admissionLimits, now, answers);
  const queryDeps = {
    admission,
    functions: () => documents.all,
    sandbox,
    catalogue,
    leaves: () => leaves,
    expectedRows: ledger,
    settingsOf: (table: string) => tableSettings.of(table),
    logError,
    now,
    wallMs: Date.now,
    onPathMs: settings.onPathMs ?? (() => undefined),
  };
  const known = { recent: new RecentAnswers(), shared: new SharedAnswers() };
  let address = "";
  const deps: ApiDeps = {
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
    deleteTable: async (name) => {
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
    },
    functions: createFunctionService({
      documents,
      sandbox,
      ask: (query, signal) => runQuery(query, queryDeps, { signal }),
      checkDraft: checkFunctionDraft,
      nowMs: Date.now,
    }),
    links,
    members: async () => [gatewayMember(address), ...leaves.map((leaf) => leafMember(leaf))],
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
  const filesMax = await openFilesMax();
  const app = await createApi(deps, {
    host,
    hostsAllowed: settings.allowedHosts ?? [],
    webFolder: existsSync(webFolder) ? webFolder : null,
    limits: { ...settings.clientLimits, ...connectionsWithin(settings.clientLimits, filesMax) },
  });
  if (ledger.damage !== null) await audit.settle(auditWaitMs);
  address = await app.listen({ host, port: settings.port });
  const retaining = setInterval(() => void retention.run(), retentionEveryMs);
  const bounding = setInterval(() => void retention.runBounded(), boundedEveryMs);
  const refreshing = setInterval(() => void catalogue.refresh(), catalogueEveryMs);
  const auditing = setInterval(() => void runAudit(audit, warn), auditEveryMs);
  void runAudit(audit, warn);
  // Batches whose fate the last run did not learn count only once their leaf has said.
  await ingest.resolvePending();
  return {
    url: address,
    async close() {
      clearInterval(refreshing);
      clearInterval(retaining);
      clearInterval(bounding);
      clearInterval(auditing);
      ingest.stop();
      await app.close();
      await sandbox.close();
      ingest.close();
      await readThread.close();
      await ledger.close();
    },
  };
}

/** What it could not write down is compared again in the next round. */
async function runAudit(audit: LedgerAudit, warn: (text: string) => void): Promise<void> {
  await audit.runIfDue().catch((error: unknown) => warn(`ledger: ${String(error)}`));
}

function gatewayMember(address: string): MemberInfo {
  return {
    id: "gateway",
    role: "gateway",
    address,
    pid: process.pid,
    state: "alive",
    rows: 0,
    bytes: 0,
    freeBytes: 0,
    memory: null,
    tables: [],
    lastHeardMs: Date.now(),
  };
}

function leafMember({
  id,
  address,
  state,
  status,
  freeBytes,
  lastHeardMs,
}: LeafConnection): MemberInfo {
  return {
    id,
    role: "leaf",
    address: address ?? "",
    pid: status?.pid ?? null,
    state,
    rows: status?.rows ?? 0,
    bytes: status?.bytes ?? 0,
    freeBytes,
    memory: status?.memory ?? null,
    tables: status?.tables ?? [],
    lastHeardMs,
  };
}

import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { JsonRows } from "@hadal/kernel-wasm";
import type { DemoInfo } from "@hadal/sdk";
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
import { LocalReader } from "../ingest/read/localReader.js";
import { ThreadReader } from "../ingest/read/threadReader.js";
import { Retention } from "../ingest/retention/retention.js";
import { TableSettingsFile } from "../ingest/retention/tableSettings.js";
import { Admission } from "../query/admit/admission.js";
import { AnswerPool } from "../query/admit/answerPool.js";
import { ColumnOrder } from "../query/bind/columnOrder.js";
import { createTableCatalogue } from "../query/bind/tableCatalogue.js";
import { createApiDeps, type GatewayParts } from "./gatewayDeps.js";
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
  /** Called with the time of each query without the sending of its frames. */
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
  const { host } = settings;
  const parts = await openParts(settings);
  const { ledger, audit, ingest, sandbox, readThread } = parts;
  let address = "";
  const filesMax = await openFilesMax();
  const app = await createApi(createApiDeps({ ...parts, settings, address: () => address }), {
    host,
    hostsAllowed: settings.allowedHosts ?? [],
    webFolder: existsSync(webFolder) ? webFolder : null,
    limits: { ...settings.clientLimits, ...connectionsWithin(settings.clientLimits, filesMax) },
  });
  if (ledger.damage !== null) await audit.settle(auditWaitMs);
  address = await app.listen({ host, port: settings.port });
  const stopRounds = startRounds(parts, settings.warn);
  // Batches whose outcome the last run did not learn count once their leaf has answered.
  await ingest.resolvePending();
  return {
    url: address,
    async close() {
      stopRounds();
      ingest.stop();
      await app.close();
      await sandbox.close();
      ingest.close();
      await readThread.close();
      await ledger.close();
    },
  };
}

/** Opens what lies in the data folder, and what works on it. */
async function openParts(settings: GatewaySettings) {
  const { leaves, dataDir, warn } = settings;
  for (const folder of ["", "ledger", "links"]) await removeStaged(join(dataDir, folder));
  const ledger = await RowCountLedger.open(join(dataDir, "ledger"), warn);
  const tableSettings = await TableSettingsFile.open(join(dataDir, "tables.json"), warn);
  const now = (): number => performance.now();
  // Wall time as of the start, from there on by the clock that does not jump.
  const startedMs = Date.now() - now();
  const order = await ColumnOrder.open(join(dataDir, "columns.json"), warn);
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
  const rows = createRowIngest(settings, { ledger, tableSettings, order, catalogue });
  const documents = await FunctionDocuments.open(
    join(dataDir, "functions.json"),
    exampleFunctions,
    warn,
  );
  const links = await LinkDocuments.open(join(dataDir, "links"), { nowMs: Date.now, warn });
  const sandbox = new SandboxHost({
    script: new URL("./sandbox.js", import.meta.url),
    limits: settings.functionLimits,
    isolation: settings.sandbox,
    warn,
  });
  const answers = new AnswerPool(settings.admissionLimits.answerMemory * 2 ** 20, now);
  const admission = new Admission(settings.admissionLimits, now, answers);
  return {
    ...{ now, ledger, tableSettings, order, catalogue, retention, ...rows },
    ...{ documents, links, sandbox, answers, admission },
  };
}

/** Ingest with its readers, and the audit of what it counts. */
function createRowIngest(
  settings: GatewaySettings,
  {
    ledger,
    tableSettings,
    order,
    catalogue,
  }: Pick<GatewayParts, "ledger" | "tableSettings" | "order" | "catalogue">,
) {
  const { leaves, jsonModule, warn } = settings;
  const seed = (): bigint => randomBytes(8).readBigInt64LE();
  const readThread = new ThreadReader(
    new URL("./readThread.js", import.meta.url),
    { jsonModule, seed: seed() },
    warn,
  );
  const shared = {
    leaves: () => leaves,
    leavesLeftOut: settings.leavesLeftOut ?? [],
    ledger,
    nowMs: Date.now,
    sleep,
  };
  const ingest = createIngest(
    {
      ...shared,
      readers: {
        small: new LocalReader(new JsonRows(jsonModule, { seed: seed() })),
        large: readThread,
      },
      limits: settings.ingestLimits,
      tablesMax: settings.clientLimits.tables,
      random: Math.random,
      onColumns: (table, columns) => order.see(table, columns),
      onStored: (table, columns) => catalogue.know(table, columns),
    },
    (table) => tableSettings.of(table).columns,
  );
  const audit = new LedgerAudit({
    ...shared,
    settlePending: () => ingest.resolvePending(),
    areAsidesKnown: () => ingest.areAsidesKnown(),
    warn,
  });
  return { readThread, ingest, audit };
}

/** Starts what is done again and again; call what comes back to stop it. */
function startRounds(
  { retention, catalogue, audit }: Pick<GatewayParts, "retention" | "catalogue" | "audit">,
  warn: (text: string) => void,
): () => void {
  const timers = [
    setInterval(() => void retention.run(), retentionEveryMs),
    setInterval(() => void retention.runBounded(), boundedEveryMs),
    setInterval(() => void catalogue.refresh(), catalogueEveryMs),
    setInterval(() => void runAudit(audit, warn), auditEveryMs),
  ];
  void runAudit(audit, warn);
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

/** What it could not write down is compared again in the next round. */
async function runAudit(audit: LedgerAudit, warn: (text: string) => void): Promise<void> {
  await audit.runIfDue().catch((error: unknown) => warn(`ledger: ${String(error)}`));
}

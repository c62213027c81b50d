import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { JsonRows } from "@hadal/kernel-wasm";
import type {
  DemoInfo,
  KafkaSource,
  RegistryRequest,
  SavedDocument,
  SealedRegistry,
} from "@hadal/sdk";
import { illustrateMessages } from "../../alert/deliver/illustrateMessages.js";
import { createApi } from "../../api/createApi.js";
import { type AccessSettings, accessSettingsDefault } from "../../base/access/accessSettings.js";
import { removeStaged } from "../../base/file/durableFile.js";
import { connectionsWithin, openFilesMax } from "../../base/file/openFiles.js";
import type { AdmissionLimits } from "../../base/limit/admissionLimits.js";
import { type AlertSettings, alertSettingsDefault } from "../../base/limit/alertSettings.js";
import type { ClientLimits } from "../../base/limit/clientLimits.js";
import type { FunctionLimits, SandboxIsolation } from "../../base/limit/functionLimits.js";
import type { IngestLimits } from "../../base/limit/ingestLimits.js";
import type { UserLimits } from "../../base/limit/userLimits.js";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import { SandboxHost } from "../../function/sandbox/sandboxHost.js";
import { IngestQuota } from "../../ingest/body/ingestQuota.js";
import { Canaries } from "../../ingest/canary/canaries.js";
import { createIngest } from "../../ingest/ingestRows.js";
import { LedgerAudit } from "../../ingest/ledger/ledgerAudit.js";
import { DrainingMachines } from "../../ingest/place/drainingMachines.js";
import { LocalReader } from "../../ingest/read/localReader.js";
import { ThreadReader } from "../../ingest/read/threadReader.js";
import { ExpiryClock } from "../../ingest/retention/expiryClock.js";
import { Retention } from "../../ingest/retention/retention.js";
import { TableSettingsStore } from "../../ingest/retention/tableSettings.js";
import { PictureHost } from "../../picture/pictureHost.js";
import type { TreeSize } from "../../planner/treeShape.js";
import { Admission } from "../../query/admit/admission.js";
import { AnswerPool } from "../../query/admit/answerPool.js";
import { RowQuota } from "../../query/admit/rowQuota.js";
import { ColumnOrder } from "../../query/bind/columnOrder.js";
import { createTableCatalogue } from "../../query/bind/tableCatalogue.js";
import { DocumentFolder } from "../../registry/document/documentFolder.js";
import { exampleFunctions } from "../../registry/document/exampleFunctions.js";
import { FunctionDocuments } from "../../registry/document/functionDocuments.js";
import { LinkDocuments } from "../../registry/document/linkDocuments.js";
import type { SharingGateway } from "../../registry/ledger/ledgerGateways.js";
import { readClock } from "../../registry/ledger/readLedger.js";
import type { KnownMembers } from "../../registry/member/members.js";
import { openRegistry } from "../../registry/openRegistry.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import type { RunningNode } from "../runningServer.js";
import { type AlertSending, alertSendingOf, createAlertDelivery } from "./alertDelivery.js";
import type { ClusterViewParts } from "./clusterView.js";
import type { DemoAccess } from "./demoAccess.js";
import { GatewayAlerts } from "./gatewayAlerts.js";
import { createApiDeps, type GatewayParts } from "./gatewayDeps.js";
import { LastTree } from "./lastTree.js";
import { gatewayId } from "./members.js";
import { findFirstSetup, openAccess, openOidc } from "./openAccess.js";
import { type GatewayLedger, openLedger } from "./openLedger.js";
import { openSources } from "./openSources.js";
import { ownerSource } from "./ownerSource.js";
import { readTlsFiles } from "./tlsFiles.js";

export interface GatewaySettings {
  readonly host: string;
  readonly port: number;
  /** Host names that requests may use, beside its addresses. */
  readonly allowedHosts?: readonly string[];
  /** The folder of the row-count ledger. */
  readonly dataDir: string;
  /** PostgreSQL for the registry; null: SQLite in the data folder. */
  readonly database: string | null;
  /** Folder of documents in files. */
  readonly documents?: string | null;
  /** What names this gateway among others that place rows; left out: it is the only one. */
  readonly sharing?: SharingGateway;
  /** The leaves that are members now. */
  readonly leaves: () => readonly LeafConnection[];
  /** What to ask a query; left out: each leaf. */
  readonly nodes?: () => readonly QueriedNode[];
  /** What to ask about tables; left out: `leaves`. */
  readonly described?: () => readonly LeafConnection[];
  /** Metrics of its own, in Prometheus text. */
  readonly metrics?: () => string;
  /** What an aggregator has said of its requests to others; absent: there is no cluster. */
  readonly windowsOf?: ClusterViewParts["windowsOf"];
  /** Its tree; left out: of one machine. */
  readonly treeSize?: () => TreeSize;
  /** The cluster that it is a member of; left out: none. */
  readonly cluster?: KnownMembers;
  /** Where the registry is, for members that join; left out: there is no cluster. */
  readonly offerRegistry?: (asked: RegistryRequest) => SealedRegistry;
  /** Whether a machine that stays has a whole copy of a leaf; left out: none has. */
  readonly isCopied?: (leafId: string) => boolean;
  /** Leaves with rows that are not among `leaves`. */
  readonly leavesLeftOut?: readonly string[];
  readonly functionLimits: FunctionLimits;
  readonly sandbox: SandboxIsolation;
  readonly admissionLimits: AdmissionLimits;
  readonly ingestLimits: IngestLimits;
  readonly clientLimits: ClientLimits;
  readonly userLimits: UserLimits;
  /** Of tables without an age of their own; left out, or 0: their rows stay. */
  readonly retentionDays?: number;
  /** Of the demo's table, unless `retentionDays` says otherwise; left out: there is no demo. */
  readonly demoRetention?: { readonly table: string; readonly days: number };
  /** How requests reach it and people sign in; left out: everyone on loopback is `anyone`. */
  readonly access?: AccessSettings;
  /** What identifies the demo. */
  readonly demoAccess?: DemoAccess;
  /** The module of {@link JsonRows}. */
  readonly jsonModule: WebAssembly.Module;
  /** Topics of Kafka that the flags name; left out: none. */
  readonly kafka?: KafkaSource | null;
  /** How messages of alerts leave it; left out: by no mail, and to public addresses alone. */
  readonly alerts?: AlertSettings;
  /** The state of the demo; left out: there is none. */
  readonly demo?: () => DemoInfo | null;
  readonly warn: (text: string) => void;
  /** Called with the time of each query without the sending of its frames. */
  readonly onPathMs?: (ms: number) => void;
}

/** A new column can be queried within a second of its first row. */
const catalogueEveryMs = 500;
/** Rows are removed at most this late, once their whole segment has expired. */
const retentionEveryMs = 5_000;
/** Tables with a bound on bytes are checked more often: rows arrive fast. */
const boundedEveryMs = 500;
const dayMs = 86_400_000;
/** A machine that is drained is found within this time. */
const drainEveryMs = 1_000;
/** How often it is checked whether the ledger has to be compared with the leaves. */
const auditEveryMs = 1_000;
/** Rules are evaluated at most this late, where there is time. */
const alertEveryMs = 250;
/** A ledger that is new or has lost counts waits this long for leaves before the gateway serves without them. */
const auditWaitMs = 5_000;

/** Built by `vite build`, beside this package in the repository. */
const webFolder = fileURLToPath(new URL("../../web/dist/app", import.meta.url));
const embedFolder = fileURLToPath(new URL("../../web/dist-embed", import.meta.url));

/** Draws pictures; built beside the web app. */
const pictureBundle = new URL("../../web/dist/picture/picture.js", import.meta.url);

/** The node that speaks to people: HTTP, live socket and web app over the leaves. */
export async function startGateway(settings: GatewaySettings): Promise<RunningNode> {
  const { host, access = accessSettingsDefault } = settings;
  const tls = await readTlsFiles(access);
  let address = "";
  const sending = alertSendingOf(settings.alerts ?? alertSettingsDefault, () => address);
  const parts = await openParts(settings, sending);
  const { ledger, audit, ingest, sources, sandbox, readThread, registry, people } = parts;
  const firstSetup = await findFirstSetup(people, host, access);
  const delivery = createAlertDelivery({
    ...{ ...sending, registry, warn: settings.warn },
    channelOf: (ruleId, place, to) => parts.alerts.channelOf(ruleId, place, to),
    illustrate: illustrateMessages({
      pictures: parts.pictures,
      sourceOf: async (ruleId, signal) =>
        ownerSource(await parts.alerts.ownerOf(ruleId), deps, signal),
      nowMs: Date.now,
    }),
  });
  const filesMax = await openFilesMax();
  const deps = createApiDeps({ ...parts, settings, delivery, address: () => address });
  const app = await createApi(deps, {
    ...{ host, tls, auth: access.auth, trustedProxies: access.trustedProxies },
    hostsAllowed: [...(settings.allowedHosts ?? []), ...(tls?.names ?? [])],
    personHeaders: personHeadersOf(access),
    webFolder: existsSync(webFolder) ? webFolder : null,
    embedFolder: existsSync(embedFolder) ? embedFolder : null,
    limits: {
      ...{ ...settings.userLimits, ...settings.clientLimits },
      ...connectionsWithin(settings.clientLimits, filesMax),
    },
  });
  if (ledger.all.damage !== null && ledger.all.isLeader) await audit.settle(auditWaitMs);
  address = await app.listen({ host, port: settings.port });
  if (firstSetup !== null) {
    settings.warn(
      `There is no user yet. The first admin sets a password at ${address}${firstSetup}`,
    );
  }
  const stopRounds = startRounds(parts, settings.warn);
  // Batches that the last run left unconfirmed count once their leaf has answered.
  await ingest.resolvePending();
  sources.start();
  parts.alerts.start(deps);
  delivery.start();
  return {
    url: address,
    async close() {
      await sources.close();
      stopRounds();
      await parts.alerts.close();
      await delivery.stop();
      ingest.stop();
      parts.canaries.close();
      await app.close();
      await sandbox.close();
      await parts.pictures.close();
      ingest.close();
      await readThread.close();
      await ledger.close();
      parts.documentFolder?.close();
      await people.close();
      await registry.close();
    },
    async flush() {
      app.server.close();
      app.server.closeAllConnections();
      await ledger.flush();
      await registry.close();
    },
  };
}

function personHeadersOf({ trustedHeader, trustedGroupsHeader }: AccessSettings) {
  return trustedHeader === null ? null : { name: trustedHeader, groups: trustedGroupsHeader };
}

/** Opens the files of the data folder, and the parts that work on them. */
async function openParts(settings: GatewaySettings, sending: AlertSending) {
  const { leaves, dataDir, warn } = settings;
  for (const folder of ["", "ledger"]) await removeStaged(join(dataDir, folder));
  const registry = await openRegistry({ dataDir, databaseUrl: settings.database, warn });
  const { access = accessSettingsDefault } = settings;
  const people = await openAccess(registry, access, warn);
  const oidc = await openOidc(people, access, warn);
  const ledger = await openLedger(settings, registry);
  const { retentionDays = 0, demoRetention } = settings;
  const tableSettings = await TableSettingsStore.open(registry, {
    tables: () => ledger.all.tables(),
    ...(retentionDays === 0
      ? {
          maxAgeMs: null,
          maxAgesMs: new Map(demoRetention && [[demoRetention.table, demoRetention.days * dayMs]]),
        }
      : { maxAgeMs: retentionDays * dayMs }),
  });
  const now = (): number => performance.now();
  // Wall time at the start, then the monotonic clock.
  const startedMs = Date.now() - now();
  const clock = new ExpiryClock({
    ...{ now, ownMs: () => startedMs + now() },
    registryMs: () => readClock(registry),
  });
  const order = await ColumnOrder.open(join(dataDir, "columns.json"), warn);
  const catalogue = createTableCatalogue({
    leaves: settings.described ?? leaves,
    now,
    order,
    holdersOf: (table) => [
      ...ledger.all.expected(table, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY).keys(),
    ],
  });
  const retention = new Retention({
    leaves,
    ledger: ledger.all,
    settings: tableSettings,
    nowMs: clock.nowMs.bind(clock),
    sleep,
    ...(settings.cluster && { whenRemovalsKnown: removalsKnownTo(settings.cluster) }),
    onThinned: () => catalogue.refresh(),
    warn,
  });
  const drains = drainsOf(settings, { registry, ledger });
  const canaries = new Canaries({ nowMs: Date.now, random: Math.random, sleep });
  const shared = { ledger, tableSettings, order, catalogue, drains, canaries };
  const rows = createRowIngest(settings, shared);
  const sources = await openSources(settings, registry, rows.ingest);
  const functions = await FunctionDocuments.open(registry, exampleFunctions);
  const documentFolder = await openDocumentFolder(settings);
  const alerts = await GatewayAlerts.open({
    ...{ ...sending, registry, people, canaries, warn },
    files: () => documentFolder?.documents ?? noDocuments,
  });
  const links = new LinkDocuments(registry, Date.now);
  const sandbox = new SandboxHost({
    script: new URL("./sandbox.js", import.meta.url),
    limits: settings.functionLimits,
    isolation: settings.sandbox,
    warn,
  });
  const pictures = new PictureHost({
    script: new URL("./pictureThread.js", import.meta.url),
    bundle: existsSync(pictureBundle) ? pictureBundle : null,
    warn,
  });
  const answers = new AnswerPool(settings.admissionLimits.answerMemory * 2 ** 20, now);
  const admission = new Admission(settings.admissionLimits, now, answers);
  const rowQuota = new RowQuota(settings.userLimits, now);
  return {
    ...{ now, registry, people, oidc, ledger, tableSettings, order, catalogue, retention, ...rows },
    ...{ functions, links, documentFolder, sandbox, pictures, answers, admission, rowQuota },
    ...{ sources, alerts },
    ...{ drains, canaries, lastTree: new LastTree(gatewayId) },
    cacheBytes: settings.admissionLimits.cacheBytes,
  };
}

const noDocuments = new Map<string, SavedDocument>();

async function openDocumentFolder({
  documents,
  warn,
}: Pick<GatewaySettings, "documents" | "warn">): Promise<DocumentFolder | null> {
  return documents ? DocumentFolder.open(documents, warn) : null;
}

const removalsKnownTo =
  (cluster: KnownMembers) =>
  (leafId: string, removals: number): Promise<boolean> =>
    cluster.whenRemovalsKnown(leafId, removals);

interface MaybeDrains {
  /** null: there is no cluster. */
  readonly drains: DrainingMachines | null;
}

function drainsOf(
  { cluster, leaves, isCopied = () => false, warn }: GatewaySettings,
  { registry, ledger }: Pick<GatewayParts, "registry" | "ledger">,
): DrainingMachines | null {
  if (cluster === undefined) return null;
  const now = (): number => performance.now();
  const own = { ledger: ledger.placing.ledger, members: cluster };
  return new DrainingMachines({ ...own, registry, leaves, isCopied, warn, now });
}

/** Ingest with its readers, and the audit of what it counts. */
function createRowIngest(
  settings: GatewaySettings,
  {
    ledger,
    tableSettings,
    order,
    catalogue,
    drains,
    canaries,
  }: Pick<GatewayParts, "ledger" | "tableSettings" | "order" | "catalogue" | "canaries"> &
    MaybeDrains,
) {
  const { leaves, jsonModule, warn } = settings;
  const seed = (): bigint => randomBytes(8).readBigInt64LE();
  const readThread = new ThreadReader(
    new URL("./readThread.js", import.meta.url),
    { jsonModule, seed: seed() },
    warn,
  );
  const { described = () => [] } = settings;
  const shared = {
    leaves,
    copies: () => described().filter((one) => !leaves().includes(one)),
    leavesLeftOut: settings.leavesLeftOut ?? [],
    ...(drains && { takesRows: (leafId: string) => drains.takesRows(leafId) }),
    nowMs: Date.now,
    sleep,
  };
  const ingest = createIngest(
    {
      ...{ ...shared, ...ledger.placing },
      readers: {
        small: new LocalReader(new JsonRows(jsonModule, { seed: seed() })),
        large: readThread,
      },
      limits: settings.ingestLimits,
      quota: new IngestQuota(settings.userLimits, () => performance.now()),
      tablesMax: settings.clientLimits.tables,
      random: Math.random,
      onColumns: (table, columns) => order.see(table, columns),
      onStored: (table, columns) => catalogue.know(table, columns),
      onPlaced: (table, encode) => canaries.look(table, encode),
    },
    (table) => tableSettings.columnsOf(table),
  );
  const audit = new LedgerAudit({
    ...{ ...shared, ledger: ledger.all },
    settlePending: () => ingest.resolvePending(),
    areHintsKnown: () => ingest.areHintsKnown(),
    warn,
  });
  return { readThread, ingest, audit };
}

/** Starts the periodic work. Returns a function that stops it. */
function startRounds(
  parts: Pick<GatewayParts, "retention" | "catalogue" | "audit" | "ledger" | "alerts"> &
    MaybeDrains,
  warn: (text: string) => void,
): () => void {
  const { retention, catalogue, audit, ledger, drains, alerts } = parts;
  const timers = [
    setInterval(() => void retention.run(), retentionEveryMs),
    setInterval(() => void retention.runBounded(), boundedEveryMs),
    setInterval(() => void catalogue.refresh(), catalogueEveryMs),
    setInterval(() => void runAudit(audit, ledger, warn), auditEveryMs),
    setInterval(() => void drains?.run(), drainEveryMs),
    setInterval(() => void alerts.run(), alertEveryMs),
  ];
  void runAudit(audit, ledger, warn);
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

/** After a failed write the next round compares again. */
async function runAudit(
  audit: LedgerAudit,
  ledger: GatewayLedger,
  warn: (text: string) => void,
): Promise<void> {
  try {
    await audit.runIfDue();
    await ledger.shareReport(audit);
  } catch (error) {
    warn(`ledger: ${String(error)}`);
  }
}

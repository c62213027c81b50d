import {
  type DemoInfo,
  type Facets,
  HadalError,
  type Query,
  type TableInfo,
  type WhatChanged,
} from "@hadal/sdk";
import { checkFacets, checkFunctionDraft, checkQuery, checkWhatChanged } from "@hadal/sdk/checks";
import type { Access } from "../../access/access.js";
import type { Actor } from "../../access/audit/auditLog.js";
import type { OidcService } from "../../access/oidc/oidcService.js";
import type { Deliverer } from "../../alert/deliver/deliverer.js";
import type { ApiDeps, AskOptions } from "../../api/context/deps.js";
import { everything, type Readable } from "../../base/access/readable.js";
import { fanOutDefault } from "../../base/limit/clusterSettings.js";
import { neverStops } from "../../base/schedule/steps.js";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import type { TracedNode } from "../../cluster/treeTrace.js";
import type { SandboxHost } from "../../function/sandbox/sandboxHost.js";
import type { Canaries } from "../../ingest/canary/canaries.js";
import type { RowIngest } from "../../ingest/ingestRows.js";
import type { LedgerAudit } from "../../ingest/ledger/ledgerAudit.js";
import type { Retention } from "../../ingest/retention/retention.js";
import type { TableSettingsStore } from "../../ingest/retention/tableSettings.js";
import { visibleStep } from "../../ingest/retention/visibleStep.js";
import type { Sources } from "../../ingest/source/sources.js";
import type { PictureHost } from "../../picture/pictureHost.js";
import { QueryTimings } from "../../planner/queryTimings.js";
import type { TreeSize } from "../../planner/treeShape.js";
import type { Admission } from "../../query/admit/admission.js";
import type { AnswerPool } from "../../query/admit/answerPool.js";
import type { RowQuota } from "../../query/admit/rowQuota.js";
import { hideSizes, hideSizesOfResult } from "../../query/answer/hideSizes.js";
import { answerQuery, type KnownAnswers } from "../../query/answerQuery.js";
import type { ColumnOrder } from "../../query/bind/columnOrder.js";
import { ReadableCatalogue } from "../../query/bind/readableCatalogue.js";
import type { TableCatalogue } from "../../query/bind/tableCatalogue.js";
import { AnswerCache } from "../../query/cache/answerCache.js";
import { MemoryTier } from "../../query/cache/memoryTier.js";
import { runWhatChanged } from "../../query/change/runWhatChanged.js";
import { runFacets } from "../../query/facet/runFacets.js";
import { createFunctionService } from "../../query/functionService.js";
import { checkBinding, runQuery } from "../../query/run/runQuery.js";
import { SharedAnswers } from "../../query/share/sharedAnswers.js";
import { Documents } from "../../registry/document/documents.js";
import type { FunctionDocuments } from "../../registry/document/functionDocuments.js";
import type { LinkDocuments } from "../../registry/document/linkDocuments.js";
import type { KnownMembers } from "../../registry/member/members.js";
import type { Registry } from "../../registry/registry.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import { printDeliveryMetrics } from "./alertDelivery.js";
import { printCacheMetrics } from "./cacheMetrics.js";
import { ClusterView, type ClusterViewParts } from "./clusterView.js";
import type { DemoAccess } from "./demoAccess.js";
import type { GatewayAlerts } from "./gatewayAlerts.js";
import { ingestStages } from "./ingestStages.js";
import type { LastTree } from "./lastTree.js";
import { printLeafMetrics } from "./leafMetrics.js";
import type { GatewayLedger } from "./openLedger.js";
import { planOf } from "./planOf.js";
import { printVisibleMetrics } from "./visibleMetrics.js";

/** Who looks for rows, where queries wait for their turns. */
const canaryClient = "canaries";

/** The parts of a gateway that requests need. */
export interface GatewayParts {
  readonly settings: {
    readonly leaves: () => readonly LeafConnection[];
    readonly nodes?: () => readonly QueriedNode[];
    readonly treeSize?: () => TreeSize;
    readonly cluster?: KnownMembers;
    readonly offerRegistry?: ApiDeps["offerRegistry"];
    readonly demo?: () => DemoInfo | null;
    readonly demoAccess?: DemoAccess;
    readonly warn: (text: string) => void;
    readonly onPathMs?: (ms: number) => void;
    readonly metrics?: () => string;
    readonly windowsOf?: ClusterViewParts["windowsOf"];
  };
  readonly ledger: GatewayLedger;
  readonly tableSettings: TableSettingsStore;
  readonly order: ColumnOrder;
  readonly catalogue: TableCatalogue;
  readonly retention: Retention;
  readonly ingest: RowIngest;
  readonly canaries: Canaries;
  readonly sources: Sources;
  readonly audit: LedgerAudit;
  readonly registry: Registry;
  readonly people: Access;
  readonly oidc: OidcService | null;
  readonly functions: FunctionDocuments;
  readonly links: LinkDocuments;
  readonly alerts: GatewayAlerts;
  readonly delivery: Pick<Deliverer, "counts">;
  readonly sandbox: SandboxHost;
  readonly pictures: PictureHost;
  readonly answers: AnswerPool;
  readonly admission: Admission;
  readonly rowQuota: RowQuota;
  /** What kept answers may take. */
  readonly cacheBytes: number;
  readonly lastTree: LastTree;
  readonly now: () => number;
  /** Where the server listens; empty until it does. */
  readonly address: () => string;
}

/** What the API needs from the gateway's parts. */
export function createApiDeps(parts: GatewayParts): ApiDeps {
  const { settings, catalogue, ingest, audit, registry } = parts;
  const { functions, links, sandbox, answers, admission } = parts;
  const { leaves } = settings;
  const logError = (text: string, error: unknown): void =>
    settings.warn(`${text}: ${error instanceof Error ? error.stack : error}`);
  const queryDeps = createQueryDeps(parts, logError);
  const cache = new AnswerCache(new MemoryTier(parts.cacheBytes, parts.now), parts.now);
  const known: KnownAnswers = { cache, shared: new SharedAnswers() };
  parts.canaries.start(countRowsOf(queryDeps, catalogue));
  parts.ledger.onDeleted((table) => forgetTable(table, parts, known));
  return {
    access: parts.people,
    oidc: parts.oidc,
    identify: (credentials) =>
      settings.demoAccess?.identify(credentials) ?? parts.people.identify(credentials),
    ...questions(parts, queryDeps, known),
    ...tables(parts, known),
    functions: createFunctionService({
      functions,
      sandbox,
      ask: (query, { signal, readable }) =>
        runQuery(query, readableDeps(queryDeps, catalogue, readable), { signal }),
      checkDraft: checkFunctionDraft,
      nowMs: Date.now,
    }),
    documents: new Documents(registry, Date.now, {
      files: () => parts.alerts.files.documents(),
    }),
    alerts: parts.alerts.service,
    links,
    ...clusterOf(parts),
    unready: () =>
      leaves().some(({ state }) => state === "alive") ? null : "no leaf can be reached yet",
    pictures: parts.pictures,
    ingest,
    sources: sourcesOf(parts),
    answers,
    admission: () => admission.counts,
    cache: () => cache.info,
    clearCache: (table) => cache.forget(table),
    demo: settings.demo ?? (() => null),
    sandbox: () => sandbox.state,
    stages: () => ingestStages(parts.ledger.placing.ledger.pending(), leaves(), Date.now()),
    ledger: () => parts.ledger.report(audit),
    plan: (asked, readable) =>
      planOf(asked, readable, {
        ...{ catalogue, leaves: leaves() },
        ...{ timings: queryDeps.timings, treeSize: queryDeps.treeSize },
      }),
    metrics: async () =>
      printLeafMetrics(leaves()) +
      printVisibleMetrics(parts.canaries.list()) +
      parts.alerts.metrics() +
      printDeliveryMetrics(parts.delivery) +
      printCacheMetrics(cache.info) +
      (settings.metrics?.() ?? ""),
    logError,
    nowMs: Date.now,
  };
}

/** How many rows a query finds, as a user's query does. */
function countRowsOf(
  deps: ReturnType<typeof createQueryDeps>,
  catalogue: TableCatalogue,
): (query: Query) => Promise<number> {
  const own = readableDeps(deps, catalogue, everything);
  return async (query) => {
    const options = { signal: neverStops, client: canaryClient };
    const { rows } = await runQuery(query, own, options);
    return Number(rows[0]?.[0] ?? 0);
  };
}

function clusterOf(
  parts: GatewayParts,
): Pick<ApiDeps, "members" | "cluster" | "drain" | "offerRegistry"> {
  const { settings, registry, people, lastTree, address } = parts;
  const view = new ClusterView({
    ...{ leaves: settings.leaves, cluster: settings.cluster ?? null, registry, lastTree, address },
    ...{ audit: people.audit, nowMs: Date.now },
    windowsOf: settings.windowsOf,
  });
  return {
    members: () => view.members(),
    cluster: (readable) => view.cluster(readable),
    drain: (wanted, actor, readable) => view.drain(wanted, actor, readable),
    offerRegistry: settings.offerRegistry ?? noRegistry,
  };
}

function sourcesOf({ sources, people }: GatewayParts): ApiDeps["sources"] {
  const { audit } = people;
  return {
    list: () => sources.list(),
    get: (id) => sources.get(id),
    set: (id, body, actor) =>
      sources.set(id, body, (transaction) =>
        audit.write(transaction, audit.entry(actor, "source.change", id)),
      ),
    remove: (id, actor) =>
      sources.remove(id, (transaction) =>
        audit.write(transaction, audit.entry(actor, "source.delete", id)),
      ),
    status: () => sources.status(),
    lags: () => sources.lags(),
    rejected: () => sources.rejected(),
  };
}

function noRegistry(): never {
  throw new HadalError("bad-request", { detail: "The server is no member of a cluster." });
}

type Tables = Pick<ApiDeps, "tables" | "table" | "setTable" | "deleteTable" | "removeSettings">;

/** Tables with their settings, to each as far as it may read them. */
function tables(parts: GatewayParts, known: KnownAnswers): Tables {
  const { catalogue, tableSettings, retention, people, canaries, ingest } = parts;
  /** Not for those who may not know how many rows there are. */
  const visibleOf = ({ name, rows }: TableInfo): Pick<TableInfo, "visible"> => {
    const visible = rows === undefined ? null : canaries.of(name);
    return visible === null ? {} : { visible };
  };
  return {
    tables: async (readable) =>
      (await new ReadableCatalogue(catalogue, readable).tables()).map((table) => ({
        ...table,
        retention: tableSettings.of(table.name).retention,
        ...visibleOf(table),
      })),
    table: async (name, readable) => {
      const visible = new ReadableCatalogue(catalogue, readable);
      const detail = await visible.table(name);
      const { columns, ...settings } = tableSettings.of(name);
      const hidden = visible.grantOf(name).hiddenColumns;
      const columnSettings = columns.filter((column) => !hidden.includes(column.name));
      const thinning = settings.thinning.map((step) => visibleStep(step, hidden));
      return { ...detail, ...settings, thinning, columnSettings, ...visibleOf(detail) };
    },
    setTable: async (name, wanted, actor) => {
      ingest.checkTables([name], tableSettings.tables);
      await tableSettings.set(name, wanted, people.audit.entry(actor, "retention.change", name));
      void retention.run();
    },
    deleteTable: (name, actor) => deleteTable(name, actor, parts, known),
    removeSettings: async (name, actor) => {
      if (!tableSettings.tables.includes(name)) return false;
      await tableSettings.remove(name, people.audit.entry(actor, "table.delete", name));
      return true;
    },
  };
}

type Questions = Pick<ApiDeps, "checkAsked" | "ask" | "facets" | "whatChanged">;

/** What may be asked of rows, by each within what it may read. */
function questions(
  { catalogue }: Pick<GatewayParts, "catalogue">,
  deps: ReturnType<typeof createQueryDeps>,
  known: KnownAnswers,
): Questions {
  return {
    checkAsked: (query, readable) => checkBinding(query, readableDeps(deps, catalogue, readable)),
    ask: async (asked, { session, scans, floor, pool, ...options }) => {
      const query = checkQuery(asked);
      const { own, hide } = within(query.table, options.readable, hideSizesOfResult);
      const given = {
        ...{ session, ...shown(options, hide) },
        ...(scans === undefined ? {} : { scans }),
        pool: options.readable.isEmbed === true ? "embeds" : (pool ?? "ad-hoc"),
        ...(floor === undefined ? {} : { floor }),
      };
      return hide(await answerQuery(query, own, known, given));
    },
    facets: async (asked, { session, ...options }) => {
      const request = checkFacets(asked);
      const { own, hide } = within(request.table, options.readable, hideSizes<Facets>);
      return session.ask(shown(options, hide), async (given) =>
        hide(await runFacets(request, own, given)),
      );
    },
    whatChanged: async (asked, { session, ...options }) => {
      const request = checkWhatChanged(asked);
      const { own, hide } = within(request.table, options.readable, hideSizes<WhatChanged>);
      return session.ask(shown(options, hide), async (given) =>
        hide(await runWhatChanged(request, own, given)),
      );
    },
  };

  function within<Answer>(table: string, readable: Readable, hideOf: (answer: Answer) => Answer) {
    const isPart = readable.of(table)?.rows !== null;
    const hide = isPart ? hideOf : (answer: Answer): Answer => answer;
    return { own: readableDeps(deps, catalogue, readable), hide };
  }
}

const readableDeps = (
  deps: ReturnType<typeof createQueryDeps>,
  catalogue: TableCatalogue,
  readable: Readable,
) => ({
  ...deps,
  catalogue: new ReadableCatalogue(catalogue, readable),
  readableKey: readable.key,
});

/** The options with partial answers that show no more than the last one. */
const shown = <Answer>(
  { signal, onPartial }: Pick<AskOptions<Answer>, "signal" | "onPartial">,
  hide: (answer: Answer) => Answer,
) => ({
  signal,
  ...(onPartial && { onPartial: (partial: Answer) => onPartial(hide(partial)) }),
});

const treeOfOneMachine = (leaves: number): TreeSize => ({
  machines: 1,
  leaves,
  fanOut: fanOutDefault,
});

/** Without the tables: {@link readableDeps} adds those that whoever asks may read. */
function createQueryDeps(parts: GatewayParts, logError: ApiDeps["logError"]) {
  const { settings, ledger, tableSettings, functions, sandbox, now } = parts;
  return {
    admission: parts.admission,
    rowQuota: parts.rowQuota,
    functions: () => functions.all,
    sandbox,
    leaves: settings.nodes ?? settings.leaves,
    leafStates: () =>
      settings
        .leaves()
        .map(({ id, startId, state }) => `${id} ${state === "alive" ? startId : "away"}`)
        .join("\n"),
    treeSize: settings.treeSize ?? (() => treeOfOneMachine(settings.leaves().length)),
    timings: new QueryTimings(),
    expectedRows: ledger.all,
    settingsOf: (table: string) => tableSettings.of(table),
    logError,
    now,
    wallMs: Date.now,
    onPathMs: settings.onPathMs ?? (() => undefined),
    onTree: (asked: readonly TracedNode[], mergeMs: number) =>
      parts.lastTree.note({ atMs: Date.now(), asked, mergeMs }),
  };
}

async function deleteTable(
  name: string,
  actor: Actor,
  parts: GatewayParts,
  known: KnownAnswers,
): Promise<void> {
  const { tableSettings, retention, catalogue, people } = parts;
  const before = tableSettings.of(name);
  await tableSettings.remove(name, people.audit.entry(actor, "table.delete", name));
  // Leaves may be slow to delete: once the ledger has removed the table, the name belongs to a new one.
  const forget = (): Promise<void> => forgetTable(name, parts, known);
  await retention.deleteTable(name, forget).catch(async (error: unknown) => {
    // The table was not deleted: it keeps its settings.
    await tableSettings.set(name, before);
    throw error;
  });
  await catalogue.refresh();
}

/** Its name may belong to a new one from here on. */
async function forgetTable(
  name: string,
  { order, canaries }: Pick<GatewayParts, "order" | "canaries">,
  { cache, shared }: KnownAnswers,
): Promise<void> {
  canaries.forget(name);
  shared.forget(name);
  await cache.forget(name);
  await order.forget(name);
}

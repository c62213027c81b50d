import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  createKernel,
  createSharedMemory,
  kernelReservedBytes,
  loadKernelModule,
  sharedMemoryBytesMax,
} from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { cutSteps } from "../aggregate/cut/cutGroups.js";
import { encodePartialSteps } from "../aggregate/merge/partialCodec.js";
import type { CopySource } from "../base/copy/copySource.js";
import type { FunctionLimits, SandboxIsolation } from "../base/limit/functionLimits.js";
import type { RowBatch } from "../base/row/rowBatch.js";
import { decodeRowBatch } from "../base/row/rowBatchCodec.js";
import { inTurns, neverStops, type Steps } from "../base/schedule/steps.js";
import type { LeafHandlers, QueryAnswer, QueryContext } from "../cluster/leafHandlers.js";
import type { DescribeOptions } from "../cluster/leafProtocol.js";
import type {
  CopyStatus,
  DescribedTable,
  LeafQueryStats,
  LeafStatus,
} from "../cluster/leafReply.js";
import { SandboxHost } from "../function/sandbox/sandboxHost.js";
import { countMinutes } from "../ingest/ledger/minuteCounts.js";
import { adviseHugePages } from "../memory/hugePages.js";
import { divideMemory, type LeafMemory } from "../memory/leafMemory.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { KeptScans } from "../scan/answer/keptScans.js";
import type { LeafQuery } from "../scan/leafAnswer.js";
import { allocateScratch } from "../scan/memory/scratch.js";
import { tuneReadAhead } from "../scan/memory/tuneReadAhead.js";
import { scanSides } from "../scan/scanSides.js";
import { formsOfTable } from "../scan/segment/formsOfTable.js";
import { MainScan } from "../scan/thread/mainScan.js";
import type { ScanContext } from "../scan/thread/scanContext.js";
import { ScanThreads } from "../scan/thread/scanThreads.js";
import { CopyHolders } from "../store/copy/copyHolders.js";
import { LeafCopySource } from "../store/copy/leafCopySource.js";
import { LeafFolder } from "../store/copy/leafFolder.js";
import { PlannedRemovals } from "../store/copy/plannedRemovals.js";
import { StoreFollower } from "../store/copy/storeFollower.js";
import { findBatches, findBatchesOfBody } from "../store/leaf/findBatches.js";
import { GatewayFence } from "../store/leaf/gatewayFence.js";
import { HintFiles } from "../store/leaf/hintFiles.js";
import { LeafStore } from "../store/leaf/leafStore.js";
import { StageWatch } from "../store/leaf/stageWatch.js";
import { StoreUpkeep } from "../store/leaf/storeUpkeep.js";
import { storeReserveBytes } from "../store/segment/tableContext.js";
import type { HeldBatch } from "../store/table/table.js";
import { WarmRows } from "../store/warm/warmRows.js";
import { describeTable } from "./describeTable.js";
import { readOnlyHandlers } from "./readOnlyHandlers.js";
import { heldDays, heldMinutes, holdingsOf } from "./tableHoldings.js";
import { countOfLong, snapshotOfOthers, undecidedBatches } from "./unitReports.js";

/** A quarter of the leaf's memory, at most this, is the one pool of all running queries. */
const queryPoolBytesMax = 2 ** 30;
/** How often it is checked whether there are enough rows to measure the machine. */
const tuneEveryMs = 1_000;
const restoreStepMs = 20;
/** Leaves together leave this share of the machine to everything else. */
const machineShare = 0.6;

export interface LeafSettings {
  readonly leafId: string;
  /** How many leaves share this machine. */
  readonly leafCount: number;
  /** Threads that scan for one query at once. */
  readonly scanThreads: number;
  /** An open segment this old is sealed. */
  readonly sealAfterMs: number;
  /** Sealed texts this old are compressed. */
  readonly rawTextsMs: number;
  /** Its memory in MiB; 0 takes a share of the machine's. */
  readonly memoryMib: number;
  /** Of the memory for rows, the share that they fill before the oldest go; 1: none go. */
  readonly budgetShare: number;
  /** Whether its rows are left in shared memory when it ends. */
  readonly warmRestart: boolean;
  readonly functionLimits: FunctionLimits;
  readonly sandbox: SandboxIsolation;
  readonly folder: string;
  /** Names this process among the copies of its source. */
  readonly holder: string;
  readonly warn: (text: string) => void;
}

interface LeafParts extends Pick<ScanContext, "kernel" | "scratch"> {
  readonly memory: LeafMemory;
  readonly folder: LeafFolder;
  readonly fence: GatewayFence;
  readonly store: LeafStore;
  readonly threads: ScanThreads;
  readonly sandbox: SandboxHost;
  readonly warm: WarmRows | null;
}

/** A leaf without its network: its tables, and handlers for the requests of an aggregator or the gateway. */
export class LeafNode {
  readonly #settings: LeafSettings;
  readonly #memory: LeafMemory;
  readonly #store: LeafStore;
  readonly #threads: ScanThreads;
  readonly #sandbox: SandboxHost;
  readonly #scan: ScanContext;
  readonly #upkeep: StoreUpkeep;
  readonly #hints: HintFiles;
  readonly #fence: GatewayFence;
  readonly #tuning: NodeJS.Timeout;
  readonly #folder: LeafFolder;
  readonly #warm: WarmRows | null;
  readonly #holders = new CopyHolders();
  readonly #copies: LeafCopySource;
  readonly #removals: PlannedRemovals;
  readonly #stages = new StageWatch();
  /** Null: this leaf is not a copy. */
  #follower: StoreFollower | null = null;

  private constructor(
    settings: LeafSettings,
    { memory, folder, fence, store, threads, sandbox, kernel, scratch, warm }: LeafParts,
  ) {
    this.#settings = settings;
    this.#memory = memory;
    this.#store = store;
    this.#threads = threads;
    this.#sandbox = sandbox;
    this.#warm = warm;
    this.#hints = new HintFiles(store);
    this.#folder = folder;
    this.#fence = fence;
    this.#copies = new LeafCopySource({ store, folder, holders: this.#holders });
    this.#removals = new PlannedRemovals(store, folder);
    this.#upkeep = new StoreUpkeep(store, {
      nowMs: () => Date.now(),
      isBusy: () => threads.running > 0,
      isCopy: () => this.#follower !== null,
      sealAgeMs: settings.sealAfterMs,
      rawTextsMs: settings.rawTextsMs,
      warn: settings.warn,
    });
    this.#upkeep.start();
    const tune = () => {
      if (tuneReadAhead(memory, kernel)) clearInterval(this.#tuning);
    };
    this.#tuning = setInterval(tune, tuneEveryMs).unref();
    let taskId = 0;
    const kept = new KeptScans();
    const nextTaskId = (): number => ++taskId;
    this.#scan = { kernel, scratch, memory, threads, kept, sandbox, nextTaskId };
  }

  static async start(settings: LeafSettings): Promise<LeafNode> {
    const { warn } = settings;
    const shared = createSharedMemory(memoryBytes(settings));
    const missed = await adviseHugePages(shared);
    if (missed !== null) warn(`scans are slower than they could be, without huge pages: ${missed}`);
    const poolBytes = Math.min(queryPoolBytesMax, Math.floor(shared.buffer.byteLength / 4));
    const memory = divideMemory(shared, kernelReservedBytes, poolBytes);
    const module = await loadKernelModule(new URL("./kernel.wasm", import.meta.url));
    const kernel = createKernel(shared, module);
    const scratch = allocateScratch(memory.queries);
    const main = new MainScan({ memory: shared, kernel, scratch, warn });
    const context = { memory, kernel, warn };
    const folder = await LeafFolder.open(settings.folder, warn);
    const warm = settings.warmRestart ? new WarmRows(settings.folder, folder.id, context) : null;
    const [fence, store, threads] = await Promise.all([
      GatewayFence.open(join(settings.folder, "gateways.json"), warn),
      LeafStore.open(join(settings.folder, "tables"), context, { openWarm: warm?.take() }),
      ScanThreads.start({
        script: new URL("./scanThread.js", import.meta.url),
        count: settings.scanThreads,
        start: { memory: shared, module },
        ...{ pool: memory.queries, main, warn },
      }),
    ]);
    warm?.end();
    const script = new URL("./sandbox.js", import.meta.url);
    const sandbox = new SandboxHost({
      script,
      limits: settings.functionLimits,
      isolation: settings.sandbox,
      warn,
    });
    const parts = { memory, folder, fence, store, threads, sandbox, kernel, scratch, warm };
    return new LeafNode(settings, parts);
  }

  /** Whether its folder has never had rows. */
  get isEmpty(): boolean {
    return this.#folder.id === null && [...this.#store.tables].length === 0;
  }

  /** Whether its folder has some of the rows of a copy, and not all of them. */
  get isBegun(): boolean {
    return this.#folder.isBegun;
  }

  /** Its folder has all rows that it should have; see {@link LeafFolder.complete}. */
  ownFolder(removalsMin?: number): Promise<void> {
    return this.#folder.complete(removalsMin);
  }

  /** From here on its tables are those of the source. */
  follow(source: CopySource): void {
    this.#store.isCopy = true;
    this.#follower = this.#following(source);
    this.#follower.start();
  }

  /** Resolves once its tables are those of a copy. */
  async restore(source: CopySource): Promise<void> {
    this.follow(source);
    while (this.#follower?.hasAll === false) await delay(restoreStepMs);
    await this.#follower?.close();
    this.#follower = null;
    this.#store.isCopy = false;
  }

  #following(source: CopySource): StoreFollower {
    return new StoreFollower({
      ...{ store: this.#store, source, warn: this.#settings.warn },
      holder: this.#settings.holder,
      onFolder: (folderId) => this.#folder.copyOf(folderId),
      onWhole: (removals) => this.#folder.noteCopied(removals),
    });
  }

  /** The handlers for its connections. */
  get handlers(): LeafHandlers {
    const handlers = this.#allHandlers();
    return this.#follower === null ? handlers : readOnlyHandlers(handlers);
  }

  #allHandlers(): LeafHandlers {
    return {
      append: ({ table, batchId, contentHash, durable, sender, unit }, body) =>
        this.#fence.run(sender, async () => {
          const batch = decodeBatch(body);
          const found = await this.#store.findOrCreate(table);
          const appended = await found.append({
            ...{ batch, batchId, contentHash, bytes: body },
            isDurable: durable,
            ...(unit !== undefined && { unit }),
          });
          return { ...appended, freeBytes: this.#memory.store.freeBytes };
        }),
      holds: async ({ table, batchIds }) =>
        (await findBatches(this.#store, table, batchIds)).map(toHeldBatch),
      holdsOfBody: async ({ table, idsStart }) =>
        (await findBatchesOfBody(this.#store, table, idsStart)).map(toHeldBatch),
      settle: ({ gateway, upTo, except, aborted, named }) =>
        this.#store.units.settle(gateway, { upTo, except, aborted }, named),
      undecided: async () => ({
        batches: undecidedBatches(this.#store),
        decided: this.#store.units.snapshotFor(),
      }),
      storeHint: ({ table, batchId, contentHash, sender }, body) =>
        this.#fence.run(sender, () =>
          this.#hints.set(table, { batch: decodeBatch(body), batchId, contentHash, bytes: body }),
        ),
      takeHint: ({ table, batchId, sender }) =>
        this.#fence.run(sender, async () => {
          const appended = await this.#hints.take(table, batchId);
          return appended && { ...appended, freeBytes: this.#memory.store.freeBytes };
        }),
      dropHint: ({ table, batchId, sender }) =>
        this.#fence.run(sender, () => this.#hints.drop(table, batchId)),
      listHints: ({ after }) =>
        this.#hints.list(after, (table, { batch, batchId, contentHash }) => {
          const rows = countMinutes(batch.times);
          return { table, batchId, contentHash, rows };
        }),
      query: (query, context, onPartial) => this.#query(query, context, onPartial),
      expire: ({ table, ...bounds }) =>
        this.#removals.plan(table, (found) => found.planExpiry(bounds)),
      planThinning: ({ table, ...bounds }) =>
        this.#removals.plan(table, (found) => found.planThinning(bounds)),
      planCut: ({ table, maxBytes }) =>
        this.#removals.plan(table, (found) => found.planCut(maxBytes)),
      planDrop: ({ table }) => this.#removals.planDrop(table),
      reduce: ({ table, generations, reduction, sender }) =>
        this.#fence.run(sender, () =>
          this.#store.reduce(table, generations, reduction, () => this.#upkeep.pause()),
        ),
      drop: ({ table, generations, sender }) =>
        this.#fence.run(sender, () => this.#store.drop(table, generations)),
      fence: async ({ sender, version, senders }) => {
        await this.#fence.use({ version, senders });
        this.#fence.check(sender);
      },
      holdings: async () => ({
        tables: [...this.#store.tables].map(holdingsOf),
        unreadFolders: this.#store.unreadFolders,
      }),
      heldDays: async ({ table, fromDay }) => heldDays(this.#store.find(table), fromDay),
      heldMinutes: async ({ table, days }) =>
        heldMinutes(await this.#store.findSettled(table), days),
      describe: (request) => inTurns(this.#describe(request), neverStops),
      forms: (request) => formsOfTable(request, this.#store.find(request.table), this.#scan),
      status: async () => this.status(),
      copies: this.#copies,
      awaitCopy: async ({ table, batchIds, waitMs }) => {
        const held = await findBatches(this.#store, table, batchIds);
        const position = this.#store.find(table)?.copy.position;
        if (held.length === 0 || position === undefined || !this.#holders.areThere) return [];
        const isCopied = await this.#holders.untilHeld(table, position, waitMs);
        return isCopied ? held.map(({ receipt: [batchId] }) => batchId) : [];
      },
    };
  }

  /** One table per step. */
  *#describe({ known = [], counted = [] }: DescribeOptions): Steps<readonly DescribedTable[]> {
    const formsOf = new Map(known);
    const described: DescribedTable[] = [];
    for (const table of [...this.#store.tables]) {
      const { columns, ...rest } = describeTable(table);
      const isKnown = formsOf.get(table.name) === rest.forms && !counted.includes(table.name);
      described.push(isKnown ? rest : { ...rest, columns });
      yield;
    }
    return described;
  }

  status(): LeafStatus {
    const tables = [...this.#store.tables].map(({ name, rowCount, bytes }) => ({
      name,
      rows: rowCount,
      bytes,
    }));
    const { store, queries } = this.#memory;
    const follower = this.#follower;
    return {
      leafId: this.#settings.leafId,
      pid: process.pid,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      bytes: tables.reduce((sum, { bytes }) => sum + bytes, 0),
      freeBytes: store.freeBytes,
      memory: {
        storeBytes: store.totalBytes,
        storeUsedBytes: store.usedBytes,
        storeLargestFreeBytes: store.largestFreeBytes,
        storeExtents: store.count,
        queryPoolBytes: queries.totalBytes,
        queryPoolUsedBytes: queries.usedBytes,
      },
      tables: tables.sort((a, b) => b.bytes - a.bytes),
      excessBytes: excessBytes(store, this.#settings.budgetShare),
      queriesRunning: this.#threads.running,
      rowsScanned: this.#threads.rowsScanned,
      rowsUnwritten: [...this.#store.tables].reduce((sum, one) => sum + one.rowsUnwritten, 0),
      ...{ takesUnits: true, ...countOfLong(undecidedBatches(this.#store)) },
      filesDamaged: [...this.#store.tables].reduce(
        (sum, { lost }) => sum + lost.files,
        this.#store.unreadFolders.length,
      ),
      stages: this.#stages.look(this.#store.tables, performance.now()),
      ...{ folderId: this.#folder.id ?? "", removals: this.#folder.removals },
      ...(follower === null ? {} : { copy: copyStatus(follower) }),
    };
  }

  /** A table that the leaf does not have is one without rows. What it sends is cut to what the root may need of it. */
  async #query(
    query: ResolvedQuery,
    { signal, snapshot: asked }: QueryContext,
    onPartial: (answer: QueryAnswer) => Steps<void>,
  ): Promise<QueryAnswer> {
    const table = this.#store.find(query.table);
    const snapshot = this.#store.units.snapshotFor(asked);
    const stood = snapshotOfOthers(snapshot, asked, table?.unitGateways ?? new Set());
    const marked = (stats: LeafQueryStats): LeafQueryStats =>
      stood === null ? stats : { ...stats, snapshot: stood };
    const scanned: LeafQuery = {
      ...{ query, signal, snapshot, context: this.#scan },
      onPartial: ({ stats, partial }) =>
        onPartial({
          stats: marked(stats),
          encode: function* () {
            return yield* encodePartialSteps(yield* cutSteps(partial, query), query);
          },
        }),
    };
    const { partial, isCut, stats } = await scanSides(scanned, table);
    // There may be millions of groups: other work runs between steps.
    const cut = isCut ? partial : await inTurns(cutSteps(partial, query), signal);
    return { stats: marked(stats), encode: () => encodePartialSteps(cut, query) };
  }

  /** Writes what was acknowledged; appends fail from here on. */
  flush(): Promise<void> {
    return this.#store.close();
  }

  /** Lets what was accepted reach the disk. */
  async close(): Promise<void> {
    clearInterval(this.#tuning);
    await this.#follower?.close();
    await this.#upkeep.close();
    await this.#sandbox.close();
    await this.#threads.close();
    await this.#store.close();
    await this.#warm?.save(this.#store.tables, this.#folder.id);
  }
}

function copyStatus({ isWhole, lagMs, problem }: StoreFollower): CopyStatus {
  return { isWhole, lagMs, ...(problem !== null && { problem }) };
}

/** What rows take beyond their share of the memory that new rows may fill. */
function excessBytes({ totalBytes, usedBytes }: LeafMemory["store"], budgetShare: number): number {
  if (budgetShare >= 1) return 0;
  return Math.max(0, usedBytes - Math.floor((totalBytes - storeReserveBytes) * budgetShare));
}

function toHeldBatch({ receipt: [batchId, contentHash, rowCount], unit }: HeldBatch) {
  return { batchId, contentHash, rowCount, ...(unit !== undefined && { undecided: unit }) };
}

function memoryBytes({ leafCount, memoryMib }: LeafSettings): number {
  if (memoryMib > 0) return memoryMib * 2 ** 20;
  const share = Math.floor((totalmem() * machineShare) / leafCount);
  return Math.min(sharedMemoryBytesMax, share);
}

function decodeBatch(body: Uint8Array): RowBatch {
  try {
    return decodeRowBatch(body);
  } catch (error) {
    const detail = `The body is not a row batch: ${error instanceof Error ? error.message : ""}`;
    throw new HadalError("bad-request", { detail });
  }
}

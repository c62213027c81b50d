import { type AckLevel, HadalError } from "@hadal/sdk";
import type { Sender } from "./body/fairOrder.js";
import type { IngestQuota } from "./body/ingestQuota.js";
import { findStoredBefore } from "./findStoredBefore.js";
import type { Attempt } from "./ledger/batchWindow.js";
import { BatchPlacer } from "./place/batchPlacer.js";
import type {
  EncodedBatch,
  OutgoingBatch,
  PlacedBatch,
  PlacerDeps,
  UnitOfBatch,
} from "./place/outgoingBatch.js";
import { dealShares } from "./place/placement.js";
import { storeLost } from "./place/storeLost.js";
import { untilCopied } from "./place/untilCopied.js";
import { rangesToStore, storedRanges, wholeRange, wholeRowsMax } from "./read/bodyParts.js";
import type { ReadBody } from "./read/bodyReader.js";
import { type BodyPart, partsOf } from "./read/cutBody.js";
import type { TableCounts } from "./tableCounts.js";
import { Units } from "./unit/units.js";

export interface RowStoreDeps extends PlacerDeps {
  readonly quota: IngestQuota;
  /** Rows of these columns, in their order, are about to be stored. */
  readonly onColumns?: (table: string, columns: readonly string[]) => Promise<void>;
  /** Rows of these columns are stored: queries find them once this has resolved. */
  readonly onStored?: (table: string, columns: readonly string[]) => Promise<void>;
  /** A leaf has a batch, which is encoded already; it is visible. */
  readonly onPlaced?: (table: string, encode: () => Promise<EncodedBatch>) => Promise<void>;
}

/** The rows of a unit are open until it is decided: leaves have room for so many. */
const unitRowsMax = 1_000_000;
/** A client waits at most this long for a leaf to come back; then it has to try again. */
const ingestTimeoutMs = 15_000;

/** The rows of one table in a request. */
export interface SentRows {
  readonly table: string;
  readonly key: string | null;
  readonly ack: AckLevel;
  readonly body: ReadBody;
  /** Of the body: those of its batches begin with it. */
  readonly batchId: string;
  /** See `findStoredBefore`. */
  readonly mayBeStored?: true;
}

interface PreparedRows extends SentRows {
  /** In which its key was looked for; null: this is the only gateway. */
  readonly epoch: number | null;
  /** The batches that came before. */
  readonly before: ReadonlyMap<string, Attempt>;
  /** Those of them that a leaf has lost. */
  readonly lost: ReadonlyMap<string, string>;
  /** What is to be stored now. */
  readonly parts: readonly BodyPart[];
  readonly isSeen: Promise<void> | undefined;
}

interface PlacedPart {
  readonly rows: PreparedRows;
  readonly part: BodyPart;
}

interface Placing {
  readonly sender: Sender;
  readonly deadlineMs: number;
  readonly unit?: UnitOfBatch;
}

interface StoringAll extends Omit<Placing, "unit"> {
  readonly mustBeUnit: boolean;
}

/** Stores rows that were read, on leaves. */
export class RowStore {
  readonly #deps: RowStoreDeps;
  readonly #tables: TableCounts;
  readonly #placer: BatchPlacer;
  readonly #units: Units;
  readonly #running = new Map<string, Promise<unknown>>();
  rowsAccepted = 0;
  batches = 0;

  constructor(deps: RowStoreDeps, tables: TableCounts) {
    this.#deps = deps;
    this.#tables = tables;
    this.#placer = new BatchPlacer(deps);
    this.#units = new Units(deps);
  }

  /**
   * Stores the rows of one table or several: as a unit where they are of several batches. `mustBeUnit`:
   * they are refused where that cannot be.
   */
  store(
    sent: readonly SentRows[],
    sender: Sender,
    { mustBeUnit = false }: { readonly mustBeUnit?: boolean } = {},
  ): Promise<void> {
    const work = async (): Promise<void> => {
      const deadlineMs = this.#deps.nowMs() + ingestTimeoutMs;
      const bodies: PreparedRows[] = [];
      for (const rows of sent) bodies.push(await this.#prepare(rows, deadlineMs));
      await this.#storeAll(bodies, { sender, deadlineMs, mustBeUnit });
    };
    const ids = sent.flatMap(({ table, key }) => (key === null ? [] : [`${table}\n${key}`]));
    // In the same order everywhere: so no two requests wait for each other.
    return ids.sort().reduceRight((next, id) => () => this.#oneAtATime(id, next), work)();
  }

  /** Asks leaves about what is not decided. */
  async resolvePending(): Promise<number> {
    const resolving = this.#placer.resolvePending();
    await Promise.all([resolving, this.#units.resolve()]);
    return this.#deps.ledger.pending().length;
  }

  /** Whether the ledger lists what leaves hide: hints, and units that are not decided. */
  get areHintsKnown(): boolean {
    return this.#placer.areHintsKnown && this.#units.areKnown;
  }

  /** Repetitions of a request wait for one another. */
  async #oneAtATime(id: string, work: () => Promise<void>): Promise<void> {
    const before = this.#running.get(id);
    const mine = (before ?? Promise.resolve()).catch(() => undefined).then(work);
    this.#running.set(id, mine);
    try {
      await mine;
    } finally {
      if (this.#running.get(id) === mine) this.#running.delete(id);
    }
  }

  /** Finds out what of a body is still to be stored. */
  async #prepare(sent: SentRows, deadlineMs: number): Promise<PreparedRows> {
    const { table, key, body, batchId } = sent;
    const { columnNames, requestHash } = body.outcome;
    const epoch = this.#deps.others?.sender.epoch ?? null;
    const entry = key === null ? undefined : this.#deps.ledger.findKey(table, key);
    if (entry !== undefined && entry.requestHash !== requestHash) {
      throw new HadalError("idempotency-conflict", { key: key ?? "" });
    }
    // They may be of a unit that was left open when the server ended.
    const areLost = key !== null && this.#deps.ledger.areKeysLost(this.#deps.nowMs());
    if (areLost || [...(entry?.batches.values() ?? [])].some(isPending))
      await this.#units.resolve();
    if (areLost && !this.#units.areKnown) throw keysLost();
    const found = await findStoredBefore(sent, this.#deps, this.#placer, deadlineMs);
    const lost = await this.#placer.findLost(table, found);
    const before = withoutLost(found, lost);
    const isSeen = this.#deps.onColumns?.(table, columnNames);
    const parts = await this.#partsOfBody(table, body, { batchId, before }, deadlineMs);
    return { ...sent, epoch, before, lost, parts, isSeen };
  }

  async #storeAll(bodies: readonly PreparedRows[], placing: StoringAll): Promise<void> {
    const placed = bodies.flatMap((rows) => rows.parts.map((part) => ({ rows, part })));
    const rowCount = placed.reduce((sum, { part }) => sum + part.rowCount, 0);
    this.#deps.quota.takeRows(placing.sender.client, rowCount);
    await this.#placeParts(placed, placing).finally(() => {
      for (const { table, body, parts } of bodies) {
        const { late, future } = body.outcome;
        if (parts.length > 0) this.#tables.add(table, { late, future });
      }
    });
    for (const rows of bodies) {
      if (rows.ack === "replicated") await this.#untilReplicated(rows);
      await rows.isSeen;
      await this.#deps.onStored?.(rows.table, rows.body.outcome.columnNames);
    }
  }

  async #placeParts(
    placed: readonly PlacedPart[],
    { sender, deadlineMs, mustBeUnit }: StoringAll,
  ): Promise<void> {
    const place = ({ rows, part }: PlacedPart, unit?: UnitOfBatch): Promise<PlacedBatch> =>
      this.#placeOne(rows, part, { sender, deadlineMs, ...(unit && { unit }) });
    // Rows that a leaf has lost are expected, and missing, until they are there again.
    const areNew = placed.every(({ rows }) => rows.lost.size === 0);
    const rowCount = placed.reduce((sum, { part }) => sum + part.rowCount, 0);
    const isSmall = rowCount <= unitRowsMax;
    if (mustBeUnit && !isSmall) throw unitTooLarge(rowCount);
    const mayBeUnit = placed.length > 1 && areNew && isSmall;
    if (mayBeUnit && (await this.#units.areTaken(deadlineMs))) {
      await this.#units.store(placed, place, deadlineMs);
      for (const one of placed) this.#countPart(one);
      return;
    }
    if (placed.length > 1 && areNew && mustBeUnit) throw cannotBeUnit();
    const outcomes = await Promise.allSettled(
      placed.map(async (one) => {
        await place(one);
        this.#countPart(one);
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === "rejected");
    if (failed !== undefined) throw partlyStored(failed.reason, placed, outcomes);
  }

  #countPart({ rows: { table }, part: { rowCount, encode } }: PlacedPart): void {
    void this.#deps.onPlaced?.(table, encode);
    this.batches++;
    this.rowsAccepted += rowCount;
    this.#tables.add(table, { accepted: rowCount });
  }

  async #untilReplicated({ table, body, batchId, before, parts }: PreparedRows): Promise<void> {
    const stored = storedOf(before);
    if (stored.length > 0) {
      const sent = await partsOf(body, idsOf(body, batchId), (id) => storedRanges(id, before));
      await storeLost(this.#deps, table, before, sent);
    }
    const batchIds = [...stored, ...parts.map((part) => part.batchId)];
    await untilCopied(this.#deps.leaves(), table, batchIds);
  }

  /** The parts of a body that are not stored yet. */
  async #partsOfBody(
    table: string,
    body: ReadBody,
    { batchId, before }: { batchId: string; before: ReadonlyMap<string, Attempt> },
    deadlineMs: number,
  ): Promise<readonly BodyPart[]> {
    const { accepted } = body.outcome;
    const ids = idsOf(body, batchId);
    if (accepted <= wholeRowsMax) return partsOf(body, ids, (id) => wholeRange(id, before));
    const leaves = await this.#placer.openLeaves(table, deadlineMs);
    const deal = (shareCount: number) => dealShares(shareCount, leaves, this.#deps.random);
    return partsOf(body, ids, (id) => rangesToStore(id, before, deal));
  }

  async #placeOne(
    { table, key, ack, body, lost, epoch }: PreparedRows,
    { batchId, leafId, bytes: size, minutes: rows, encode }: BodyPart,
    { sender, deadlineMs, unit }: Placing,
  ): Promise<PlacedBatch> {
    const intent = { table, batchId, key, requestHash: body.outcome.requestHash, rows };
    const durable = ack !== "received";
    const countedOn = lost.get(batchId) ?? null;
    if (countedOn !== null) await this.#forget(intent, countedOn, encode);
    const chosen = countedOn ?? leafId;
    const placed = chosen ?? (key === null ? null : this.#placer.leafOfKey(table, batchId));
    const place = { leafId: placed, countedOn, epoch, ...(unit && { unit }) };
    const batch = { intent, ...place, sender, size, durable, encode };
    return this.#placer.place(batch, deadlineMs);
  }

  /** Its leaf has lost it: it is not stored any more. Its rows stay expected there. */
  async #forget(
    intent: OutgoingBatch["intent"],
    leaf: string,
    encode: OutgoingBatch["encode"],
  ): Promise<void> {
    const { ledger, nowMs } = this.#deps;
    const { contentHash } = await encode();
    await ledger.begin({ ...intent, contentHash, leaf, atMs: nowMs() });
    ledger.settle(intent.table, intent.batchId, "refused");
  }
}

/** What leaves have lost is sent again. */
function withoutLost(
  before: ReadonlyMap<string, Attempt>,
  lost: ReadonlyMap<string, string>,
): ReadonlyMap<string, Attempt> {
  if (lost.size === 0) return before;
  return new Map(
    [...before].map(([batchId, attempt]) => [
      batchId,
      lost.has(batchId) ? { ...attempt, state: "pending" as const } : attempt,
    ]),
  );
}

/** Of the batches of a body. */
const idsOf = ({ outcome }: ReadBody, bodyId: string): readonly string[] =>
  Array.from({ length: outcome.batchCount }, (_, i) => `${bodyId}/${i}`);

const isPending = ({ state }: Attempt): boolean => state === "pending";

/** The parts that were stored when the request came before. */
const storedOf = (before: ReadonlyMap<string, Attempt>): readonly string[] =>
  [...before].flatMap(([batchId, { state }]) => (state === "stored" ? [batchId] : []));

/**
 * Some parts of a request may be stored and others not: the reply has the number of stored rows. Only
 * where a leaf is of an older version, or has lost rows.
 */
function partlyStored(
  reason: unknown,
  placed: readonly PlacedPart[],
  outcomes: readonly PromiseSettledResult<unknown>[],
): unknown {
  if (!(reason instanceof HadalError)) return reason;
  const failed = placed.reduce(
    (sum, { part }, i) => sum + (outcomes[i]?.status === "rejected" ? part.rowCount : 0),
    0,
  );
  const bodies = new Set(placed.map(({ rows }) => rows.body));
  const accepted = [...bodies].reduce((sum, { outcome }) => sum + outcome.accepted, 0);
  // Parts that are not among these were stored when the request came before.
  const stored = accepted - failed;
  if (stored === 0) return reason;
  const detail = `${stored} of ${accepted} rows were stored. Send the request again with the same Idempotency-Key to store the others; without one all would be stored again.`;
  const error = new HadalError(reason.code, {}, [
    ...reason.errors,
    { code: "partly-stored", detail },
  ]);
  error.message = `${reason.message} ${detail}`;
  return error;
}

function keysLost(): HadalError {
  const detail =
    "The row-count ledger was damaged, and not all leaves have said yet what they hold of requests that were on their way. Send it again a little later.";
  return new HadalError("unavailable", { detail });
}

function unitTooLarge(rowCount: number): HadalError {
  const detail = `${rowCount} rows become visible in one moment only where they are at most ${unitRowsMax}. Nothing was stored: send several bodies.`;
  return new HadalError("bad-request", { detail });
}

function cannotBeUnit(): HadalError {
  const detail =
    "A leaf is of an older version, or none has said yet that it can store tables together; nothing was stored. Send it again a little later.";
  return new HadalError("unavailable", { detail });
}

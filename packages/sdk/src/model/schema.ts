import type { LeafCopy } from "./cluster/cluster.js";
import type { SourceStatus } from "./sourceStatus.js";

export type ColumnType = "int" | "string" | "set" | "vector";

/** Whoever may read only some of a table's rows gets no sizes. */
export interface ColumnSizes {
  /** Rows that have a value. */
  readonly rows: number;
  /** Memory that its values take, its dictionary included. */
  readonly bytes: number;
  /** Bytes of 8-byte integers and raw strings ÷ bytes held; null without values. */
  readonly compressionRatio: number | null;
}

export interface ColumnInfo extends Partial<ColumnSizes> {
  readonly name: string;
  readonly type: ColumnType;
  /** Digits behind the point; 0 for whole numbers and for other types. */
  readonly decimals: number;
  readonly unit?: string;
}

/** Whoever may read only some of a table's rows gets no sizes. */
export interface TableSizes {
  readonly rows: number;
  /** Memory that its rows take: the sum over its columns. */
  readonly bytes: number;
  /** null while the table is empty. */
  readonly bytesPerRow: number | null;
  /** Bytes of 8-byte integers and raw strings ÷ bytes held; null while the table is empty. */
  readonly compressionRatio: number | null;
  /** Event time of the oldest and the newest row; null while the table is empty. */
  readonly fromMs: number | null;
  readonly toMs: number | null;
}

export interface TableInfo extends Partial<TableSizes> {
  readonly name: string;
  readonly retention: Retention;
  /** Left out: not measured on this gateway, or rows may be read only in part. */
  readonly visible?: VisibleTimes;
}

/**
 * How long some of the latest rows took from their event to an answer that had them, milliseconds;
 * null: none was found.
 */
export interface VisibleTimes {
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly samples: number;
  /** Rows that no answer had within a minute, since the start. */
  readonly unseen: number;
}

export interface TableDetail extends TableInfo {
  readonly thinning: readonly ThinningStep[];
  readonly columnSettings: readonly ColumnSetting[];
  readonly columns: readonly ColumnInfo[];
  readonly segments?: number;
  /** Memory for metadata beside the rows: ids of recent batches, row counts per minute. */
  readonly bookBytes?: number;
}

/**
 * When rows go, oldest first: by event time, and when the table's segments take more bytes on all
 * leaves together. null: never.
 */
export interface Retention {
  readonly maxAgeMs: number | null;
  readonly maxBytes: number | null;
}

/**
 * Of rows older than `afterMs` one in `keepOneIn` stays, picked by chance, and its `sample_rate`
 * grows by as much: counts and sums stay right on average, and their error bars widen. `key` and
 * `groups` exclude each other.
 */
export interface ThinningStep {
  readonly afterMs: number;
  readonly keepOneIn: number;
  /**
   * One in `keepOneIn` values of this column stays, with all of its rows, e.g. of users: what each of
   * them did stays whole. Error bars take rows as independent, and are too narrow here.
   */
  readonly key?: string;
  /**
   * By groups of these columns: of a group with few rows more of them stay, so that rare ones do not
   * vanish; each row stands for as many as its own group has lost.
   */
  readonly groups?: readonly string[];
  /** So many rows of each group stay in every segment of up to 65,536 rows; 10 when left out. */
  readonly keepAtLeast?: number;
}

/** See {@link ThinningStep.keepAtLeast}. */
export const keepAtLeastDefault = 10;

/**
 * How values of a column are read from rows that arrive from now on; what is stored stays as it is.
 */
export interface ColumnSetting {
  readonly name: string;
  /** Left out: as the values come. A row whose value cannot be read so is refused. */
  readonly type?: ColumnType;
  /** Digits kept behind the point, of numbers; left out: six where there are fractions. */
  readonly decimals?: number;
}

export interface TableSettings {
  readonly retention: Retention;
  /** Oldest last; each step keeps a part of what the one before it kept. */
  readonly thinning: readonly ThinningStep[];
  readonly columns: readonly ColumnSetting[];
}

export interface MemberInfo {
  readonly id: string;
  readonly role: "gateway" | "aggregator" | "leaf";
  readonly address: string;
  readonly pid: number | null;
  readonly state: "alive" | "suspect" | "dead";
  readonly rows: number;
  readonly bytes: number;
  readonly freeBytes: number;
  /**
   * Of a leaf: rows whose files could not be written so far; it tries again every 2 s. Should it end
   * before, those are lost that were sent with `ack=received`. Left out: there are none.
   */
  readonly rowsUnwritten?: number;
  /**
   * Of a leaf: units whose rows no query sees, because for ten minutes no gateway has said what became
   * of them. Left out: there are none.
   */
  readonly unitsUndecided?: number;
  /**
   * Of a leaf: files that its last start found damaged; it serves without what it cannot read of them.
   * `hadal check` names them while the server is stopped. Left out: there are none, or it is no leaf.
   */
  readonly filesDamaged?: number;
  /** How a leaf's memory is used; null for other members, and before the leaf's first report. */
  readonly memory: MemoryInfo | null;
  /** What each table takes of a leaf; largest first. */
  readonly tables: readonly MemberTable[];
  /** When it was last heard of, in milliseconds since 1970. */
  readonly lastHeardMs: number;
  /** Where it runs. */
  readonly machine: string;
  /**
   * Who asks it: of a leaf its aggregator, or without a cluster the gateway; null: the trees of queries
   * differ.
   */
  readonly parent: string | null;
  /** Of its program. */
  readonly version: string;
  /** How old is what is known of it; null: it was never heard from. */
  readonly lagMs: number | null;
  /** Of a leaf those on other machines, of an aggregator those that it holds. */
  readonly copies: readonly LeafCopy[];
  /** Of an aggregator that has said it. */
  readonly requests?: MemberRequests;
}

/** An aggregator's requests to its leaves and to other machines. */
export interface MemberRequests {
  /** How many may be under way at once: more as they are answered, half as many after a loss. */
  readonly size: number;
  /** How many wait for others to be answered. */
  readonly waiting: number;
  /** How many were not answered in time, since its start. */
  readonly lost: number;
}

/** Use of a leaf's one shared memory: a store for rows, and a pool for running queries. */
export interface MemoryInfo {
  readonly storeBytes: number;
  readonly storeUsedBytes: number;
  /** The largest run of free bytes; much smaller than what is free means fragments. */
  readonly storeLargestFreeBytes: number;
  readonly storeExtents: number;
  readonly queryPoolBytes: number;
  readonly queryPoolUsedBytes: number;
}

export interface MemberTable {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Rows that a leaf has lost: they are counted, and missing in every answer over them. */
export interface LostRowsInfo {
  readonly leaf: string;
  readonly table: string;
  readonly rows: number;
  readonly reason: string;
}

/**
 * Values of a column that a leaf has lost: their rows are missing in every answer that reads the
 * column, and in no other.
 */
export interface LostColumnInfo {
  readonly leaf: string;
  readonly table: string;
  readonly column: string;
  readonly rows: number;
  readonly reason: string;
}

/** The row-count ledger: how many rows there should be. */
export interface LedgerInfo {
  /** `rebuilding`: it has lost counts, and not every leaf has been compared since. */
  readonly state: "whole" | "rebuilding";
  /** What it has lost; null: nothing. */
  readonly reason: string | null;
  /**
   * When it was last compared with the rows of all leaves, in milliseconds since 1970; null: not yet.
   */
  readonly comparedMs: number | null;
  readonly lostRows: readonly LostRowsInfo[];
  /** Servers of older versions do not say. */
  readonly lostColumns?: readonly LostColumnInfo[];
  /** Tables whose expected number of rows is unknown. */
  readonly doubts: readonly { readonly table: string; readonly reason: string }[];
}

/** How far the demo's history has come. */
export interface DemoInfo {
  readonly table: string;
  /** Rows of history that this start has written. */
  readonly rows: number;
  /** Share of the missing history that is written, 0 to 1. */
  readonly fraction: number;
  /** Why the demo has ended; null while it goes on. */
  readonly problem: string | null;
}

export interface StatusInfo {
  readonly ledger: LedgerInfo;
  readonly members: readonly MemberInfo[];
  /** Tables over all leaves, largest first. */
  readonly tables: readonly MemberTable[];
  readonly queries: readonly {
    readonly id: string;
    readonly table: string;
    /**
     * The question as SQL, or as it was sent where SQL cannot say it; at most {@link queryTextMax}
     * characters.
     */
    readonly text: string;
    readonly elapsedMs: number;
  }[];
  /**
   * Queries that have their turn now, that wait for it, and that were refused since the server
   * started.
   */
  readonly admission: {
    readonly running: number;
    readonly waiting: number;
    readonly refused: number;
    /** About what answers take that have not left yet. */
    readonly answerBytes: number;
  };
  readonly sandbox: SandboxState;
  /** null: no demo table is fed. */
  readonly demo: DemoInfo | null;
  readonly ingest: {
    readonly rowsAccepted: number;
    readonly rowsRejected: number;
    readonly batches: number;
    /** Rows taken in per table since the server started, in alphabetical order. */
    readonly tables: readonly TableIngest[];
    /**
     * What sends under way take of the memory for them, large ones that wait for room, and those
     * refused since the server started.
     */
    readonly bytesHeld: number;
    readonly waiting: number;
    readonly refused: number;
    /**
     * In the order in which rows pass them. Empty for whoever may not read every table; servers of
     * older versions do not say.
     */
    readonly stages?: readonly IngestStage[];
  };
  /** Topics of Kafka that are read, in the order of their ids; none for those who do not operate the server. */
  readonly sources: readonly SourceStatus[];
}

/**
 * The rows whose furthest stage is this one. `accepted`: sent to leaves by this gateway, and not
 * confirmed. `durable`: on a leaf's disk, and not visible yet. `open`: visible, in segments that
 * grow. `sealed`: in small segments. `merged`: in segments that were merged, or are large.
 */
export interface IngestStage {
  readonly stage: "accepted" | "durable" | "open" | "sealed" | "merged";
  readonly rows: number;
  /** How long the oldest of these rows waits for the next stage; 0: none waits. */
  readonly lagMs: number;
}

/** How the sandbox of functions is isolated. */
export interface SandboxState {
  /**
   * `unused`: no function has needed it yet. `refused`: it would keep something that it should not
   * have.
   */
  readonly state: "unused" | "strict" | "weak" | "refused";
  /** What it keeps, or would keep, in words. */
  readonly keeps: readonly string[];
}

export interface TableIngest {
  readonly name: string;
  /** Rows. */
  readonly accepted: number;
  readonly rejected: number;
  /** Of the accepted ones, those whose event was more than a minute ago when they came. */
  readonly late: number;
  /** Those whose event is more than a minute ahead. */
  readonly future: number;
}

export const queryTextMax = 1_000;

/** The time column of every table. */
export const timeColumn = "time";
/** The column with the number of events that a row represents. */
export const sampleRateColumn = "sample_rate";
/**
 * The name of a column by whose values a row was sampled before it was sent: all rows of a value, or none.
 * Such rows are missing together, so that no error bars are given where they are.
 */
export const sampledByColumn = "sample_by";
/** Weights stay in 31 bits, so that weighted sums stay exact in the kernel. */
export const sampleRateMax = 2_147_483_647;
export const decimalsDefault = 6;
/** int64 has 18 digits to spare for any value below 9. */
export const decimalsMax = 18;
export const nameBytesMax = 255;

/**
 * The unit in a column's name: `latency_us` → us, `bytes` → bytes; undefined when there is none.
 */
export function unitOfColumn(name: string): string | undefined {
  const match = /(?:^|_)(ns|us|ms|s|sec|seconds|bytes|percent)$/.exec(name);
  if (match === null) return undefined;
  return match[1] === "sec" || match[1] === "seconds" ? "s" : match[1];
}

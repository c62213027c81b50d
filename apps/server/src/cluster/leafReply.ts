import type { ColumnType, IngestStage, MemberTable, MemoryInfo, Problem } from "@hadal/sdk";
import type { FormsInRange } from "../base/row/columnTypes.js";
import type { TimeSpan } from "../base/row/timeSpan.js";
import type { UnitSnapshot, UnitStamp } from "../base/row/unitSnapshot.js";
import type { CopyReply } from "./copyProtocol.js";
import type { WindowCounts } from "./windowCounts.js";

/** A reply. A query is answered by partials, the last with `done`; each replaces the one before. */
export type LeafReply =
  | {
      readonly kind: "appended";
      readonly id: number;
      readonly rowCount: number;
      readonly duplicate: boolean;
      readonly freeBytes: number;
    }
  | {
      readonly kind: "holding";
      readonly id: number;
      readonly batches: readonly {
        readonly batchId: string;
        readonly contentHash: string;
        readonly rowCount: number;
        /** Its unit is not decided, as far as the leaf knows. */
        readonly undecided?: UnitStamp;
      }[];
    }
  | {
      readonly kind: "undecided";
      readonly id: number;
      readonly batches: readonly UndecidedBatch[];
      /** Which units are committed, as far as the leaf knows. */
      readonly decided: UnitSnapshot;
    }
  | ({ readonly kind: "asides"; readonly id: number } & LeafHints)
  /** Body: an encoded PartialResult. */
  | {
      readonly kind: "partial";
      readonly id: number;
      readonly done: boolean;
      /** From the frame of the question to the encoded partial. */
      readonly workMs: number;
      readonly stats: LeafQueryStats;
    }
  /** `windows`: of an aggregator that was asked for its status; older versions do not say it. */
  | { readonly kind: "done"; readonly id: number; readonly windows?: WindowCounts }
  | {
      readonly kind: "expiring";
      readonly id: number;
      readonly generations: readonly number[];
      /** Their rows that would go, per minute of event time. */
      readonly rows: { readonly minutes: readonly number[]; readonly counts: readonly number[] };
      /** A cut: how many of the newest rows stay. */
      readonly keepNewest?: number;
      /**
       * How often the leaf has planned to remove rows, this time included: others must know the number
       * before its rows are no longer expected. Absent: nothing goes; or in replies of older versions.
       */
      readonly removals?: number;
    }
  | ({ readonly kind: "holdings"; readonly id: number } & LeafHoldings)
  | ({ readonly kind: "heldDays"; readonly id: number } & HeldDays)
  | ({ readonly kind: "heldMinutes"; readonly id: number } & HeldMinutes)
  | { readonly kind: "described"; readonly id: number; readonly tables: readonly DescribedTable[] }
  | { readonly kind: "forms"; readonly id: number; readonly columns: readonly FormsInRange[] }
  | { readonly kind: "status"; readonly id: number; readonly status: LeafStatus }
  | CopyReply
  | { readonly kind: "copied"; readonly id: number; readonly batchIds: readonly string[] }
  | { readonly kind: "problem"; readonly id: number; readonly problem: Problem };

export type PartialReply = Extract<LeafReply, { readonly kind: "partial" }>;

/**
 * A partial's header as it travels: to read the names of its properties would take longer than a
 * short answer does.
 */
type PrintedPartial = readonly [id: number, done: 0 | 1, workMs: number, ...PrintedStats];

export type PrintedStats = readonly [
  ...[rowsHeld: number, share: number, rowsScanned: number, rowsMatched: number],
  ...[bytesScanned: number, segments: number, segmentsSkipped: number, scanMs: number],
  unreadable?: UnreadableInfo | null,
  snapshot?: UnitSnapshot | null,
  thinnedByKey?: TimeSpan,
];

/** The header of a partial as JSON. */
export function printPartialReply({ id, done, workMs, stats }: PartialReply): string {
  return JSON.stringify([id, done ? 1 : 0, workMs, ...printStats(stats)]);
}

export function printStats(stats: LeafQueryStats): PrintedStats {
  const printed = [
    stats.rowsHeld,
    stats.share,
    stats.rowsScanned,
    stats.rowsMatched,
    stats.bytesScanned,
    stats.segments,
    stats.segmentsSkipped,
    stats.scanMs,
  ] as const;
  const { unreadable, snapshot, thinnedByKey } = stats;
  if (thinnedByKey !== undefined)
    return [...printed, unreadable ?? null, snapshot ?? null, thinnedByKey];
  if (snapshot !== undefined) return [...printed, unreadable ?? null, snapshot];
  return unreadable === undefined ? printed : [...printed, unreadable];
}

/** A parsed header of any kind. */
export function readReply<Other>(parsed: PrintedPartial | Other): PartialReply | Other {
  if (!isPrintedPartial(parsed)) return parsed;
  const [id, done, workMs, ...stats] = parsed;
  return { kind: "partial", id, done: done === 1, workMs, stats: readStats(stats) };
}

/** Throws when a part is missing. */
export function readStats(printed: PrintedStats): LeafQueryStats {
  if (printed.length < 8) throw new Error(`a partial has ${printed.length + 3} parts, expected 11`);
  const [unreadable, snapshot, thinnedByKey] = printed.slice(8) as [
    (UnreadableInfo | null)?,
    (UnitSnapshot | null)?,
    TimeSpan?,
  ];
  return {
    rowsHeld: printed[0],
    share: printed[1],
    rowsScanned: printed[2],
    rowsMatched: printed[3],
    bytesScanned: printed[4],
    segments: printed[5],
    segmentsSkipped: printed[6],
    scanMs: printed[7],
    ...(unreadable == null ? {} : { unreadable }),
    ...(snapshot == null ? {} : { snapshot }),
    ...(thinnedByKey === undefined ? {} : { thinnedByKey }),
  };
}

/** A batch that no query sees until its unit is committed. */
export interface UndecidedBatch {
  readonly table: string;
  readonly batchId: string;
  readonly contentHash: string;
  readonly unit: UnitStamp;
  /** How long the leaf has had it, ms. */
  readonly ageMs: number;
  /** The leaf has lost whether the unit was decided: see `named` of `settle`. */
  readonly isUnsure?: true;
}

/** Without its columns: they have the forms that the asker knows. */
export type DescribedTable = Omit<LeafTable, "columns"> & Partial<Pick<LeafTable, "columns">>;

export interface LeafHoldings {
  readonly tables: readonly TableHoldings[];
  /** Folders of tables that it cannot name, see base/file/tableFolder. */
  readonly unreadFolders: readonly string[];
}

/**
 * The rows that a leaf should have of a table by its own counts, with rows that it knows to be
 * lost.
 */
export interface TableHoldings {
  readonly name: string;
  /** Over minutes and their rows, see base/row/minuteHash. */
  readonly hash: number;
  readonly rowsLost: number;
  readonly lostBecause: string | null;
  /** A loss of unknown size; null: none. */
  readonly unknownLoss: string | null;
  /** A log ended within a batch when the leaf started: no loss, unless rows are missing. */
  readonly tornLog?: string;
  /** Columns with lost values. Absent in replies of older versions. */
  readonly lostColumns?: readonly LostColumnRows[];
}

export interface LostColumnRows {
  readonly column: string;
  readonly rows: number;
  readonly reason: string;
}

export interface HeldDays {
  /** Days since 1970, ascending. */
  readonly days: readonly number[];
  readonly hashes: readonly number[];
  /** Where the next part begins; null: there is none. */
  readonly nextDay: number | null;
}

/** Hinted batches of a leaf, read from their files. */
export interface LeafHints {
  readonly batches: readonly {
    readonly table: string;
    readonly batchId: string;
    readonly contentHash: string;
    readonly rows: HeldMinutes;
  }[];
  /** Where the next part begins; null: there is none. */
  readonly next: string | null;
}

export interface HeldMinutes {
  /** Minutes since 1970 that have rows, in no order. */
  readonly minutes: readonly number[];
  readonly counts: readonly number[];
}

export interface LeafQueryStats {
  /**
   * Rows of the leaf in the whole minutes that cover the ranges of all sides (counted once per
   * side).
   */
  readonly rowsHeld: number;
  /** Share of its scan behind this partial, 0 to 1; exactly 1 when done. */
  readonly share: number;
  readonly rowsScanned: number;
  readonly rowsMatched: number;
  readonly bytesScanned: number;
  readonly segments: number;
  readonly segmentsSkipped: number;
  readonly scanMs: number;
  /**
   * Rows in the ranges that are not counted as held, because values that the query reads are lost.
   */
  readonly unreadable?: UnreadableInfo;
  /**
   * Which units it showed, where the table has some of gateways that the query did not name. Absent:
   * it has none of these.
   */
  readonly snapshot?: UnitSnapshot;
  /** Times of the ranges with rows that were thinned by a key. Absent: there are none. */
  readonly thinnedByKey?: TimeSpan;
}

export interface UnreadableInfo {
  /** In whole minutes, as `rowsHeld`. */
  readonly rows: number;
  readonly columns: readonly string[];
}

export interface LeafTable {
  readonly name: string;
  readonly rows: number;
  /** Segments in the leaf's memory, and dictionaries. */
  readonly bytes: number;
  /** Heap beside it: batches that may come again, rows per minute. */
  readonly bookBytes: number;
  /** What 8-byte integers and raw strings would take. */
  readonly rawBytes: number;
  readonly segments: number;
  readonly fromMs: number | null;
  readonly toMs: number | null;
  /** Rows or values of unknown number are lost on this leaf. Absent: none. */
  readonly hasLost?: boolean;
  /**
   * Unchanged while the names and forms of the columns are. Absent in replies of older versions.
   */
  readonly forms?: string;
  readonly columns: readonly {
    readonly name: string;
    /**
     * Those of its values, the narrowest first; most digits behind the point of its numbers, and
     * with how many all of them fit 64 bits.
     */
    readonly types: readonly ColumnType[];
    readonly decimals: number;
    readonly decimalsMax: number;
    /** Rows that have a value. */
    readonly rows: number;
    readonly bytes: number;
    readonly rawBytes: number;
    /** True: a column of numbers, none of which is below 0. Absent in replies of older versions. */
    readonly neverNegative?: boolean;
  }[];
}

export interface LeafStatus {
  readonly leafId: string;
  readonly pid: number;
  readonly rows: number;
  readonly bytes: number;
  readonly freeBytes: number;
  readonly memory: MemoryInfo;
  readonly tables: readonly MemberTable[];
  /** What its rows take beyond its budget. Absent in replies of older versions. */
  readonly excessBytes?: number;
  readonly queriesRunning: number;
  readonly rowsScanned: number;
  /** Rows whose files could not be written so far. Absent in replies of older versions. */
  readonly rowsUnwritten?: number;
  /** Files that its start found damaged. Absent in replies of older versions. */
  readonly filesDamaged?: number;
  /** Rows in the stages of a leaf. Absent in replies of older versions. */
  readonly stages?: readonly IngestStage[];
  /** What names its data folder. Absent in replies of older versions. */
  readonly folderId?: string;
  /**
   * How often rows of the folder were planned to be removed; null: a copy that has never had all rows.
   * Absent in replies of older versions.
   */
  readonly removals?: number | null;
  /**
   * It knows `unit` in an append, `snapshot` in a query, `settle` and `undecided`. Absent in replies of
   * older versions, which would show a part of a unit.
   */
  readonly takesUnits?: true;
  /**
   * Units that are not decided for more than ten minutes, as their gateway is gone, or that are in doubt,
   * as the leaf has lost what it knew. Absent: none.
   */
  readonly unitsUndecided?: number;
  /** Some are in doubt: gateways name all aborted ones. */
  readonly areUnitsUnsure?: true;
  /** It is a copy of another leaf. */
  readonly copy?: CopyStatus;
}

export interface CopyStatus {
  /** It has all that its source had when it asked last. */
  readonly isWhole: boolean;
  /** How long ago it had all, ms; null: never yet. */
  readonly lagMs: number | null;
  /** Why it does not go on; absent: it does. */
  readonly problem?: string;
}

function isPrintedPartial(parsed: unknown): parsed is PrintedPartial {
  return Array.isArray(parsed);
}

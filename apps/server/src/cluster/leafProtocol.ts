import type { ColumnType, MemberTable, MemoryInfo, Problem } from "@hadal/sdk";
import type { FormsInRange, TimeSpan } from "../base/row/columnTypes.js";
import type { Reduction } from "../base/row/reduction.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";

/** First message of a connection. A newer connection of the same client ends the older one: what was still on its way there is dropped. */
export interface LeafHello {
  readonly kind: "hello";
  readonly key: string;
  readonly clientId: string;
}

/** The leaf's answer to a hello with the right key. */
export interface LeafWelcome {
  readonly kind: "welcome";
}

/** Closes a connection whose first message is not a hello with the shared key. */
export const wrongKeyCloseCode = 4401;
/** A partial result of a million groups with a dozen states; beyond it the connection closes. */
export const leafFrameBytesMax = 268_435_456;
/** Beside it there is a header. */
export const answerBytesMax = leafFrameBytesMax - 1_048_576;

/** A request before the connection gives it its number. */
export type LeafRequestBody = WithoutId<LeafRequest>;
export type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;

/** What a leaf is asked. `id` pairs answers with requests on one connection. A body of bytes may follow the header. */
export type LeafRequest =
  /** Body: an encoded RowBatch. */
  | {
      readonly kind: "append";
      readonly id: number;
      readonly table: string;
      readonly batchId: string;
      readonly contentHash: string;
      readonly durable: boolean;
    }
  /** Which of these batches does the leaf hold? */
  | {
      readonly kind: "holds";
      readonly id: number;
      readonly table: string;
      readonly batchIds: readonly string[];
    }
  /** Which batches does it hold whose ids begin so? Answered as `holds` is. */
  | {
      readonly kind: "holdsOfBody";
      readonly id: number;
      readonly table: string;
      readonly idsStart: string;
    }
  /** Body: an encoded RowBatch, which it keeps on its disk, in no segment, until `takeAside` or `dropAside` comes. */
  | {
      readonly kind: "setAside";
      readonly id: number;
      readonly table: string;
      readonly batchId: string;
      readonly contentHash: string;
    }
  /** It appends what it has aside and answers as to that, or with `holding` nothing where there is none. */
  | {
      readonly kind: "takeAside" | "dropAside";
      readonly id: number;
      readonly table: string;
      readonly batchId: string;
    }
  /** What lies aside, some at a time: after the one that the answer before has as `next`. */
  | { readonly kind: "asides"; readonly id: number; readonly after: string | null }
  /** `budgetMs`: time left until the deadline when the request was sent. */
  | {
      readonly kind: "query";
      readonly id: number;
      readonly query: ResolvedQuery;
      readonly budgetMs: number;
    }
  /** Which segments are wholly before a time, or beyond a number of bytes? Nothing goes yet. */
  | {
      readonly kind: "expire";
      readonly id: number;
      readonly table: string;
      readonly beforeMs: number | null;
      readonly maxBytes: number | null;
    }
  /** Which segments wholly before a time hold more than one in `keepOneIn` of the rows that came? Some at a time; nothing goes yet. */
  | {
      readonly kind: "planThinning";
      readonly id: number;
      readonly table: string;
      readonly beforeMs: number;
      readonly keepOneIn: number;
    }
  /** Of which one segment would only the newest rows stay for the table to be within a number of bytes? Nothing goes yet. */
  | {
      readonly kind: "planCut";
      readonly id: number;
      readonly table: string;
      readonly maxBytes: number;
    }
  /** Rows of these segments go as planned. What is so already is no fault. */
  | {
      readonly kind: "reduce";
      readonly id: number;
      readonly table: string;
      readonly generations: readonly number[];
      readonly reduction: Reduction;
    }
  /** These segments go, with their files; `generations` null: the whole table. What is gone already is no fault. */
  | {
      readonly kind: "drop";
      readonly id: number;
      readonly table: string;
      readonly generations: readonly number[] | null;
    }
  /** What do its tables hold, each as one hash? */
  | { readonly kind: "holdings"; readonly id: number }
  /** The same by day of event time, from a day on; null: from the first. */
  | {
      readonly kind: "heldDays";
      readonly id: number;
      readonly table: string;
      readonly fromDay: number | null;
    }
  /** Rows of each minute of these days, once everything that was asked for before is stored or refused. */
  | {
      readonly kind: "heldMinutes";
      readonly id: number;
      readonly table: string;
      readonly days: readonly number[];
    }
  | { readonly kind: "cancel"; readonly id: number; readonly queryId: number }
  /** What tables are there? Of those with the forms that the asker knows, without their columns, unless these are to be counted. */
  | ({ readonly kind: "describe"; readonly id: number } & DescribeOptions)
  /** Which forms have the values of these columns in these ranges of time? */
  | {
      readonly kind: "forms";
      readonly id: number;
      readonly table: string;
      /** `exact`: how far its numbers reach, too, and with how many digits. */
      readonly columns: readonly { readonly name: string; readonly exact: boolean }[];
      readonly ranges: readonly TimeSpan[];
    }
  | { readonly kind: "status"; readonly id: number };

/** Queries are the same for every leaf, and long where they list the edges of time buckets. */
const printedQueries = new WeakMap<ResolvedQuery, string>();

/** The JSON of a request for a query, which is printed once however many leaves are asked. */
export function printQueryRequest(id: number, budgetMs: number, query: ResolvedQuery): string {
  let printed = printedQueries.get(query);
  if (printed === undefined) {
    printed = JSON.stringify(query);
    printedQueries.set(query, printed);
  }
  return `{"kind":"query","id":${id},"budgetMs":${budgetMs},"query":${printed}}`;
}

/** A partial's header as it travels: to read the names of its properties would take longer than a short answer does. */
type PrintedPartial = readonly [
  ...[id: number, done: 0 | 1, workMs: number],
  ...[rowsHeld: number, share: number, rowsScanned: number, rowsMatched: number],
  ...[bytesScanned: number, segments: number, segmentsSkipped: number, scanMs: number],
  unreadable?: UnreadableInfo,
];

/** The header of a partial as JSON. */
export function printPartialReply({ id, done, workMs, stats }: PartialReply): string {
  return JSON.stringify([
    id,
    done ? 1 : 0,
    workMs,
    stats.rowsHeld,
    stats.share,
    stats.rowsScanned,
    stats.rowsMatched,
    stats.bytesScanned,
    stats.segments,
    stats.segmentsSkipped,
    stats.scanMs,
    ...(stats.unreadable === undefined ? [] : [stats.unreadable]),
  ]);
}

/** A header as it was parsed, of whatever kind it is. */
export function readReply<Other>(parsed: PrintedPartial | Other): PartialReply | Other {
  if (!isPrintedPartial(parsed)) return parsed;
  if (parsed.length < 11) throw new Error(`a partial has ${parsed.length} parts, expected 11`);
  const [unreadable] = parsed.slice(11) as [UnreadableInfo?];
  const stats: LeafQueryStats = {
    rowsHeld: parsed[3],
    share: parsed[4],
    rowsScanned: parsed[5],
    rowsMatched: parsed[6],
    bytesScanned: parsed[7],
    segments: parsed[8],
    segmentsSkipped: parsed[9],
    scanMs: parsed[10],
    ...(unreadable === undefined ? {} : { unreadable }),
  };
  return { kind: "partial", id: parsed[0], done: parsed[1] === 1, workMs: parsed[2], stats };
}

function isPrintedPartial(parsed: unknown): parsed is PrintedPartial {
  return Array.isArray(parsed);
}

export type PartialReply = Extract<LeafReply, { readonly kind: "partial" }>;

/** What it answers. A query is answered by partials, the last with `done`; each replaces the one before. */
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
      }[];
    }
  | ({ readonly kind: "asides"; readonly id: number } & LeafAsides)
  /** Body: an encoded PartialResult. */
  | {
      readonly kind: "partial";
      readonly id: number;
      readonly done: boolean;
      /** From the frame of the question to the encoded partial. */
      readonly workMs: number;
      readonly stats: LeafQueryStats;
    }
  | { readonly kind: "done"; readonly id: number }
  | {
      readonly kind: "expiring";
      readonly id: number;
      readonly generations: readonly number[];
      /** Their rows that would go, per minute of event time. */
      readonly rows: { readonly minutes: readonly number[]; readonly counts: readonly number[] };
      /** A cut: how many of the newest rows stay. */
      readonly keepNewest?: number;
    }
  | ({ readonly kind: "holdings"; readonly id: number } & LeafHoldings)
  | ({ readonly kind: "heldDays"; readonly id: number } & HeldDays)
  | ({ readonly kind: "heldMinutes"; readonly id: number } & HeldMinutes)
  | { readonly kind: "described"; readonly id: number; readonly tables: readonly DescribedTable[] }
  | { readonly kind: "forms"; readonly id: number; readonly columns: readonly FormsInRange[] }
  | { readonly kind: "status"; readonly id: number; readonly status: LeafStatus }
  | { readonly kind: "problem"; readonly id: number; readonly problem: Problem };

export interface DescribeOptions {
  /** `forms` of tables as they were sent before; leaves of older versions send all. */
  readonly known?: readonly (readonly [table: string, forms: string])[];
  /** Tables whose columns are described with what they hold now. */
  readonly counted?: readonly string[];
}

/** Without its columns: they have the forms that the asker knows. */
export type DescribedTable = Omit<LeafTable, "columns"> & Partial<Pick<LeafTable, "columns">>;

export interface LeafHoldings {
  readonly tables: readonly TableHoldings[];
  /** Folders of tables that it cannot name, see base/file/tableFolder. */
  readonly unreadFolders: readonly string[];
}

/** What a leaf should hold of a table, as its own books say: rows that it knows to be lost are among them. */
export interface TableHoldings {
  readonly name: string;
  /** Over minutes and their rows, see base/row/minuteHash. */
  readonly hash: number;
  readonly rowsLost: number;
  readonly lostBecause: string | null;
  /** What is lost and not counted; null: nothing. */
  readonly unknownLoss: string | null;
  /** A log ended within a batch when the leaf started: no loss, unless rows are missing. */
  readonly tornLog?: string;
  /** Columns of which values are lost. Leaves of older versions do not say. */
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
  /** Where to go on; null: that is all. */
  readonly nextDay: number | null;
}

/** Batches that lie aside, as their files have them. */
export interface LeafAsides {
  readonly batches: readonly {
    readonly table: string;
    readonly batchId: string;
    readonly contentHash: string;
    readonly rows: HeldMinutes;
  }[];
  /** Where to go on; null: that is all. */
  readonly next: string | null;
}

export interface HeldMinutes {
  /** Minutes since 1970 that have rows, in no order. */
  readonly minutes: readonly number[];
  readonly counts: readonly number[];
}

export interface LeafQueryStats {
  /** Rows the leaf holds in the whole minutes that cover the ranges of all sides (counted once per side). */
  readonly rowsHeld: number;
  /** Share of its scan behind this partial, 0 to 1; exactly 1 when done. */
  readonly share: number;
  readonly rowsScanned: number;
  readonly rowsMatched: number;
  readonly bytesScanned: number;
  readonly segments: number;
  readonly segmentsSkipped: number;
  readonly scanMs: number;
  /** Rows in the ranges that are not among those held, for the query reads columns of which their values are lost. */
  readonly unreadable?: UnreadableInfo;
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
  /** Rows, or values of them, are lost on this leaf, and what they were is unknown. Absent: none. */
  readonly hasLost?: boolean;
  /** The same while the names of its columns, and all that queries are bound by, are the same. Leaves of older versions do not say. */
  readonly forms?: string;
  readonly columns: readonly {
    readonly name: string;
    /** Those of its values, the narrowest first; most digits behind the point of its numbers, and with how many all of them fit 64 bits. */
    readonly types: readonly ColumnType[];
    readonly decimals: number;
    readonly decimalsMax: number;
    /** Rows that have a value. */
    readonly rows: number;
    readonly bytes: number;
    readonly rawBytes: number;
    /** True: a column of numbers, none of which is below 0. Leaves of older versions do not say. */
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
  readonly queriesRunning: number;
  readonly rowsScanned: number;
}

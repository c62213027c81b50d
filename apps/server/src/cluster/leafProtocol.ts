import type { BatchSender, SenderList } from "../base/row/batchSender.js";
import type { TimeSpan } from "../base/row/columnTypes.js";
import type { Reduction, ThinningBasis } from "../base/row/reduction.js";
import type { UnitSnapshot, UnitStamp, VisibleUnits } from "../base/row/unitSnapshot.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import type { CopyRequest } from "./copyProtocol.js";

/**
 * First message of a connection. A newer connection of the same client ends the older one, and
 * drops requests still on their way there.
 */
export interface LeafHello {
  readonly kind: "hello";
  readonly key: string;
  readonly clientId: string;
  /** Absent: 1. Members with neighbouring versions work together. */
  readonly protocol?: number;
}

/** 2: trees. 3: copies of leaves. */
export const protocolVersion = 3;

/** The leaf's answer to a hello with the right key. */
export interface LeafWelcome {
  readonly kind: "welcome";
  /** Names this start of the member; it may have fewer rows than before. Absent: from older versions. */
  readonly startId?: string;
}

/** Closes a connection whose first message is not a hello with the shared key. */
export const wrongKeyCloseCode = 4401;
/** Closes a connection of a member whose protocol is more than one version away. */
export const wrongVersionCloseCode = 4402;
/** A partial result of a million groups with a dozen states; beyond it the connection closes. */
export const leafFrameBytesMax = 268_435_456;
/** Beside it there is a header. */
export const answerBytesMax = leafFrameBytesMax - 1_048_576;

/** A request before the connection gives it its number. */
export type LeafRequestBody = WithoutId<LeafRequest>;
export type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;

/**
 * A request to a leaf. `id` pairs replies with requests on one connection. A body of bytes may
 * follow the header. `sender`: absent where there is one gateway, and from older ones.
 */
export type LeafRequest =
  /** Body: an encoded RowBatch. */
  | {
      readonly kind: "append";
      readonly id: number;
      readonly table: string;
      readonly batchId: string;
      readonly contentHash: string;
      readonly durable: boolean;
      readonly sender?: BatchSender;
      /** Queries see it once its unit is visible. Sent only to leaves whose status says `takesUnits`. */
      readonly unit?: UnitStamp;
    }
  /**
   * What has become of the units of a gateway: those up to a number are visible, but for some.
   * `aborted`: which of these never will be; their rows go. A later one only adds to it. Answered
   * with `done` when that is on the disk.
   */
  | ({ readonly kind: "settle"; readonly id: number } & SettledUnits)
  /** Which stamped batches does the leaf have whose unit is not decided, as far as it knows? */
  | { readonly kind: "undecided"; readonly id: number }
  /** Which of these batches has the leaf stored? */
  | {
      readonly kind: "holds";
      readonly id: number;
      readonly table: string;
      readonly batchIds: readonly string[];
    }
  /** Which stored batches have ids that begin with this? Answered as `holds` is. */
  | {
      readonly kind: "holdsOfBody";
      readonly id: number;
      readonly table: string;
      readonly idsStart: string;
    }
  /**
   * A hinted batch: the leaf keeps it for another one, in no segment, until `takeAside` or
   * `dropAside` comes. Body: an encoded RowBatch. The kinds of these requests are those of older
   * versions.
   */
  | {
      readonly kind: "setAside";
      readonly id: number;
      readonly table: string;
      readonly batchId: string;
      readonly contentHash: string;
      readonly sender?: BatchSender;
    }
  /**
   * Append the hinted batch, answered as `append` is, or with an empty `holding` where there is
   * none; or delete it.
   */
  | {
      readonly kind: "takeAside" | "dropAside";
      readonly id: number;
      readonly table: string;
      readonly batchId: string;
      readonly sender?: BatchSender;
    }
  /** List hinted batches in parts; `after`: the `next` of the part before. */
  | { readonly kind: "asides"; readonly id: number; readonly after: string | null }
  /** `budgetMs`: time left until the deadline when the request was sent. */
  | {
      readonly kind: "query";
      readonly id: number;
      readonly query: ResolvedQuery;
      readonly budgetMs: number;
      /**
       * The units that are visible, of the gateways in it; of others the leaf uses what it knows, and
       * says so in its stats. Absent: from older versions.
       */
      readonly snapshot?: UnitSnapshot;
    }
  /**
   * Which segments are wholly before a time, or beyond a number of bytes? Nothing is removed yet.
   */
  | {
      readonly kind: "expire";
      readonly id: number;
      readonly table: string;
      readonly beforeMs: number | null;
      readonly maxBytes: number | null;
    }
  /**
   * Which segments wholly before a time have more than one in `keepOneIn` of their original rows?
   * Some at a time; nothing is removed yet.
   */
  | {
      readonly kind: "planThinning";
      readonly id: number;
      readonly table: string;
      readonly beforeMs: number;
      readonly keepOneIn: number;
      /** Leaves of older versions leave it to chance. */
      readonly basis?: ThinningBasis;
    }
  /**
   * Of which one segment would only the newest rows stay for the table to be within a number of
   * bytes? Nothing goes yet.
   */
  | {
      readonly kind: "planCut";
      readonly id: number;
      readonly table: string;
      readonly maxBytes: number;
    }
  /** The whole table is going to be removed: copies of the leaf answer for it no longer. */
  | { readonly kind: "planDrop"; readonly id: number; readonly table: string }
  /** Removes rows of these segments as planned; it may be repeated. */
  | {
      readonly kind: "reduce";
      readonly id: number;
      readonly table: string;
      readonly generations: readonly number[];
      readonly reduction: Reduction;
      readonly sender?: BatchSender;
    }
  /**
   * Removes these segments with their files; `generations` null: the whole table. It may be
   * repeated.
   */
  | {
      readonly kind: "drop";
      readonly id: number;
      readonly table: string;
      readonly generations: readonly number[] | null;
      readonly sender?: BatchSender;
    }
  /**
   * From here on only these gateways change rows. Answered with `done` when nothing of others is
   * under way any more, and with `gateway-fenced` where the sender is one of those.
   */
  | ({ readonly kind: "fence"; readonly id: number; readonly sender: BatchSender } & SenderList)
  /** Hashes of the rows of each table. */
  | { readonly kind: "holdings"; readonly id: number }
  /** The same by day of event time, from a day on; null: from the first. */
  | {
      readonly kind: "heldDays";
      readonly id: number;
      readonly table: string;
      readonly fromDay: number | null;
    }
  /** Rows of each minute of these days, once all earlier requests are done. */
  | {
      readonly kind: "heldMinutes";
      readonly id: number;
      readonly table: string;
      readonly days: readonly number[];
    }
  | { readonly kind: "cancel"; readonly id: number; readonly queryId: number }
  | CopyRequest
  /** Which of these batches have both the leaf and a copy of it on their disks, after this time at most? */
  | {
      readonly kind: "awaitCopy";
      readonly id: number;
      readonly table: string;
      readonly batchIds: readonly string[];
      readonly waitMs: number;
    }
  /**
   * Lists the tables. Columns are left out where the forms are those that the client has, unless
   * they are to be counted.
   */
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

/** The JSON of a query request, printed once for all leaves. */
export function printQueryRequest(
  id: number,
  budgetMs: number,
  query: ResolvedQuery,
  snapshot?: UnitSnapshot,
): string {
  let printed = printedQueries.get(query);
  if (printed === undefined) {
    printed = JSON.stringify(query);
    printedQueries.set(query, printed);
  }
  const units = snapshot === undefined ? "" : `,"snapshot":${JSON.stringify(snapshot)}`;
  return `{"kind":"query","id":${id},"budgetMs":${budgetMs}${units},"query":${printed}}`;
}

export interface SettledUnits extends VisibleUnits {
  readonly gateway: string;
  readonly aborted: readonly number[];
  /** Sent only to leaves whose status says `areUnitsUnsure`: also those that are hidden no longer. */
  readonly named?: { readonly from: number; readonly forgotten: readonly number[] };
}

export interface DescribeOptions {
  /** `forms` of tables as they were sent before; leaves of older versions send all. */
  readonly known?: readonly (readonly [table: string, forms: string])[];
  /** Tables whose columns are counted now. */
  readonly counted?: readonly string[];
}

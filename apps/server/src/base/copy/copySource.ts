/** How far rows are in a row log, on the disk. */
export interface LogPosition {
  readonly generation: number;
  readonly endBytes: number;
}

/**
 * A sealed segment. Another one with the same rows, with fewer of them, or with higher sample rates,
 * has another form.
 */
export type SegmentForm = readonly [
  generation: number,
  firstGeneration: number,
  rowCount: number,
  thinned: number,
];

/** What a table has on its disk: its copies should have the same. */
export interface TableShape {
  readonly name: string;
  /** Another table of the same name has another one; null: it was made before tables had ids. */
  readonly id: string | null;
  /** As in the table's own file. */
  readonly file: {
    readonly generationMin: number;
    readonly expiring: readonly number[];
    /** The table is about to be deleted. Absent in replies of older versions. */
    readonly isLeaving?: boolean;
  };
  readonly segments: readonly SegmentForm[];
  /** Sealed generations without a whole file. */
  readonly unwritten: readonly number[];
  /** Whole logs of some of these. */
  readonly closedLogs: readonly LogPosition[];
  /** Whole logs of rows that wait to be sealed, by generation. Absent in replies of older versions. */
  readonly waiting?: readonly LogPosition[];
  readonly open: LogPosition;
  /** False: files of it are damaged or unread, so that what is not here may be lost here alone. */
  readonly isSound: boolean;
}

/** Those of a gateway up to `upTo` are committed, but those of `except`: undecided or aborted ones. */
export interface DecidedUnits {
  readonly upTo: number;
  readonly except: readonly number[];
  readonly aborted: readonly number[];
  /**
   * Undecided, and no report that leaves them out means that they are committed: what was known of them
   * is lost, so that they may be aborted units that are no longer named. Absent: none.
   */
  readonly unsure?: readonly number[];
}

/** How far a copy is in the log of a table, on its disk. */
export interface HeldLog extends LogPosition {
  readonly table: string;
}

export interface StateRequest {
  /** Which copy asks: each machine has one at most. */
  readonly holder: string;
  /** The state that the copy has; null: none. */
  readonly known: { readonly runId: string; readonly version: number } | null;
  /** Where nothing has changed since, the answer comes after this time. */
  readonly waitMs: number;
  /** What has changed for the copy since it asked before. */
  readonly held: readonly HeldLog[];
}

export interface SourceState {
  /** Of the source's data folder: rows of another one have the same numbers and are others. */
  readonly folderId: string;
  /** Of the source's process; versions of another one are not comparable. */
  readonly runId: string;
  readonly version: number;
  /** Tables that have changed since the known state; all where none is known. */
  readonly tables: readonly TableShape[];
  /** All tables; null: they are those of the known state. */
  readonly names: readonly string[] | null;
  /** Which units are decided. Absent in replies of older versions. */
  readonly units?: readonly (readonly [gateway: string, DecidedUnits])[];
  /**
   * How often rows of the folder were planned to be removed; null: the source is a copy that has never
   * had all rows. Absent in replies of older versions.
   */
  readonly removals?: number | null;
}

export interface LogRange {
  readonly generation: number;
  readonly from: number;
  readonly bytesMax: number;
}

/** A leaf as its copies read it. */
export interface CopySource {
  state(request: StateRequest): Promise<SourceState>;
  /** The file of a sealed segment; null: it is gone meanwhile. */
  segment(table: string, generation: number): Promise<Uint8Array | null>;
  /** Bytes of a log that are on the disk, from a position on; none where the log is gone. */
  log(table: string, range: LogRange): Promise<Uint8Array>;
  /** SHA-256 of a log's first bytes; null where it is gone or shorter. */
  logHash(table: string, generation: number, bytes: number): Promise<string | null>;
}

import type { ColumnType } from "@hadal/sdk";
import { decodeSections, type SectionFile } from "../../base/bytes/sections.js";
import type { RawSize } from "../segment/rawSizes.js";
import type { WeightBytes } from "../segment/segmentHistogram.js";
import type { TextHead } from "../text/textCodec.js";
import type { IntsHead } from "./intCodec.js";
import type { PartHead } from "./segmentParts.js";

/** "HDG1" */
export const segmentMagic = 0x31474448;

/** What identifies a stored batch when it is sent again: id, hash of its bytes, rows. */
export type BatchReceipt = readonly [batchId: string, contentHash: string, rowCount: number];

export interface CodedHead {
  readonly kind: "coded";
  readonly name: string;
  readonly type: Exclude<ColumnType, "int">;
  /** Lists whose dictionary belongs to this segment alone. */
  readonly own?: true;
}

export interface IntHead {
  readonly kind: "int";
  readonly name: string;
  readonly decimals: number;
  readonly ints: IntsHead;
  readonly min: string;
  readonly max: string;
  readonly missing: boolean;
  /** Files of older versions have no spread, or one of three sums; unweighted rows have none. */
  readonly sums: {
    readonly rows: number;
    readonly weight: number;
    readonly sum: string;
    readonly spread?: readonly number[] | null;
  };
  /**
   * Its bytes follow those of all columns, so that versions without histograms read the same file.
   */
  readonly histogram?: { readonly count: number; readonly weightBytes: WeightBytes };
}

export type ColumnHead = IntHead | CodedHead | TextHead;

export interface SegmentHead {
  readonly generation: number;
  /** Only of merged segments. */
  readonly firstGeneration?: number;
  /** Only of thinned segments. */
  readonly thinned?: number;
  /** Only of segments that were thinned by values of a column: how much, by column. */
  readonly thinnedKeys?: readonly (readonly [column: string, factor: number])[];
  readonly rowCount: number;
  readonly times: IntsHead;
  readonly minMs: number;
  readonly maxMs: number;
  readonly weightMax: number;
  readonly weightTotal: number;
  readonly columns: readonly ColumnHead[];
  /**
   * The times, the columns, the histograms. Files before version 6 have one checksum over
   * everything.
   */
  readonly parts?: readonly PartHead[];
  readonly origin: SegmentOrigin;
}

/** Facts about a segment's rows that the table keeps beside their values. */
export interface SegmentOrigin {
  readonly batches: readonly BatchReceipt[];
  /** Rows per minute of event time. */
  readonly minutes: readonly (readonly [minute: number, rowCount: number])[];
  /** Size as 8-byte integers and raw strings, by column. */
  readonly rawSizes: readonly RawSize[];
}

/** The head of a segment's bytes; the reader is before the first part. */
export const readSegmentHead = (payload: Uint8Array): SectionFile<SegmentHead> =>
  decodeSections<SegmentHead>(segmentMagic, payload);

/** How the segment counts as thinned. */
export const thinningOfHead = ({ thinned = 1, thinnedKeys }: SegmentHead) => ({
  thinned,
  ...(thinnedKeys === undefined ? {} : { thinnedKeys: new Map(thinnedKeys) }),
});

/** Reads the origin from a segment's bytes without its rows. */
export function decodeOrigin(payload: Uint8Array): SegmentOrigin {
  return readSegmentHead(payload).head.origin;
}

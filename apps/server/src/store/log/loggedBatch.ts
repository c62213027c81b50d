import { decodeSections, encodeSections } from "../../base/bytes/sections.js";
import type { RowBatch } from "../../base/row/rowBatch.js";
import { decodeRowBatch, encodeRowBatch } from "../../base/row/rowBatchCodec.js";

/** "HDL1" */
const magic = 0x314c4448;

/** Rows to store, and what identifies a repetition. */
export interface AppendJob {
  readonly batch: RowBatch;
  readonly batchId: string;
  readonly contentHash: string;
  /** The batch as it came, encoded: logged as it is. */
  readonly bytes?: Uint8Array;
  /** False: it is acknowledged as soon as it is visible, and logged after that. */
  readonly isDurable?: boolean;
}

interface LoggedHead {
  readonly batchId: string;
  readonly contentHash: string;
}

/** A batch with what identifies its repetition, in the form of the row log. */
export function encodeLoggedBatch(job: AppendJob): Uint8Array {
  const head: LoggedHead = { batchId: job.batchId, contentHash: job.contentHash };
  return encodeSections(magic, head, [job.bytes ?? encodeRowBatch(job.batch)]);
}

export function decodeLoggedBatch(payload: Uint8Array): AppendJob {
  const reader = decodeSections<LoggedHead>(magic, payload);
  const { batchId, contentHash } = reader.head;
  return { batchId, contentHash, batch: decodeRowBatch(reader.bytes()) };
}

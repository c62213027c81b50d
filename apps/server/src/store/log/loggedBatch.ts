import { decodeSections, encodeSections } from "../../base/bytes/sections.js";
import type { RowBatch } from "../../base/row/rowBatch.js";
import { decodeRowBatch, encodeRowBatch } from "../../base/row/rowBatchCodec.js";
import type { UnitStamp } from "../../base/row/unitSnapshot.js";

/** "HDL1" */
const magic = 0x314c4448;

/** Rows to store, and what identifies a repetition. */
export interface AppendJob {
  readonly batch: RowBatch;
  readonly batchId: string;
  readonly contentHash: string;
  /** The batch as it came, encoded: logged as it is. */
  readonly bytes?: Uint8Array;
  /** The unit that it is a part of, without which no query sees it. Absent: it is a whole by itself. */
  readonly unit?: UnitStamp;
  /** False: it is acknowledged as soon as it is visible, and logged after that. */
  readonly isDurable?: boolean;
}

interface LoggedHead {
  readonly batchId: string;
  readonly contentHash: string;
  readonly unit?: UnitStamp;
}

/** A batch with what identifies its repetition, in the form of the row log. */
export function encodeLoggedBatch(job: AppendJob): Uint8Array {
  const { batchId, contentHash, unit } = job;
  const head: LoggedHead = { batchId, contentHash, ...(unit !== undefined && { unit }) };
  return encodeSections(magic, head, [job.bytes ?? encodeRowBatch(job.batch)]);
}

export function decodeLoggedBatch(payload: Uint8Array): AppendJob {
  const reader = decodeSections<LoggedHead>(magic, payload);
  const { batchId, contentHash, unit } = reader.head;
  const batch = decodeRowBatch(reader.bytes());
  return { batchId, contentHash, batch, ...(unit !== undefined && { unit }) };
}

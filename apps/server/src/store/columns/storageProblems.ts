import { HadalError } from "@hadal/sdk";
import { systemErrorText } from "../../base/file/systemErrorText.js";
import { batchRowsMax, columnsMax, type RowBatch } from "../../base/row/rowBatch.js";
import type { LeafMemory } from "../../memory/leafMemory.js";
import { type OpenSize, sealingBytes } from "../seal/sealSegment.js";
import { storeReserveBytes } from "../segment/tableContext.js";
import type { TableColumns } from "./tableColumns.js";

/** 16 years of minutes that all have rows. A Map of them ends the process at twice as many. */
export const minutesMax = 8_388_608;

/** Why a table does not take the batch; null: it does. */
export function batchProblem(
  batch: RowBatch,
  columns: TableColumns,
  { store, open }: LeafMemory,
  minutes: number,
): HadalError | null {
  // Sealing needs a second copy of the open segment, and its scratch; any table's may be next.
  const reserve = storeReserveBytes + open.bytes;
  if (store.freeBytes < reserve) {
    const detail = `${store.freeBytes} bytes of memory are free, ${reserve} are kept in reserve`;
    return new HadalError("storage-full", { leaf: "", detail });
  }
  if (batch.rowCount > batchRowsMax) {
    return new HadalError("bad-request", { detail: `more than ${batchRowsMax} rows a batch` });
  }
  if (minutes > minutesMax) {
    const detail = `rows of more than ${minutesMax} different minutes a table`;
    return new HadalError("bad-request", { detail });
  }
  const fresh = batch.columns.filter(({ name }) => !columns.has(name)).length;
  if (columns.count + fresh <= columnsMax) return null;
  return new HadalError("bad-request", { detail: `more than ${columnsMax} columns a table` });
}

/** Why an open segment is not to be sealed now; null: there is room for it. */
export function sealingProblem(
  open: OpenSize | null,
  { store }: Pick<LeafMemory, "store">,
): HadalError | null {
  if (open === null || open.rowCount === 0) return null;
  const { whole, piece } = sealingBytes(open);
  if (store.freeBytes >= whole && store.largestFreeBytes >= piece) return null;
  const detail = `${store.freeBytes} bytes of memory are free, ${store.largestFreeBytes} of them in one piece; to seal rows ${whole} and ${piece} are wanted`;
  return new HadalError("storage-full", { leaf: "", detail });
}

/** Whether the error means that the leaf has too little memory now. */
export const isRoomMissing = (error: unknown): error is HadalError =>
  error instanceof HadalError && error.code === "storage-full";

/** The problem that a sender gets for a failed write or sync. */
export function storageProblem(error: unknown): HadalError {
  return new HadalError("storage-full", { leaf: "", detail: systemErrorText(error) });
}

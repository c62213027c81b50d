import * as abi from "../../assembly/abi.js";
import { kernelReservedBytes } from "../base/memory.js";

/** Bytes of lines that are loaded at once. */
export const windowBytesMost = 3_145_728;
export const placesMax = 1_024;
/** Numbers of texts are of 16 bits. */
export const rowsMax = 16_384;
/** As many as one name may have. */
const textsPackedMax = 2 * rowsMax;
/** A few names may have many rows at once, many names a few. */
export const cellsMax = 131_072;
/**
 * A read that begins with room for as many texts of a name as it may have rows lists them behind
 * those of reads before.
 */
const textsMax = 2 * cellsMax;
/** A row's texts may be kept twice, if it is read once more in another way. */
export const keptBytesMax = 2 * windowBytesMost;
/** Slots, u16, that a name's texts are found in again; and those of all names. */
export const slotsMost = 16_384;
export const slotsMax = 4_194_304;
/** Vectors are loaded whole. */
const slackBytes = 64;
export const keyBytesMax = 294_912;
export const cellBytes = 8;
export const wordBytes = 4;
export const slotBytes = 2;
export const placeWords = abi.PLACE_BYTES / wordBytes;

/** Addresses of the regions; exported for tests. */
export const jsonLayout = layOut({
  /** Where the first unread row starts, and where the kept texts end. */
  next: 16,
  places: placesMax * abi.PLACE_BYTES,
  steps: (placesMax + 1) * abi.STEP_BYTES,
  keys: keyBytesMax,
  kinds: cellsMax,
  cells: cellsMax * cellBytes,
  texts: textsMax * abi.TEXT_BYTES,
  slots: slotsMax * slotBytes,
  text: windowBytesMost,
  kept: keptBytesMax,
  packed: keptBytesMax + textsPackedMax * abi.TEXT_SHORT_MAX,
  packedEnds: textsPackedMax * wordBytes,
  packedHashes: textsPackedMax * wordBytes,
});

export const jsonMemoryBytes = jsonLayout.end;

/** Regions one behind the other, with room to load vectors past the end of each. */
function layOut<Name extends string>(
  bytesOf: Readonly<Record<Name, number>>,
): Record<Name | "end", number> {
  let at = kernelReservedBytes;
  const starts: Record<string, number> = {};
  for (const [name, bytes] of Object.entries<number>(bytesOf)) {
    starts[name] = at;
    at = Math.ceil((at + bytes + slackBytes) / 64) * 64;
  }
  return { ...starts, end: at } as Record<Name | "end", number>;
}

// Counts, and sums of one column, by keys of 32 bits. A group's count and sum stand beside its key,
// so that a row touches one cache line. Few groups are in one table; with more, rows are first
// partitioned by the top bits of their keys' hash into 256 buffers, and a full buffer is added to
// its part's table, which fits a cache. Part p has slots [p · partSlots, (p + 1) · partSlots), of
// which it uses the first ones, a power of two that grows with its groups; the one table begins
// where part 0 does.
//
// Four slots are a bucket: key + 1 (0: free) u32 × 4 | count u32 × 4 | with sums, sum i64 × 4. A bucket is filled from its first
// slot on; a group that finds its bucket full is in the next that is not. A row that waits: key u32, with sums its value u32.
//
// Layout of `parts`, u32 each: rows that wait × 256 | slots in use × 256 | groups in the table × 256 | 1 when dealt, and 60
// bytes | what belongs to the rows that are taken together.
import { NARROW_BATCH, RADIX_PARTS } from "../abi";
import { addFound, listParts } from "./narrowBatch";
import {
  addTo, bucketShift, bufferOf, COLUMN_BYTES, COUNTS, DEALT, MISSED, mix32, PART_BITS, PARTS, slotShift, SUMS,
} from "./narrowTable";
import { readAhead } from "../base/readAhead";
import { LINE, LINE_SHIFT, readLine, readLines } from "../base/readLines";

/** With this many rows a line of each buffer is full, or half full. */
const ROWS_OF_LINES: u32 = 2048;
/** Fits every L2 cache beside the rows. */
const NEAR_BYTES: usize = 262_144;

export function clearNarrowTable(slots: usize, sums: bool, parts: usize, firstSlots: u32): void {
  memory.fill(parts, 0, DEALT + 4);
  store<u32>(parts + COLUMN_BYTES, firstSlots);
  memory.fill(slots, 0, <usize>firstSlots << slotShift(sums));
}

/** False: a part has no more room. */
export function addNarrowRows(
  slots: usize, sums: bool, parts: usize, partSlots: u32, undealtMax: u32, buffers: usize,
  bufferRows: u32, spare: usize, keys: usize, values: usize, count: u32,
): bool {
  if (sums) return addRowsOf(true, slots, parts, partSlots, undealtMax, buffers, bufferRows, spare, keys, values, count);
  return addRowsOf(false, slots, parts, partSlots, undealtMax, buffers, bufferRows, spare, keys, values, count);
}

@inline
function addRowsOf(
  sums: bool, slots: usize, parts: usize, partSlots: u32, undealtMax: u32, buffers: usize,
  bufferRows: u32, spare: usize, keys: usize, values: usize, count: u32,
): bool {
  for (let k: u32 = 0; k < count; k += NARROW_BATCH) {
    const rows = min<u32>(NARROW_BATCH, count - k);
    const at = <usize>k << 2;
    if (load<u32>(parts + DEALT) != 0) {
      if ((k & (ROWS_OF_LINES - 1)) == 0 && count - k >= <u32>RADIX_PARTS) readBufferEnds(sums, parts, buffers, bufferRows);
      if (!dealRows(sums, slots, parts, partSlots, buffers, bufferRows, spare, keys + at, values + at, rows)) return false;
    } else if (addUndealt(sums, slots, parts, buffers, keys + at, values + at, rows) > undealtMax) {
      if (!startParts(sums, slots, parts, partSlots, buffers, spare)) return false;
    }
  }
  return true;
}

/** Rows into the one table; returns how many groups it has. */
@inline
function addUndealt(
  sums: bool, slots: usize, parts: usize, spare: usize, keys: usize, values: usize, count: u32,
): u32 {
  let slotCount = load<u32>(parts + COLUMN_BYTES);
  let taken = load<u32>(parts + (COLUMN_BYTES << 1));
  const missed = <usize>slotCount << slotShift(sums) > NEAR_BYTES
    ? addFound(sums, false, true, slots, slotCount, 0, parts, keys, values, count)
    : addFound(sums, false, false, slots, slotCount, 0, parts, keys, values, count);
  for (let m: u32 = 0; m < missed; m++) {
    const at = <usize>load<u32>(parts + MISSED + (m << 2)) << 2;
    if (!addTo(sums, slots, slotCount, 0, load<u32>(keys + at), 1, sums ? <i64>load<u32>(values + at) : 0)) continue;
    // Half of the slots, so that most keys are in the bucket where they are looked for first.
    if (++taken <= slotCount >> 1) continue;
    grow(sums, slots, slotCount, 0, spare);
    slotCount <<= 1;
  }
  store<u32>(parts + COLUMN_BYTES, slotCount);
  store<u32>(parts + (COLUMN_BYTES << 1), taken);
  return taken;
}

@inline
function dealRows(
  sums: bool, slots: usize, parts: usize, partSlots: u32, buffers: usize, bufferRows: u32, spare: usize,
  keys: usize, values: usize, count: u32,
): bool {
  listParts(parts, keys, count);
  for (let k: u32 = 0; k < count; k++) {
    const part = load<u32>(parts + PARTS + (k << 2));
    const at = parts + (part << 2);
    const waiting = load<u32>(at);
    const key = load<u32>(keys + (k << 2));
    const buffer = bufferOf(sums, buffers, bufferRows, part);
    const row = buffer + (<usize>waiting << (sums ? 3 : 2));
    if (sums) store<u64>(row, <u64>key | (<u64>load<u32>(values + (k << 2)) << 32));
    else store<u32>(row, key);
    if (waiting + 1 < bufferRows) {
      store<u32>(at, waiting + 1);
      continue;
    }
    store<u32>(at, 0);
    if (!addToPart(sums, slots, parts, partSlots, spare, part, buffer, bufferRows)) return false;
  }
  return true;
}

/**
 * Loads the lines after those being filled: a store that misses the cache delays all later stores.
 */
@inline
function readBufferEnds(sums: bool, parts: usize, buffers: usize, bufferRows: u32): void {
  for (let part: u32 = 0; part < <u32>RADIX_PARTS; part++) {
    const waiting = load<u32>(parts + (part << 2));
    readLine(bufferOf(sums, buffers, bufferRows, part) + (<usize>waiting << (sums ? 3 : 2)) + LINE);
  }
}

/**
 * Moves the groups of the one table to their parts, by way of the buffers, where no row waits yet.
 */
@inline
function startParts(
  sums: bool, slots: usize, parts: usize, partSlots: u32, buffers: usize, spare: usize,
): bool {
  const kept = keepGroups(sums, slots, load<u32>(parts + COLUMN_BYTES), buffers);
  const firstSlots: u32 = min<u32>(partSlots, 512);
  memory.fill(parts + (COLUMN_BYTES << 1), 0, COLUMN_BYTES);
  store<u32>(parts + DEALT, 1);
  for (let part: u32 = 0; part < <u32>RADIX_PARTS; part++) {
    store<u32>(parts + COLUMN_BYTES + (part << 2), firstSlots);
    memory.fill(slots + ((<usize>part * partSlots) << slotShift(sums)), 0, <usize>firstSlots << slotShift(sums));
  }
  for (let i: usize = 0; i < kept; i++) {
    const from = buffers + (i << slotShift(sums));
    const key = load<u32>(from);
    const part = mix32(key) >> (32 - PART_BITS);
    const own = slots + ((<usize>part * partSlots) << slotShift(sums));
    const slotCount = load<u32>(parts + COLUMN_BYTES + (part << 2));
    addTo(sums, own, slotCount, PART_BITS, key, load<u32>(from, 4), sums ? load<i64>(from, 8) : 0);
    if (!noteNew(sums, own, parts, part, partSlots, spare)) return false;
  }
  return true;
}

/** Counts a new group of the part and makes room for the next. False: there is none. */
function noteNew(
  sums: bool, own: usize, parts: usize, part: u32, partSlots: u32, spare: usize,
): bool {
  const at = parts + (part << 2);
  const slotCount = load<u32>(at + COLUMN_BYTES);
  const taken = load<u32>(at + (COLUMN_BYTES << 1)) + 1;
  store<u32>(at + (COLUMN_BYTES << 1), taken);
  // Half full, so that most keys are in the bucket where they are looked for first; seven eighths
  // where it cannot grow.
  if (slotCount == partSlots) return taken <= slotCount - (slotCount >> 3);
  if (taken <= slotCount >> 1) return true;
  if (sums) grow(true, own, slotCount, PART_BITS, spare);
  else grow(false, own, slotCount, PART_BITS, spare);
  store<u32>(at + COLUMN_BYTES, slotCount << 1);
  return true;
}

@inline
function addToPart(
  sums: bool, slots: usize, parts: usize, partSlots: u32, spare: usize, part: u32, from: usize,
  count: u32,
): bool {
  const own = slots + ((<usize>part * partSlots) << slotShift(sums));
  const rowShift: usize = sums ? 3 : 2;
  let slotCount = load<u32>(parts + COLUMN_BYTES + (part << 2));
  const tableBytes = <usize>slotCount << slotShift(sums);
  if (<usize>count << LINE_SHIFT >= tableBytes >> 1) readLines(own, tableBytes);
  for (let k: u32 = 0; k < count; k += NARROW_BATCH) {
    const rows = from + (<usize>k << rowShift);
    readAhead(rows, 1 << rowShift);
    const missed = addFound(sums, sums, false, own, slotCount, PART_BITS, parts, rows, 0, min<u32>(NARROW_BATCH, count - k));
    for (let m: u32 = 0; m < missed; m++) {
      const at = rows + (<usize>load<u32>(parts + MISSED + (m << 2)) << rowShift);
      if (!addTo(sums, own, slotCount, PART_BITS, load<u32>(at), 1, sums ? <i64>load<u32>(at, 4) : 0)) continue;
      if (!noteNew(sums, own, parts, part, partSlots, spare)) return false;
      slotCount = load<u32>(parts + COLUMN_BYTES + (part << 2));
    }
  }
  return true;
}

/** Copies the slots that are taken: key u32, count u32, with sums the sum i64; returns how many. */
@inline
function keepGroups(sums: bool, slots: usize, slotCount: u32, to: usize): usize {
  let kept: usize = 0;
  for (let slot: u32 = 0; slot < slotCount; slot++) {
    const bucket = slots + (<usize>(slot >> 2) << bucketShift(sums));
    const lane = <usize>(slot & 3);
    const key = load<u32>(bucket + (lane << 2));
    if (key == 0) continue;
    const out = to + (kept++ << slotShift(sums));
    store<u32>(out, key - 1);
    store<u32>(out, load<u32>(bucket + (lane << 2), COUNTS), 4);
    if (sums) store<i64>(out, load<i64>(bucket + (lane << 3), SUMS), 8);
  }
  return kept;
}

/** Doubles a table's slots. */
@inline
function grow(sums: bool, slots: usize, slotCount: u32, skip: u32, spare: usize): void {
  const kept = keepGroups(sums, slots, slotCount, spare);
  memory.fill(slots, 0, <usize>slotCount << (slotShift(sums) + 1));
  for (let i: usize = 0; i < kept; i++) {
    const from = spare + (i << slotShift(sums));
    addTo(sums, slots, slotCount << 1, skip, load<u32>(from), load<u32>(from, 4), sums ? load<i64>(from, 8) : 0);
  }
}

/** Adds the rows that wait. Returns how many groups there are; -1: a part has no more room. */
export function flushNarrowTable(
  slots: usize, sums: bool, parts: usize, partSlots: u32, buffers: usize, bufferRows: u32,
  spare: usize,
): i32 {
  let known: u32 = 0;
  for (let part: u32 = 0; part < <u32>RADIX_PARTS; part++) {
    const at = parts + (part << 2);
    const waiting = load<u32>(at);
    store<u32>(at, 0);
    const from = bufferOf(sums, buffers, bufferRows, part);
    const fits = sums
      ? addToPart(true, slots, parts, partSlots, spare, part, from, waiting)
      : addToPart(false, slots, parts, partSlots, spare, part, from, waiting);
    if (!fits) return -1;
    known += load<u32>(at + (COLUMN_BYTES << 1));
  }
  return known;
}

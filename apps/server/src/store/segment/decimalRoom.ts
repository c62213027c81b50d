import { decimalsMax as decimalsLimit } from "@hadal/sdk";
import { int64Max, int64Min } from "../../column/decimal.js";
import type { IntColumn } from "../../column/segmentColumn.js";

const rooms = new WeakMap<IntColumn, number>();

/** With how many digits behind the point all integers of a segment fit 64 bits. */
export function decimalRoomOf(column: IntColumn): number {
  let room = rooms.get(column);
  if (room === undefined) {
    room = measureRoom(column);
    rooms.set(column, room);
  }
  return room;
}

/**
 * By number of further digits after the point: the largest and the smallest value that they leave
 * within 64 bits.
 */
const highest = Array.from({ length: decimalsLimit + 1 }, (_, i) => int64Max / 10n ** BigInt(i));
const lowest = Array.from({ length: decimalsLimit + 1 }, (_, i) => int64Min / 10n ** BigInt(i));

function measureRoom({ min, max, decimals }: IntColumn): number {
  if (min > max) return decimalsLimit;
  // Mostly there is room for all digits.
  let digits = decimalsLimit - decimals;
  while (digits > 0 && (max > highest[digits]! || min < lowest[digits]!)) digits--;
  return decimals + digits;
}

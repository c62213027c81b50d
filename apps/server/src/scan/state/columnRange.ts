import { HadalError, timeColumn } from "@hadal/sdk";
import { fitsInt64, int64Max, int64Min, rescale } from "../../column/decimal.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { programColumns, traits } from "../program/programColumn.js";
import { segmentsInTotals } from "../program/segmentsInTotals.js";

/**
 * Smallest and largest value at the wanted decimals, by zone maps; (int64 max, min) without values.
 */
export function rangeOf(
  name: string,
  decimals: number,
  segments: readonly SegmentView[],
): { min: bigint; max: bigint } {
  let min = int64Max;
  let max = int64Min;
  for (const segment of segments) {
    const zone = zoneOf(name, segment);
    if (zone === null || zone.min > zone.max) continue;
    const low = rescale(zone.min, zone.decimals, decimals);
    const high = rescale(zone.max, zone.decimals, decimals);
    if (!fitsInt64(low) || !fitsInt64(high)) {
      const detail = `Values of ${name} do not fit 64 bits with ${decimals} decimals.`;
      throw new HadalError("type-mismatch", { detail });
    }
    if (low < min) min = low;
    if (high > max) max = high;
  }
  return { min, max };
}

function zoneOf(
  name: string,
  segment: SegmentView,
): { min: bigint; max: bigint; decimals: number } | null {
  if (name === timeColumn) {
    return { min: BigInt(segment.minMs), max: BigInt(segment.maxMs), decimals: 0 };
  }
  const column = segment.columns.get(name);
  return column?.kind === "int" ? column : null;
}

/** Whether the weighted sum over all segments is sure to stay within 64 bits. */
export function sumFits(name: string, decimals: number, segments: readonly SegmentView[]): boolean {
  if (fitsByFar(name, decimals, segments)) return true;
  return fitsWeighted(magnitudeOf(name, decimals, segments), segments);
}

/** The same in doubles, for hundreds of segments; false: doubles are too coarse to decide. */
function fitsByFar(name: string, decimals: number, segments: readonly SegmentView[]): boolean {
  // Programs know nothing of times.
  if (name === timeColumn) return false;
  const { totals, places } = segmentsInTotals(segments);
  const columns = programColumns(totals, name);
  let magnitude = 0;
  let weight = 0;
  for (let i = 0; i < segments.length; i++) {
    const at = places[i]!;
    const own = columns.traits[at]!;
    if ((own & traits.missing) === 0) {
      if ((own & traits.readable) === 0 || columns.decimals[at] !== decimals) return false;
      magnitude = Math.max(
        magnitude,
        Math.abs(columns.atLeast[at]!),
        Math.abs(columns.atMost[at]!),
      );
    }
    weight += totals.weightTotals[at]!;
  }
  return weight < 2 ** 53 && magnitude * weight < 2 ** 62;
}

export function squaresFit(
  name: string,
  decimals: number,
  segments: readonly SegmentView[],
): boolean {
  return fitsWeighted(magnitudeOf(name, decimals, segments) ** 2n, segments);
}

/** The largest absolute value there can be. */
function magnitudeOf(name: string, decimals: number, segments: readonly SegmentView[]): bigint {
  const { min, max } = rangeOf(name, decimals, segments);
  if (min > max) return 0n;
  // biome-ignore lint/complexity/useMathMinMax: Math.max does not take BigInt.
  return max > -min ? max : -min;
}

function fitsWeighted(magnitude: bigint, segments: readonly SegmentView[]): boolean {
  const weight = segments.reduce((sum, segment) => sum + segment.weightTotal, 0);
  return weight < 2 ** 53 && fitsInt64(magnitude * BigInt(weight));
}

/** Whether every row of every segment has a value. */
export function isComplete(name: string, segments: readonly SegmentView[]): boolean {
  if (name === timeColumn) return true;
  const { totals, places } = segmentsInTotals(segments);
  const columns = programColumns(totals, name);
  return segments.every((segment, i) => {
    const own = columns.traits[places[i]!]!;
    if ((own & traits.hasPresence) !== 0) return (own & traits.complete) !== 0;
    const column = segment.columns.get(name);
    return column?.kind === "int" && column.present === 0;
  });
}

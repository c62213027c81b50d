import { HadalError, timeColumn } from "@hadal/sdk";
import { bytesPerSpread } from "../../aggregate/state/spreadState.js";
import {
  fitsFloat32,
  fitsInt64,
  fitsUint32,
  int64Max,
  int64Min,
  rescale,
} from "../../column/decimal.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import type { StateSpec } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { EvaluatedTexts } from "../derive/derivedColumn.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { programColumns, traits } from "../program/programColumn.js";
import { areWeighted, segmentsInTotals } from "../program/segmentsInTotals.js";
import type { SegmentInput, StateTask } from "../task/scanTask.js";
import type { ElementTables } from "./elementTables.js";
import { elementSourceOf, lowerDistinct } from "./lowerDistinct.js";
import { lowerHistogram } from "./lowerHistogram.js";

/** Where a state gathers for `groupCount` groups over these segments. */
export function lowerState(
  spec: StateSpec,
  segments: readonly SegmentView[],
  groupCount: number,
  /** Sums are gathered by their low halves where that pays. */
  lowSums: boolean,
  /** Rows there are to gather: one that is in several groups counts in each. */
  rowCount: number,
  memory: QueryMemory,
  tables: ElementTables,
): StateTask {
  switch (spec.kind) {
    case "rows":
      return { kind: "rows" };
    case "function":
    case "text":
      return { kind: "function" };
    case "weight": {
      const weighted = areWeighted(segments);
      return { kind: "weight", sums: weighted ? memory.allocate(groupCount * 8) : 0 };
    }
    case "present": {
      const sums = memory.allocate(groupCount * 8);
      return { kind: "present", sums, weighted: spec.weighted };
    }
    case "sum": {
      const { column, decimals } = spec;
      const wide = !sumFits(column, decimals, segments);
      const hasLows = lowSums && !wide && fitsUint32(rangeOf(column, decimals, segments));
      return {
        kind: "sum",
        wide,
        sums: memory.allocate(groupCount * (wide ? 24 : 8)),
        lows: hasLows ? memory.allocateSpare(groupCount * 4) : 0,
        weights: isComplete(column, segments) ? 0 : memory.allocate(groupCount * 8),
      };
    }
    case "squares": {
      const wide = !squaresFit(spec.column, spec.decimals, segments);
      return { kind: "squares", wide, sums: memory.allocate(groupCount * (wide ? 40 : 8)) };
    }
    case "spread": {
      const weighted = areWeighted(segments);
      const sums = weighted ? memory.allocate(groupCount * bytesPerSpread) : 0;
      return { kind: "spread", sums, values: spec.values, ofColumn: spec.column !== null };
    }
    case "min":
    case "max": {
      const { min, max } = rangeOf(spec.column, spec.decimals, segments);
      // A value equal to the start value could not be told from no value.
      const ambiguous = spec.kind === "min" ? max === int64Max : min === int64Min;
      return {
        kind: spec.kind,
        extremes: memory.allocate(groupCount * 8),
        presence: ambiguous ? memory.allocate(groupCount * 8) : 0,
      };
    }
    case "distinct": {
      const range = spec.type === "int" ? rangeOf(spec.column, spec.decimals, segments) : null;
      return lowerDistinct(spec, segments, { groupCount, rowCount }, range, tables, memory);
    }
    case "histogram":
      return lowerHistogram(
        {
          weighted: areWeighted(segments),
          rowCount,
          groupCount,
          squared: spec.squared === true,
          ...rangeOf(spec.column, spec.decimals, segments),
        },
        memory,
      );
  }
}

/** The column that a state reads in one segment; null when it reads none, or the segment has none. */
export function inputOf(
  spec: StateSpec,
  segment: SegmentView,
  tables: ElementTables,
): SegmentInput | null {
  if (spec.kind === "rows" || spec.kind === "weight") return null;
  if (spec.kind === "function" || spec.kind === "text") {
    const names = spec.kind === "text" ? [spec.column] : spec.columns.map(({ name }) => name);
    for (const name of names) prepareTexts(segment.columns.get(name));
    return null;
  }
  const input = columnInput(spec, segment);
  if (input === null || spec.kind !== "distinct") return input;
  return { ...input, elements: elementSourceOf(spec, segment, tables) };
}

/** Texts that are made row by row read dictionaries, which are written out for those who ask while the query is lowered. */
function prepareTexts(column: SegmentColumn | undefined): void {
  if (column instanceof EvaluatedTexts) void column.source;
}

function columnInput(
  spec: Exclude<StateSpec, { kind: "rows" | "weight" | "function" | "text" }>,
  segment: SegmentView,
): SegmentInput | null {
  if (spec.column === null) return null;
  const isPresence = spec.kind === "present" || (spec.kind === "spread" && !spec.values);
  if (spec.column === timeColumn) {
    const { times, timeBase } = segment;
    return {
      coded: false,
      values: times,
      base: timeBase,
      present: 0,
      small: false,
      shift: 0,
      elements: null,
    };
  }
  const column = segment.columns.get(spec.column);
  if (column === undefined) return null;
  if (column.kind === "int") {
    const { values, base, present, decimals } = column;
    // Integers in a column of strings are read as text, with the decimals that they have.
    const asText = spec.kind === "distinct" && spec.type !== "int";
    const shift = isPresence || asText ? 0 : decimalsOf(spec) - decimals;
    const small = fitsFloat32(column);
    return { coded: false, values, base, present, small, shift, elements: null };
  }
  if (!isPresence && spec.kind !== "distinct") return null;
  if (column.kind === "coded") {
    return {
      coded: true,
      values: column.values,
      base: 0n,
      present: 0,
      small: false,
      shift: 0,
      elements: null,
    };
  }
  // Only its presence is of use.
  const values = { address: column.directory, width: 1 as const };
  return {
    coded: false,
    values,
    base: 0n,
    present: column.present,
    small: false,
    shift: 0,
    elements: null,
  };
}

function decimalsOf(spec: StateSpec): number {
  return "decimals" in spec ? spec.decimals : 0;
}

/** Smallest and largest value at the wanted decimals, by zone maps; (int64 max, min) when there are none. */
function rangeOf(
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
function sumFits(name: string, decimals: number, segments: readonly SegmentView[]): boolean {
  if (fitsByFar(name, decimals, segments)) return true;
  return fitsWeighted(magnitudeOf(name, decimals, segments), segments);
}

/** The same in doubles, of which there may be hundreds to look at; false: that is too coarse to tell. */
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

function squaresFit(name: string, decimals: number, segments: readonly SegmentView[]): boolean {
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
function isComplete(name: string, segments: readonly SegmentView[]): boolean {
  if (name === timeColumn) return true;
  const { totals, places } = segmentsInTotals(segments);
  const columns = programColumns(totals, name);
  return segments.every((segment, i) => {
    const own = columns.traits[places[i]!]!;
    if ((own & traits.told) !== 0) return (own & traits.complete) !== 0;
    const column = segment.columns.get(name);
    return column?.kind === "int" && column.present === 0;
  });
}

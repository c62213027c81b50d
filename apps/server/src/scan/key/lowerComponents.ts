import { timeColumn } from "@hadal/sdk";
import { assert } from "../../base/assert.js";
import { rescale } from "../../column/decimal.js";
import type { Dictionary } from "../../column/dictionary.js";
import type { SegmentColumn } from "../../column/segmentColumn.js";
import type { ResolvedGroup, ResolvedSide, TimeBuckets } from "../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../store/segment/segmentView.js";
import { printedSource, stringSourceOf } from "../derive/stringSource.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import { lowerBucketGroup } from "./lowerBuckets.js";
import type { LoweredComponent } from "./loweredComponent.js";
import { lowerElementGroup, lowerListGroup } from "./lowerLists.js";

/**
 * A dense id (22 bits) and a component of this span fit a 64-bit key. One component may be wider:
 * it is the first, before which there is no id. A still wider one is grouped by its text.
 */
const spanMax = 2n ** 41n;
const firstSpanMax = 2n ** 62n;

export function lowerComponents(
  groups: readonly ResolvedGroup[],
  side: ResolvedSide,
  segments: readonly SegmentView[],
  memory: QueryMemory,
): LoweredComponent[] {
  const asksTime = groups.some((group) => group.kind === "column" && group.column === timeColumn);
  const rawTime = asksTime ? lowerRawTime(segments) : null;
  // Times have no other way to be grouped by: where they are the wide component, no integers are.
  const isTimeWide = rawTime !== null && rawTime.task.cardinality > spanMax;
  let widest = isTimeWide ? spanMax : firstSpanMax;
  return groups.map((group) => {
    if (group.kind === "time") return lowerTimeGroup(side, memory);
    if (group.kind === "bucket") return lowerBucketGroup(group, side, segments, memory);
    if (group.kind === "element") return lowerElementGroup(group.column, segments, memory);
    if (rawTime !== null && group.column === timeColumn) return rawTime;
    if (group.type === "string") return lowerStringGroup(group.column, segments);
    if (group.type !== "int") return lowerListGroup(group.column, segments, memory);
    const lowered = lowerIntGroup(group.column, group.decimals, segments, widest);
    if (lowered.task.cardinality > spanMax) widest = spanMax;
    return lowered;
  });
}

function lowerTimeGroup(side: ResolvedSide, memory: QueryMemory): LoweredComponent {
  assert(side.buckets !== null, "a side with a time group has buckets");
  const edgesMs = edgesOf(side.buckets);
  const edges = memory.allocate(edgesMs.length * 8);
  new BigInt64Array(memory.leaf.memory.buffer, edges, edgesMs.length).set(edgesMs.map(BigInt));
  const cardinality = BigInt(edgesMs.length - 1);
  return {
    task: { kind: "time", cardinality, edges, edgeCount: edgesMs.length },
    dictionary: null,
    itemsMax: 1,
    mixesText: false,
    printedInts: null,
    groupOf: () => ({ kind: "time" }),
  };
}

function edgesOf(buckets: TimeBuckets): readonly number[] {
  if (buckets.kind === "edges") return buckets.edgesMs;
  const { startMs, stepMs, count } = buckets;
  return Array.from({ length: count + 1 }, (_, index) => startMs + index * stepMs);
}

function lowerRawTime(segments: readonly SegmentView[]): LoweredComponent {
  const minMs = segments.reduce((least, segment) => Math.min(least, segment.minMs), Infinity);
  const maxMs = segments.reduce((most, segment) => Math.max(most, segment.maxMs), -Infinity);
  const span = segments.length === 0 ? 0n : BigInt(maxMs) - BigInt(minMs);
  return {
    task: {
      kind: "ints",
      cardinality: span + 2n,
      base: segments.length === 0 ? 0n : BigInt(minMs),
    },
    dictionary: null,
    itemsMax: 1,
    mixesText: false,
    printedInts: null,
    groupOf: ({ times, timeBase }) => ({ kind: "ints", values: times, base: timeBase, present: 0 }),
  };
}

/** Integers are numbered from the smallest of all segments on; 0 is the group of the missing. */
function lowerIntGroup(
  name: string,
  decimals: number,
  segments: readonly SegmentView[],
  widest: bigint,
): LoweredComponent {
  let min: bigint | null = null;
  let max: bigint | null = null;
  let sameDecimals = true;
  for (const segment of segments) {
    const column = segment.columns.get(name);
    if (column?.kind !== "int" || column.min > column.max) continue;
    sameDecimals &&= column.decimals === decimals;
    const low = rescale(column.min, column.decimals, decimals);
    const high = rescale(column.max, column.decimals, decimals);
    min = min === null || low < min ? low : min;
    max = max === null || high > max ? high : max;
  }
  const base = min ?? 0n;
  const span = (max ?? 0n) - base;
  if (!sameDecimals || span + 2n > widest) return lowerByText(name, segments, null, decimals);
  return {
    task: { kind: "ints", cardinality: span + 2n, base },
    dictionary: null,
    itemsMax: 1,
    mixesText: false,
    printedInts: null,
    groupOf: (segment) => {
      const column = segment.columns.get(name);
      if (column?.kind !== "int") return { kind: "missing" };
      return { kind: "ints", values: column.values, base: column.base, present: column.present };
    },
  };
}

function lowerStringGroup(name: string, segments: readonly SegmentView[]): LoweredComponent {
  const columns = segments.map(({ columns }) => columns.get(name));
  const dictionaries = new Set(columns.map(stringDictionary).filter((one) => one !== null));
  const [dictionary = null] = dictionaries;
  const allCoded = columns.every((column) => column === undefined || stringDictionary(column));
  if (!allCoded || dictionary === null) return lowerByText(name, segments, dictionary, null);
  const { codeCount } = dictionary;
  return {
    task: { kind: "codes", cardinality: BigInt(codeCount), firstVirtualCode: codeCount },
    dictionary,
    itemsMax: 1,
    mixesText: false,
    printedInts: null,
    groupOf: (segment) => {
      const column = segment.columns.get(name);
      return column?.kind === "coded"
        ? { kind: "codes", values: column.values }
        : { kind: "missing" };
    },
  };
}

/**
 * Some rows have texts or integers: their strings get codes after those of the dictionary during
 * the scan. `intDecimals`: integers are wanted, at this scale.
 */
function lowerByText(
  name: string,
  segments: readonly SegmentView[],
  dictionary: Dictionary | null,
  intDecimals: number | null,
): LoweredComponent {
  const firstVirtualCode = dictionary?.codeCount ?? 1;
  const rowCount = segments.reduce((sum, segment) => sum + segment.rowCount, 0);
  return {
    task: { kind: "codes", cardinality: BigInt(firstVirtualCode + rowCount), firstVirtualCode },
    dictionary,
    itemsMax: 1,
    mixesText: dictionary !== null,
    printedInts: intDecimals === null ? null : name,
    groupOf: (segment) => {
      const column = segment.columns.get(name);
      if (column === undefined) return { kind: "missing" };
      if (column.kind === "int") {
        const shift = intDecimals === null ? 0 : intDecimals - column.decimals;
        const decimals = intDecimals === null ? column.decimals : 0;
        const source = printedSource(column, decimals, shift);
        return { kind: "virtual", source, asList: false };
      }
      if (intDecimals !== null) return { kind: "missing" };
      if (column.kind === "text") {
        return { kind: "virtual", source: stringSourceOf(column), asList: false };
      }
      return column.dictionary === dictionary
        ? { kind: "codes", values: column.values }
        : { kind: "missing" };
    },
  };
}

function stringDictionary(column: SegmentColumn | undefined): Dictionary | null {
  return column?.kind === "coded" && column.type === "string" ? column.dictionary : null;
}

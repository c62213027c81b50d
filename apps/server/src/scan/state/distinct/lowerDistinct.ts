import { timeColumn } from "@hadal/sdk";
import { registerBitsFor } from "../../../aggregate/state/distinct/distinctForms.js";
import { distinctElementsMax } from "../../../aggregate/state/distinct/distinctState.js";
import type { ColumnDictionary } from "../../../column/segmentColumn.js";
import type { StateSpec } from "../../../plan/query/resolvedQuery.js";
import type { SegmentView } from "../../../store/segment/segmentView.js";
import { printedSource, stringSourceOf } from "../../derive/stringSource.js";
import type { QueryMemory } from "../../memory/queryMemory.js";
import { type DistinctTask, distinctProgressBytes } from "../../task/distinctTask.js";
import type { ElementSource } from "../../task/scanTask.js";
import type { ElementTables } from "./elementTables.js";

export type DistinctSpec = Extract<StateSpec, { kind: "distinct" }>;

/** Bitmaps of up to 32 MiB, and no larger than a set of all rows would be. */
const bitmapBitsMax = 2n ** 28n;
const bitmapBitsPerRow = 128;
const bitmapBitsMin = 2 ** 20;

export interface DistinctRows {
  readonly segments: readonly SegmentView[];
  readonly groupCount: number;
  readonly rowCount: number;
  /** Of integers; null: the column has another type. */
  readonly range: { readonly min: bigint; readonly max: bigint } | null;
  readonly tables: ElementTables;
}

export function lowerDistinct(
  spec: DistinctSpec,
  { segments, groupCount, rowCount, range, tables }: DistinctRows,
  memory: QueryMemory,
): DistinctTask {
  const dictionary = range === null ? soleDictionary(spec, segments) : null;
  // Words of 64 bits that start at multiples of 64, so that bitmaps of leaves are aligned.
  const base =
    range === null || range.min > range.max ? 0n : range.min - BigInt.asUintN(6, range.min);
  const end = range === null ? BigInt(dictionary?.codeCount ?? 0) : range.max + 1n;
  const groupBits = end > base ? ((end - base + 63n) / 64n) * 64n : 64n;
  const allowed = Math.max(bitmapBitsMin, rowCount * bitmapBitsPerRow);
  const bits = groupBits * BigInt(groupCount);
  if ((range !== null || dictionary !== null) && bits <= bitmapBitsMax && bits <= BigInt(allowed)) {
    return {
      kind: "distinct",
      progress: memory.allocate(distinctProgressBytes),
      form: "bitmaps",
      bitmaps: memory.allocate(Number(bits / 8n)),
      groupBits: Number(groupBits),
      groupCount,
      base,
      table: dictionary === null ? 0 : tables.addressOf(dictionary, "plain"),
    };
  }
  return lowerSet(rowCount, groupCount, memory);
}

function lowerSet(rowCount: number, groupCount: number, memory: QueryMemory): DistinctTask {
  const entriesMax = Math.max(1, Math.min(rowCount, distinctElementsMax));
  const slotCount = 2 ** Math.ceil(Math.log2(entriesMax * 2 + 1));
  const bits = registerBitsFor(groupCount);
  return {
    kind: "distinct",
    progress: memory.allocate(distinctProgressBytes),
    form: "set",
    set: {
      slots: memory.allocate(slotCount * 4),
      slotCount,
      groups: memory.allocate(entriesMax * 4),
      elements: memory.allocate(entriesMax * 8),
      entriesMax,
    },
    registers:
      rowCount <= entriesMax
        ? null
        : { registers: memory.allocate(groupCount * 2 ** bits), bits, groupCount },
  };
}

/**
 * The one dictionary that contains the wanted values of all segments; null when there are others.
 */
function soleDictionary(
  spec: DistinctSpec,
  segments: readonly SegmentView[],
): ColumnDictionary | null {
  let sole: ColumnDictionary | null = null;
  for (const { columns } of segments) {
    const column = columns.get(spec.column);
    if (column === undefined) continue;
    if (column.kind !== "coded" || column.type !== spec.type) return null;
    if (sole !== null && column.dictionary !== sole) return null;
    sole = column.dictionary;
  }
  return sole;
}

/** How elements of the wanted type are read from a segment's column; null when it has none. */
export function elementSourceOf(
  spec: DistinctSpec,
  segment: SegmentView,
  tables: ElementTables,
): ElementSource | null {
  if (spec.column === timeColumn) return { kind: "ints" };
  const column = segment.columns.get(spec.column);
  if (column === undefined) return null;
  const asList = spec.type === "set" || spec.type === "vector";
  switch (column.kind) {
    case "int": {
      if (spec.type === "int") return { kind: "ints" };
      return { kind: "read", source: printedSource(column), asList };
    }
    case "coded": {
      const form = asList && column.type === "string" ? "list" : "plain";
      return { kind: "codes", table: tables.addressOf(column.dictionary, form) };
    }
    case "text":
      return { kind: "read", source: stringSourceOf(column), asList };
  }
}

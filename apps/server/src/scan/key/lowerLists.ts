import { HadalError } from "@hadal/sdk";
import { Dictionary } from "../../column/dictionary.js";
import { ListDictionary } from "../../column/listDictionary.js";
import type { CodedColumn, ColumnDictionary, SegmentColumn } from "../../column/segmentColumn.js";
import { type SegmentView, segmentRowsMax } from "../../store/segment/segmentView.js";
import { printedSource } from "../derive/stringSource.js";
import type { QueryMemory } from "../memory/queryMemory.js";
import type { ItemLists, SegmentGroup } from "../task/scanTask.js";
import { ExtendedValues } from "./groupValues.js";
import type { LoweredComponent } from "./loweredComponent.js";

interface PlacedItems extends ItemLists {
  readonly longest: number;
}

/**
 * Groups by whole sets or vectors, each as the JSON text of its elements; strings stored before are
 * lists of themselves.
 */
export function lowerListGroup(
  name: string,
  segments: readonly SegmentView[],
  memory: QueryMemory,
): LoweredComponent {
  const columns = columnsOf(name, segments);
  const values = new ExtendedValues(firstLists(columns) ?? new ListDictionary());
  const items = mapDictionaries(columns, (dictionary) => {
    if (dictionary instanceof ListDictionary && values.valuesAre(dictionary)) return null;
    const isList = dictionary instanceof ListDictionary;
    return placeItems(dictionary.codeCount, memory, (code) => {
      const value = dictionary.valueOf(code);
      return [values.intern(isList ? value : JSON.stringify([value]))];
    });
  });
  const listed = { name, segments, columns, values, itemsMax: 1, asList: true };
  return lowerItems(listed, (column) => {
    const lists = items.get(column.dictionary);
    return lists === undefined || lists === null
      ? { kind: "codes", values: column.values }
      : { kind: "mapped", values: column.values, starts: lists.starts, items: lists.items };
  });
}

/**
 * Groups by elements: rows are exploded by the items of their lists. A vector's repeated element
 * counts once.
 */
export function lowerElementGroup(
  name: string,
  segments: readonly SegmentView[],
  memory: QueryMemory,
): LoweredComponent {
  const columns = columnsOf(name, segments);
  const values = new ExtendedValues(firstLists(columns)?.elements ?? new Dictionary());
  const items = mapDictionaries(columns, (dictionary) =>
    placeItems(dictionary.codeCount, memory, (code) => {
      if (!(dictionary instanceof ListDictionary)) return [values.intern(dictionary.valueOf(code))];
      const { elements } = dictionary;
      const isFirst = values.valuesAre(elements);
      const codes = new Set<number>();
      for (const element of dictionary.listOf(code)) {
        codes.add(isFirst ? element : values.intern(elements.valueOf(element)));
      }
      return [...codes];
    }),
  );
  const longest = Math.max(1, ...[...items.values()].map((lists) => lists.longest));
  const listed = { name, segments, columns, values, itemsMax: longest, asList: false };
  return lowerItems(listed, (column) => {
    const { starts, items: placed } = items.get(column.dictionary)!;
    return { kind: "items", values: column.values, starts, items: placed };
  });
}

interface ListedValues {
  readonly name: string;
  readonly segments: readonly SegmentView[];
  readonly columns: readonly SegmentColumn[];
  readonly values: ExtendedValues;
  /** The longest list of items. */
  readonly itemsMax: number;
  /** Whether a value is a whole list. */
  readonly asList: boolean;
}

function lowerItems(
  { name, segments, columns, values, itemsMax, asList }: ListedValues,
  groupOf: (column: CodedColumn) => SegmentGroup,
): LoweredComponent {
  const { codeCount } = values;
  const hasText = columns.some(({ kind }) => kind !== "coded");
  const rowCount = segments.reduce((sum, segment) => sum + segment.rowCount, 0);
  const cardinality = BigInt(codeCount + (hasText ? rowCount : 0));
  return {
    task: { kind: "codes", cardinality, firstVirtualCode: codeCount },
    dictionary: values,
    itemsMax,
    mixesText: hasText,
    printedInts: null,
    groupOf: (segment) => {
      const column = segment.columns.get(name);
      if (column === undefined) return { kind: "missing" };
      if (column.kind === "coded") return groupOf(column);
      const source = column.kind === "text" ? column : printedSource(column);
      return { kind: "virtual", source, asList };
    },
  };
}

function columnsOf(name: string, segments: readonly SegmentView[]): SegmentColumn[] {
  return segments.map(({ columns }) => columns.get(name)).filter((column) => column !== undefined);
}

function firstLists(columns: readonly SegmentColumn[]): ListDictionary | undefined {
  for (const column of columns) {
    if (column.kind === "coded" && column.type !== "string") return column.dictionary;
  }
  return undefined;
}

/** Once for each dictionary, and all of them before the codes are counted. */
function mapDictionaries<T>(
  columns: readonly SegmentColumn[],
  map: (dictionary: ColumnDictionary) => T,
): Map<ColumnDictionary, T> {
  const mapped = new Map<ColumnDictionary, T>();
  for (const column of columns) {
    if (column.kind !== "coded" || mapped.has(column.dictionary)) continue;
    mapped.set(column.dictionary, map(column.dictionary));
  }
  return mapped;
}

/**
 * Writes the items of all codes into the query's memory. Missing (code 0) has one item: the group
 * of the missing.
 */
function placeItems(
  codeCount: number,
  memory: QueryMemory,
  itemsOf: (code: number) => readonly number[],
): PlacedItems {
  const starts = new Uint32Array(codeCount + 1);
  let items = new Uint32Array(Math.max(64, codeCount));
  let used = 1;
  let longest = 1;
  starts[1] = used;
  for (let code = 1; code < codeCount; code++) {
    const list = itemsOf(code);
    if (list.length > segmentRowsMax) {
      const detail = `A list of ${list.length} elements is too long to group by; at most ${segmentRowsMax}.`;
      throw new HadalError("type-mismatch", { detail });
    }
    if (used + list.length > items.length) {
      const grown = new Uint32Array(Math.max(used + list.length, items.length * 2));
      grown.set(items);
      items = grown;
    }
    items.set(list, used);
    used += list.length;
    longest = Math.max(longest, list.length);
    starts[code + 1] = used;
  }
  const { buffer } = memory.leaf.memory;
  const startsAddress = memory.allocate(starts.byteLength);
  const itemsAddress = memory.allocate(used * 4);
  new Uint32Array(buffer, startsAddress, starts.length).set(starts);
  new Uint32Array(buffer, itemsAddress, used).set(items.subarray(0, used));
  return { starts: startsAddress, items: itemsAddress, longest };
}

import { randomUUID } from "node:crypto";
import { decimalsMax, timeColumn } from "@hadal/sdk";
import type { LeafTable } from "../cluster/leafReply.js";
import { columnForms } from "../store/columns/columnForms.js";
import { SegmentFacts } from "../store/columns/segmentFacts.js";
import type { StoredSegment } from "../store/segment/segmentView.js";
import type { Table } from "../store/table/table.js";

type LeafColumn = LeafTable["columns"][number];

const described = new WeakMap<Table, TableDescription>();
/** Of this process: what another says has other names. */
const processToken = randomUUID();
let formsCount = 0;

/** How a leaf describes one of its tables. The bytes of its columns are all that its segments and dictionaries take. */
export function describeTable(table: Table): LeafTable {
  let description = described.get(table);
  if (description === undefined) {
    description = new TableDescription(table);
    described.set(table, description);
  }
  return description.now();
}

/** Called twice a second: an unchanged table has a cached description; others are updated from the cached one. */
class TableDescription {
  readonly #table: Table;
  #last: LeafTable | null = null;
  #segments: readonly StoredSegment[] = [];
  #columnCount = 0;
  readonly #facts = new SegmentFacts();

  constructor(table: Table) {
    this.#table = table;
  }

  now(): LeafTable {
    const table = this.#table;
    const segments = table.shown();
    const { columns } = table;
    const last = this.#last;
    const isSame =
      last !== null &&
      segments.length === this.#segments.length &&
      segments.every((segment, i) => segment === this.#segments[i]) &&
      columns.count === this.#columnCount &&
      table.bytes === last.bytes &&
      table.bookBytes === last.bookBytes &&
      table.lost.isEmpty === (last.hasLost !== true);
    if (isSame) return last;
    this.#segments = segments;
    this.#columnCount = columns.count;
    this.#facts.follow(segments);
    this.#last = this.#describe(segments);
    return this.#last;
  }

  #describe(segments: readonly StoredSegment[]): LeafTable {
    const table = this.#table;
    const spans = segments.filter(({ rowCount }) => rowCount > 0);
    const columns = this.#columns();
    const last = this.#last;
    return {
      name: table.name,
      rows: table.rowCount,
      bytes: table.bytes,
      bookBytes: table.bookBytes,
      rawBytes: table.rawSizes.bytes,
      segments: segments.length,
      fromMs: spans.length === 0 ? null : Math.min(...spans.map(({ minMs }) => minMs)),
      toMs: spans.length === 0 ? null : Math.max(...spans.map(({ maxMs }) => maxMs)),
      ...(table.lost.isEmpty ? {} : { hasLost: true }),
      columns,
      forms:
        last?.forms !== undefined && haveSameForms(last.columns, columns)
          ? last.forms
          : `${processToken} ${++formsCount}`,
    };
  }

  #columns(): readonly LeafColumn[] {
    const { columns, rawSizes } = this.#table;
    const facts = this.#facts;
    const sizesOf = (name: string) => ({
      rows: rawSizes.valuesOf(name),
      rawBytes: rawSizes.bytesOf(name),
    });
    const time: LeafColumn = {
      ...({ name: timeColumn, types: ["int"], decimals: 0, decimalsMax } as const),
      bytes: facts.of(timeColumn).bytes,
      ...sizesOf(timeColumn),
      neverNegative: false,
    };
    const named = Array.from(columns.names, (name): LeafColumn => {
      const places = columns.placesOf(name);
      return {
        name,
        ...columnForms(columns, name, facts),
        bytes: places.reduce(
          (sum, place) => sum + facts.of(place.name).bytes,
          columns.dictionaryBytesOf(name),
        ),
        ...sizesOf(name),
        neverNegative: places.every(
          (place) => place.type === "int" && facts.of(place.name).negatives === 0,
        ),
      };
    });
    return [time, ...named];
  }
}

/** Whether the columns are equal in everything that queries are bound by. */
function haveSameForms(a: readonly LeafColumn[], b: readonly LeafColumn[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => {
      const other = b[i]!;
      return (
        one.name === other.name &&
        one.decimals === other.decimals &&
        one.decimalsMax === other.decimalsMax &&
        one.neverNegative === other.neverNegative &&
        one.rows > 0 === other.rows > 0 &&
        one.types.length === other.types.length &&
        one.types.every((type, at) => type === other.types[at])
      );
    })
  );
}

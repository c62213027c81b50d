import {
  type ColumnInfo,
  type ColumnSizes,
  decimalsMax,
  HadalError,
  nearestHint,
  type TableDetail,
  type TableInfo,
  type TableSizes,
  timeColumn,
  unitOfColumn,
} from "@hadal/sdk";
import type { FormsInRange, TimeSpan } from "../../base/row/columnTypes.js";
import { type ColumnForms, typesByWidth, widestType } from "../../base/row/columnTypes.js";
import { createTableSchema, type TableSchema } from "../../plan/schema/tableSchema.js";
import { askForms } from "../../tree/askForms.js";
import {
  type DescribedLeaf,
  describeLeaves,
  type LeafDescription,
} from "../../tree/describeLeaves.js";
import type { ColumnOrder } from "./columnOrder.js";

/** A table with its sizes. */
export type MeasuredTable = TableInfo & TableSizes;
export type MeasuredDetail = TableDetail &
  TableSizes & {
    readonly columns: readonly (ColumnInfo & ColumnSizes)[];
    readonly segments: number;
    readonly bookBytes: number;
  };

/** The tables of all leaves, merged. */
export interface TableCatalogue {
  tables(): Promise<readonly MeasuredTable[]>;
  /** Rejects with `unknown-table`, naming the nearest. */
  table(name: string): Promise<MeasuredDetail>;
  /** What queries are bound to. Rejects like `table`. */
  schema(name: string): Promise<TableSchema>;
  /** Which forms the values of columns have in ranges of time, as far as leaves say soon; of a table that is known. */
  forms(
    name: string,
    columns: readonly string[],
    ranges: readonly TimeSpan[],
  ): Promise<readonly FormsInRange[]>;
  /** Resolves when the table is known with these columns, or leaves have been asked again. */
  know(name: string, columns: readonly string[]): Promise<void>;
  /** Whether all leaves, those that are away too, have said of a column that none of its values is below 0. */
  neverNegative(name: string, column: string): boolean;
  /** Asks the leaves, after this call and not before; called every half second, so that no query waits for a leaf that hangs. */
  refresh(): Promise<void>;
}

export interface CatalogueOptions {
  readonly leaves: () => readonly DescribedLeaf[];
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** In which order columns are listed, and where new ones are put behind the others. */
  readonly order: Pick<ColumnOrder, "of" | "see">;
  /** Leaves that should hold rows of a table, by the row-count ledger. */
  readonly holdersOf?: (table: string) => readonly string[];
  /** How long a description serves queries before leaves are asked again. */
  readonly freshMs?: number;
  /** How long a leaf may take to describe itself. */
  readonly timeoutMs?: number;
}

type LeafTable = LeafDescription["tables"][number];

const freshMsDefault = 2_000;
/** A leaf describes itself in a few milliseconds; one that hangs must not eat the time of every query. */
const timeoutMsDefault = 500;

export const createTableCatalogue = (options: CatalogueOptions): TableCatalogue =>
  new MergedCatalogue(options);

class MergedCatalogue implements TableCatalogue {
  readonly #options: CatalogueOptions;
  readonly #timeoutMs: number;
  /** The last description of each leaf: one that does not answer now still has its tables. */
  readonly #known = new Map<string, LeafDescription>();
  #merged: ReadonlyMap<string, MergedTable> = new Map();
  /** Made when a query first asks: a table may have 10,000 columns. */
  readonly #schemas = new WeakMap<MergedColumns, TableSchema>();
  #refreshedAt = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | null = null;
  #next: Promise<void> | null = null;
  /** Tables for which the next round counts the rows and bytes of each column. */
  #countedNext = new Set<string>();

  constructor(options: CatalogueOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? timeoutMsDefault;
  }

  async know(name: string, columns: readonly string[]): Promise<void> {
    const table = this.#merged.get(name);
    const found = table === undefined ? null : this.#schemaOf(table).columns;
    if (found === null || !columns.every((column) => found.has(column))) await this.#refreshOnce();
  }

  async tables(): Promise<readonly MeasuredTable[]> {
    await this.#refreshOnce();
    if (this.#known.size === 0) throw this.#noLeaves();
    return Array.from(this.#merged.values(), infoOf);
  }

  async table(name: string): Promise<MeasuredDetail> {
    return detailOf(await this.#find(name, [name]));
  }

  neverNegative(name: string, column: string): boolean {
    return this.#options.leaves().every(({ id }) => {
      const description = this.#known.get(id);
      const table = description?.tables.find((one) => one.name === name);
      const found = table?.columns.find((one) => one.name === column);
      if (description === undefined || table?.hasLost === true) return false;
      return found === undefined || found.neverNegative === true;
    });
  }

  refresh(): Promise<void> {
    return this.#refreshOnce();
  }

  forms(
    name: string,
    columns: readonly string[],
    ranges: readonly TimeSpan[],
  ): Promise<readonly FormsInRange[]> {
    const forms = this.#merged.get(name)?.columns.mixed;
    const asked = columns.map((column) => {
      const { decimals = 0, decimalsMax = 0 } = forms?.get(column) ?? {};
      return { name: column, exact: decimals > decimalsMax };
    });
    const spans = ranges.map(({ fromMs, toMs }) => ({ fromMs, toMs }));
    const request = { table: name, columns: asked, ranges: spans };
    return askForms(this.#options.leaves(), request, this.#timeoutMs);
  }

  async schema(name: string): Promise<TableSchema> {
    const { now, freshMs = freshMsDefault } = this.#options;
    const isFresh = now() - this.#refreshedAt <= freshMs;
    const table = (isFresh ? this.#merged.get(name) : undefined) ?? (await this.#find(name));
    return this.#schemaOf(table);
  }

  #schemaOf({ name, columns }: MergedTable): TableSchema {
    let schema = this.#schemas.get(columns);
    if (schema === undefined) {
      schema = createTableSchema(name, columns.infos, columns);
      this.#schemas.set(columns, schema);
    }
    return schema;
  }

  /** The table as leaves describe it after this call. */
  async #find(name: string, counted: readonly string[] = []): Promise<MergedTable> {
    await this.#refreshOnce(counted);
    const found = this.#merged.get(name);
    if (found !== undefined) return found;
    if (this.#known.size === 0) throw this.#noLeaves();
    // A leaf that has been away since the start has not described its tables.
    const holders = this.#options.holdersOf?.(name) ?? [];
    if (holders.length > 0) throw new HadalError("no-leaves", { missing: holders.join(", ") });
    throw new HadalError("unknown-table", {
      table: name,
      nearest: nearestHint(name, this.#merged.keys()),
    });
  }

  #noLeaves(): HadalError {
    return new HadalError("no-leaves", { missing: idsOf(this.#options) });
  }

  /**
   * One round at a time, and one more for all calls that come meanwhile: the running round may have
   * asked a leaf before rows came that the caller knows of.
   */
  #refreshOnce(counted: readonly string[] = []): Promise<void> {
    for (const name of counted) this.#countedNext.add(name);
    const start = (): Promise<void> => {
      const names = [...this.#countedNext];
      this.#countedNext = new Set();
      this.#next = null;
      this.#running = this.#describeAll(names);
      return this.#running;
    };
    this.#next ??= Promise.resolve(this.#running).then(start, start);
    return this.#next;
  }

  async #describeAll(counted: readonly string[]): Promise<void> {
    const known = this.#known;
    const leaves = this.#options.leaves();
    const startedAt = this.#options.now();
    const asked = { timeoutMs: this.#timeoutMs, known, counted };
    const descriptions = await describeLeaves(leaves, asked);
    const listed = new Set(leaves.map(({ id }) => id));
    for (const leafId of known.keys()) if (!listed.has(leafId)) known.delete(leafId);
    for (const description of descriptions) known.set(description.leafId, description);
    // Without any answer nothing is known, not even that there are no tables: ask again next time.
    if (descriptions.length > 0) this.#refreshedAt = startedAt;
    this.#mergeKnown();
  }

  #mergeKnown(): void {
    const { order } = this.#options;
    const before = this.#merged;
    this.#merged = mergeDescriptions([...this.#known.values()], (table) => order.of(table), before);
    // Of rows that came before there was an order, or just before a crash.
    for (const [name, { columns }] of this.#merged) {
      if (columns === before.get(name)?.columns) continue;
      void order.see(
        name,
        columns.infos.map((column) => column.name),
      );
    }
  }
}

/** A table of all leaves. */
export type MergedTable = Omit<MeasuredDetail, "columns"> & { readonly columns: MergedColumns };

/** The same object while no leaf has reported other columns: there may be thousands. */
export interface MergedColumns {
  readonly infos: MeasuredDetail["columns"];
  /** The columns that have values of several types, or numbers that no number of decimals suits. */
  readonly mixed: TableSchema["mixed"];
  readonly parts: readonly LeafTable["columns"][];
  readonly order: ReadonlySet<string>;
  /** Of the order, when they were put into it: it grows. */
  readonly orderSize: number;
}

const infoOf = (table: MergedTable): MeasuredTable => ({
  name: table.name,
  rows: table.rows,
  bytes: table.bytes,
  bytesPerRow: table.bytesPerRow,
  compressionRatio: table.compressionRatio,
  fromMs: table.fromMs,
  toMs: table.toMs,
  retention: table.retention,
});

const detailOf = (table: MergedTable): MeasuredDetail => ({
  ...table,
  columns: table.columns.infos,
});

/** Tables by name, in alphabetical order; columns in the order given, others behind them as the leaves have them, by their names. */
export function mergeDescriptions(
  descriptions: readonly LeafDescription[],
  orderOf: (table: string) => ReadonlySet<string> = () => new Set(),
  before: ReadonlyMap<string, MergedTable> = new Map(),
): ReadonlyMap<string, MergedTable> {
  const byLeaf = [...descriptions].sort((a, b) => (a.leafId < b.leafId ? -1 : 1));
  const parts = new Map<string, LeafTable[]>();
  for (const { tables } of byLeaf) {
    for (const table of tables) parts.set(table.name, [...(parts.get(table.name) ?? []), table]);
  }
  const names = [...parts.keys()].sort();
  return new Map(
    names.map((name) => {
      const own = parts.get(name) ?? [];
      const columnsBefore = before.get(name)?.columns;
      return [name, mergeTable(name, own, mergeColumns(own, orderOf(name), columnsBefore))];
    }),
  );
}

function mergeTable(
  name: string,
  parts: readonly LeafTable[],
  columns: MergedColumns,
): MergedTable {
  const sum = (numberOf: (part: LeafTable) => number): number =>
    parts.reduce((total, part) => total + numberOf(part), 0);
  const rows = sum((part) => part.rows);
  const bytes = sum((part) => part.bytes);
  const froms = parts.flatMap(({ fromMs }) => (fromMs === null ? [] : [fromMs]));
  const tos = parts.flatMap(({ toMs }) => (toMs === null ? [] : [toMs]));
  return {
    name,
    rows,
    bytes,
    bytesPerRow: rows === 0 ? null : bytes / rows,
    compressionRatio: ratioOf(
      sum((part) => part.rawBytes),
      bytes,
    ),
    segments: sum((part) => part.segments),
    bookBytes: sum((part) => part.bookBytes),
    fromMs: froms.length === 0 ? null : Math.min(...froms),
    toMs: tos.length === 0 ? null : Math.max(...tos),
    columns,
    // What is set for it the gateway knows.
    retention: { maxAgeMs: null, maxBytes: null },
    thinning: [],
    columnSettings: [],
  };
}

function mergeColumns(
  tables: readonly LeafTable[],
  order: ReadonlySet<string>,
  before: MergedColumns | undefined,
): MergedColumns {
  const parts = tables.map(({ columns }) => columns);
  const isSame =
    before?.order === order &&
    before.orderSize === order.size &&
    before.parts.length === parts.length &&
    before.parts.every((part, i) => part === parts[i]);
  if (isSame) return before;
  const orderSize = order.size;
  return { infos: listColumns(parts, order), mixed: mixedColumns(parts), parts, order, orderSize };
}

function listColumns(
  parts: readonly LeafTable["columns"][],
  order: ReadonlySet<string>,
): MeasuredDetail["columns"] {
  const none = { rows: 0, bytes: 0, rawBytes: 0 };
  const columns = new Map<string, LeafTable["columns"][number]>([
    [timeColumn, { name: timeColumn, types: ["int"], decimals: 0, decimalsMax, ...none }],
  ]);
  for (const own of parts) {
    for (const column of own) {
      const known = columns.get(column.name);
      columns.set(column.name, {
        name: column.name,
        ...joinForms(known, column),
        rows: (known?.rows ?? 0) + column.rows,
        bytes: (known?.bytes ?? 0) + column.bytes,
        rawBytes: (known?.rawBytes ?? 0) + column.rawBytes,
      });
    }
  }
  const ordered = new Set([timeColumn, ...order, ...columns.keys()]);
  const inOrder = [...ordered].flatMap((name) => columns.get(name) ?? []);
  // By name: leaves say more of a column than the public answer has.
  return inOrder.map(({ name, rows, bytes, rawBytes, types, decimals, decimalsMax: room }) => {
    const type = widestType({ types, decimals, decimalsMax: room });
    const unit = type === "int" ? unitOfColumn(name) : undefined;
    return {
      ...{ name, rows, bytes, type },
      decimals: type === "int" ? decimals : 0,
      ...(unit === undefined ? {} : { unit }),
      compressionRatio: ratioOf(rawBytes, bytes),
    };
  });
}

/** Null where there is nothing to compare. */
function ratioOf(rawBytes: number, bytes: number): number | null {
  return bytes === 0 || rawBytes === 0 ? null : rawBytes / bytes;
}

interface CountedForms extends ColumnForms {
  readonly rows: number;
}

/** The forms of the values that either has; a leaf whose rows are all gone still knows forms that none has any more. */
function joinForms(a: CountedForms | undefined, b: CountedForms): ColumnForms {
  if (a === undefined || (a.rows === 0 && b.rows > 0)) return b;
  if (b.rows === 0 && a.rows > 0) return a;
  return {
    types: typesByWidth.filter((type) => a.types.includes(type) || b.types.includes(type)),
    decimals: Math.max(a.decimals, b.decimals),
    decimalsMax: Math.min(a.decimalsMax, b.decimalsMax),
  };
}

function mixedColumns(parts: readonly LeafTable["columns"][]): TableSchema["mixed"] {
  const known = new Map<string, CountedForms>();
  for (const column of parts.flat()) {
    const before = known.get(column.name);
    const rows = (before?.rows ?? 0) + column.rows;
    known.set(column.name, { ...joinForms(before, column), rows });
  }
  const mixed = [...known].flatMap(([name, { types, decimals, decimalsMax }]) =>
    types.length === 1 && decimals <= decimalsMax
      ? []
      : [[name, { types, decimals, decimalsMax }] as const],
  );
  return new Map(mixed);
}

function idsOf(options: CatalogueOptions): string {
  const ids = options.leaves().map(({ id }) => id);
  return ids.join(", ") || "there are none";
}

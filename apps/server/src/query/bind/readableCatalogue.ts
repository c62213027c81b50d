import { HadalError, nearestHint, type TableDetail, type TableInfo } from "@hadal/sdk";
import type { Readable, TableGrant } from "../../base/access/readable.js";
import { beyondToken } from "../../plan/schema/checkBounds.js";
import type { MeasuredDetail, MeasuredTable, TableCatalogue } from "./tableCatalogue.js";

/** The catalogue as one person or program may read it: other tables do not exist for it. */
export class ReadableCatalogue
  implements Pick<TableCatalogue, "schema" | "refresh" | "forms" | "neverNegative">
{
  readonly #catalogue: TableCatalogue;
  readonly #readable: Readable;

  constructor(catalogue: TableCatalogue, readable: Readable) {
    this.#catalogue = catalogue;
    this.#readable = readable;
  }

  async tables(): Promise<readonly TableInfo[]> {
    return (await this.#visible()).map((table) =>
      isWhole(this.grantOf(table.name)) ? table : withoutSizes(table),
    );
  }

  /** Rejects with `unknown-table`, naming the nearest that may be read. */
  async table(name: string): Promise<TableDetail> {
    const detail = await this.#ofReadable(name, () => this.#catalogue.table(name));
    return granted(detail, this.grantOf(name));
  }

  /** Of the whole table; {@link grantOf} says what of it may be read. Rejects like `table`. */
  schema(name: string): ReturnType<TableCatalogue["schema"]> {
    return this.#ofReadable(name, () => this.#catalogue.schema(name));
  }

  grantOf(name: string): TableGrant {
    // Tables without a grant are refused before.
    return this.#readable.of(name) ?? { rows: [], hiddenColumns: [] };
  }

  forms(...asked: Parameters<TableCatalogue["forms"]>): ReturnType<TableCatalogue["forms"]> {
    return this.#catalogue.forms(...asked);
  }

  neverNegative(name: string, column: string): boolean {
    return this.#catalogue.neverNegative(name, column);
  }

  refresh(): Promise<void> {
    return this.#catalogue.refresh();
  }

  async #visible(): Promise<readonly MeasuredTable[]> {
    const tables = await this.#catalogue.tables();
    return tables.filter(({ name }) => this.#readable.of(name) !== null);
  }

  async #ofReadable<Found>(name: string, find: () => Promise<Found>): Promise<Found> {
    if (this.#readable.isEmbed === true && this.#readable.of(name) === null)
      throw beyondToken(`the table ${name}`);
    try {
      if (this.#readable.of(name) !== null) return await find();
    } catch (error) {
      if (!(error instanceof HadalError && error.code === "unknown-table")) throw error;
    }
    const names = (await this.#visible()).map((table) => table.name);
    throw new HadalError("unknown-table", { table: name, nearest: nearestHint(name, names) });
  }
}

const isWhole = ({ rows }: TableGrant): boolean => rows === null;

/** Sizes, and the times of the oldest and newest row, would say something of rows that may not be read. */
const withoutSizes = ({ name, retention }: TableInfo): TableInfo => ({ name, retention });

function granted(detail: MeasuredDetail, grant: TableGrant): TableDetail {
  const hidden = new Set(grant.hiddenColumns);
  const columns = detail.columns.filter(({ name }) => !hidden.has(name));
  if (isWhole(grant)) return { ...detail, columns };
  const { thinning, columnSettings } = detail;
  return {
    ...{ ...withoutSizes(detail), thinning, columnSettings },
    columns: columns.map(({ rows: _, bytes: __, compressionRatio: ___, ...column }) => column),
  };
}

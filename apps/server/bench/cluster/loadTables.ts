import { join } from "node:path";
import { ParquetFile } from "../peer/parquetFile.js";
import type { TableFile } from "../peer/peer.js";
import { say } from "../report/say.js";
import type { BenchTable } from "../table/benchTable.js";
import type { BenchCluster } from "./benchCluster.js";

const batchRows = 16_384;
/** Batches on their way at one time: enough to keep two leaves busy, few enough to stay small. */
const batchesInFlight = 6;
/** A billion rows take twenty minutes. */
const progressMs = 60_000;

export interface LoadOptions {
  readonly total: number;
  readonly cluster: BenchCluster;
  /** Where the peers' files go; null without peers. */
  readonly folder: string | null;
}

/** Makes the rows of a table once: Hadal takes them batch by batch, the peers later from a file. */
export class TableLoader {
  readonly #table: BenchTable;
  readonly #options: LoadOptions;
  readonly #file: ParquetFile | null;
  readonly #rowCount: number;
  #loaded = 0;

  constructor(table: BenchTable, options: LoadOptions) {
    this.#table = table;
    this.#options = options;
    const { folder, total } = options;
    this.#file = folder === null ? null : new ParquetFile(join(folder, `${table.name}.parquet`));
    this.#rowCount = table.rowCount(total);
  }

  /** Loads on until this share of the table is there. */
  async loadTo(share: number): Promise<void> {
    const { cluster } = this.#options;
    const end = Math.floor(this.#rowCount * share);
    const pending = new Set<Promise<void>>();
    let failure: unknown = null;
    const startedMs = performance.now();
    const begin = this.#loaded;
    let saidMs = startedMs;
    while (this.#loaded < end && failure === null) {
      const count = Math.min(batchRows, end - this.#loaded);
      const batch = this.#table.rows(this.#loaded, count, this.#rowCount);
      const placed = cluster
        .append(this.#table.name, batch)
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => pending.delete(placed));
      pending.add(placed);
      this.#file?.append(batch);
      this.#loaded += count;
      while (pending.size >= batchesInFlight) await Promise.race(pending);
      if (performance.now() - saidMs < progressMs) continue;
      saidMs = performance.now();
      say(`${this.#table.name}: ${Math.floor((100 * this.#loaded) / this.#rowCount)} % loaded`);
    }
    await Promise.all(pending);
    if (failure !== null) throw failure;
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    say(`${this.#table.name}: ${(end - begin).toLocaleString("en")} rows in ${seconds} s`);
  }

  /** The whole table, for the peers. */
  finish(): TableFile | null {
    if (this.#file === null) return null;
    this.#file.finish();
    return { table: this.#table, path: this.#file.path };
  }
}

import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { Peer, TableFile } from "./peer.js";

/** DuckDB in this process, in memory. */
export class DuckDBPeer implements Peer {
  readonly #connection: DuckDBConnection;
  readonly name = "duckdb";

  private constructor(
    connection: DuckDBConnection,
    readonly version: string,
  ) {
    this.#connection = connection;
  }

  static async open(threads: number): Promise<DuckDBPeer> {
    const instance = await DuckDBInstance.create(":memory:", { threads: String(threads) });
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll("SELECT version()");
    return new DuckDBPeer(connection, String(reader.getRows()[0]?.[0]));
  }

  async load({ table, path }: TableFile): Promise<void> {
    const columns = table.lists.map((name) => `from_json(${name}, '["VARCHAR"]') AS ${name}`);
    const rewritten = columns.length === 0 ? "" : ` REPLACE (${columns.join(", ")})`;
    await this.#connection.run(
      `CREATE TABLE ${table.name} AS SELECT *${rewritten} FROM read_parquet('${path}')`,
    );
  }

  /** All rows are fetched but not turned into JavaScript values: the time is DuckDB's own. */
  async time(sql: string): Promise<number> {
    const startedMs = performance.now();
    await this.#connection.runAndReadAll(sql);
    return performance.now() - startedMs;
  }

  async rows(sql: string): Promise<unknown[][]> {
    return (await this.#connection.runAndReadAll(sql)).getRows();
  }

  async close(): Promise<void> {
    this.#connection.closeSync();
  }
}

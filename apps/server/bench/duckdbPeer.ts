import type { DuckDBAppender, DuckDBConnection, DuckDBType } from "@duckdb/node-api";
import { BIGINT, DuckDBDataChunk, DuckDBInstance, INTEGER } from "@duckdb/node-api";
import type { BenchRows } from "./benchRows.js";
import { tableNames } from "./benchRows.js";

const chunkRows = 2048;

const rawColumns: readonly (readonly [string, DuckDBType])[] = [
  ["time", BIGINT],
  ["service", INTEGER],
  ["endpoint", INTEGER],
  ["status", INTEGER],
  ["latency_us", INTEGER],
  ["bytes", INTEGER],
  ["user_id", INTEGER],
  ["session", INTEGER],
  ["sample_rate", INTEGER],
];

/** DuckDB in this process, in memory, over the same rows. */
export class DuckDBPeer {
  private constructor(
    private readonly connection: DuckDBConnection,
    private readonly appender: DuckDBAppender,
  ) {}

  static async open(threads: number): Promise<DuckDBPeer> {
    const instance = await DuckDBInstance.create(":memory:", { threads: String(threads) });
    const connection = await instance.connect();
    const columns = rawColumns.map(([name, type]) => `${name} ${type}`).join(", ");
    await connection.run(`CREATE TABLE raw (${columns})`);
    return new DuckDBPeer(connection, await connection.createAppender("raw"));
  }

  append(rows: BenchRows): void {
    const types = rawColumns.map(([, type]) => type);
    for (let first = 0; first < rows.count; first += chunkRows) {
      const count = Math.min(chunkRows, rows.count - first);
      const chunk = DuckDBDataChunk.create(types, count);
      const part = (values: ArrayLike<number>) =>
        Array.from({ length: count }, (_, i) => values[first + i] ?? 0);
      chunk.setColumns([
        part(rows.time).map(BigInt),
        part(rows.service),
        part(rows.endpoint),
        part(rows.status),
        part(rows.latencyUs),
        part(rows.bytes),
        part(rows.userId),
        part(rows.session),
        part(rows.sampleRate),
      ]);
      this.appender.appendDataChunk(chunk);
    }
  }

  /** Gives codes their strings and makes the tables that are asked; rows stay in order. */
  async finish(): Promise<void> {
    this.appender.closeSync();
    const service = "format('service-{:03d}', service) AS service";
    const endpoint = "format('/api/v{}/resource-{}', endpoint % 3 + 1, endpoint) AS endpoint";
    const plain = `time, ${service}, ${endpoint}, status, latency_us, bytes, user_id`;
    const weighted = `time, ${service}, latency_us, bytes, session, sample_rate`;
    await this.run(
      `CREATE TABLE ${tableNames.plain} AS SELECT ${plain} FROM raw`,
      `CREATE TABLE ${tableNames.weighted} AS SELECT ${weighted} FROM raw`,
      "DROP TABLE raw",
    );
  }

  async run(...statements: readonly string[]): Promise<void> {
    for (const sql of statements) await this.connection.run(sql);
  }

  /** All rows of the answer, fetched but not yet turned into JavaScript values: the time is DuckDB's own. */
  async query(sql: string): Promise<{ ms: number; rows: () => unknown[][] }> {
    const startedMs = performance.now();
    const reader = await this.connection.runAndReadAll(sql);
    return { ms: performance.now() - startedMs, rows: () => reader.getRows() };
  }

  close(): void {
    this.connection.closeSync();
  }
}

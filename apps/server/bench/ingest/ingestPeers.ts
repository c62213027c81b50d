import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { hasPythonPeer, PythonPeer } from "../peer/pythonPeer.js";
import { processorMs } from "./processTime.js";
import type { SentColumn } from "./sentTable.js";

export interface LoadedFile {
  readonly path: string;
  readonly rowCount: number;
  readonly columns: readonly SentColumn[];
}

export interface LoadTime {
  readonly ms: number;
  readonly cpuMs: number;
}

/** A database that loads a file of lines of JSON into a table on the disk. */
export interface LoadingPeer {
  readonly name: string;
  readonly pid: number;
  load(file: LoadedFile): Promise<LoadTime>;
  close(): Promise<void>;
}

export async function openLoadingPeers(folder: string, threads: number): Promise<LoadingPeer[]> {
  const peers: LoadingPeer[] = [duckdbLoader(folder, threads)];
  if (hasPythonPeer("clickhouse")) peers.push(await clickhouseLoader(threads));
  return peers;
}

/** A checkpoint ends the load: the rows are in the file, and synced. */
function duckdbLoader(folder: string, threads: number): LoadingPeer {
  const path = join(folder, "loaded.duckdb");
  return {
    name: "duckdb",
    pid: process.pid,
    async load({ path: file, rowCount, columns }) {
      const instance = await DuckDBInstance.create(path, { threads: String(threads) });
      const connection = await instance.connect();
      const types = columns.map(
        ({ name, type }) => `${name}: '${type === "int" ? "BIGINT" : "VARCHAR"}'`,
      );
      const startedMs = performance.now();
      const startedCpu = processorMs(process.pid);
      await connection.run(
        `CREATE TABLE loaded AS SELECT * FROM read_json('${file}', format = 'newline_delimited', columns = {${types.join(", ")}})`,
      );
      await connection.run("CHECKPOINT");
      const time = {
        ms: performance.now() - startedMs,
        cpuMs: processorMs(process.pid) - startedCpu,
      };
      const [[count] = []] = (
        await connection.runAndReadAll("SELECT count(*) FROM loaded")
      ).getRows();
      connection.closeSync();
      instance.closeSync();
      await rm(path);
      expectRows("duckdb", Number(count), rowCount);
      return time;
    },
    close: async () => undefined,
  };
}

async function clickhouseLoader(threads: number): Promise<LoadingPeer> {
  const peer = await PythonPeer.open("clickhouse", threads);
  return {
    name: "clickhouse",
    pid: peer.pid,
    async load({ path, rowCount, columns }) {
      const startedCpu = processorMs(peer.pid);
      const types = columns.map(
        ({ name, type }) => `${name} ${type === "int" ? "Int64" : "LowCardinality(String)"}`,
      );
      const ms = await peer.loadLines(path, types.join(", "));
      const cpuMs = processorMs(peer.pid) - startedCpu;
      const [[count] = []] = await peer.rows("SELECT count() FROM loaded");
      expectRows("clickhouse", Number(count), rowCount);
      return { ms, cpuMs };
    },
    close: () => peer.close(),
  };
}

function expectRows(peer: string, found: number, expected: number): void {
  if (found !== expected) throw new Error(`${peer} has ${found} rows of ${expected}`);
}

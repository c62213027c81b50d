import { parseArgs } from "node:util";

export interface BenchOptions {
  readonly rows: number;
  readonly threads: number;
  readonly peers: readonly string[];
  /** Names to run; empty: all. */
  readonly only: readonly string[];
  readonly json: string | null;
  readonly runs: number;
}

const usage = `npm run bench -- [--rows N] [--threads N] [--peers duckdb] [--only NAME,…] [--json FILE] [--runs N]`;

/** Throws with the usage when an option is unknown or makes no sense. */
export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: "string", default: "10000000" },
      threads: { type: "string", default: "2" },
      peers: { type: "string", default: "duckdb" },
      only: { type: "string", default: "" },
      json: { type: "string" },
      runs: { type: "string", default: "7" },
    },
  });
  const peers = listOf(values.peers);
  const unknown = peers.find((peer) => peer !== "duckdb");
  if (unknown !== undefined)
    throw new Error(`no peer called ${unknown} yet; known: duckdb\n${usage}`);
  return {
    rows: positive("--rows", values.rows, 1_000),
    threads: positive("--threads", values.threads, 1),
    peers,
    only: listOf(values.only),
    json: values.json ?? null,
    // A median of fewer is an anecdote.
    runs: positive("--runs", values.runs, 5),
  };
}

function listOf(text: string): string[] {
  return text.split(",").filter((name) => name !== "");
}

function positive(name: string, text: string, least: number): number {
  const value = Number(text.replaceAll("_", ""));
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`${name} is a whole number of at least ${least}, not ${text}\n${usage}`);
}

import { parseArgs } from "node:util";
import { type PeerName, peerNames } from "./peer/peer.js";

export interface BenchOptions {
  readonly rows: number;
  readonly threads: number;
  /** Null: all that are there. */
  readonly peers: readonly PeerName[] | null;
  /** Names to run; empty: all. */
  readonly only: readonly string[];
  /** Columns that no table gets, where memory is short; queries that name one are left out. */
  readonly without: readonly string[];
  readonly json: string | null;
  readonly runs: number;
  /** Also how costs grow with the rows of a table. */
  readonly curve: boolean;
}

const usage = `npm run bench -- [--rows N] [--threads N] [--peers ${peerNames.join(",")}] [--only NAME,…] [--without COLUMN,…] [--json FILE] [--runs N] [--curve]`;

/** Throws with the usage when an option is unknown or makes no sense. */
export function parseBenchOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: "string", default: "50000000" },
      threads: { type: "string", default: "2" },
      peers: { type: "string" },
      only: { type: "string", default: "" },
      without: { type: "string", default: "" },
      json: { type: "string" },
      runs: { type: "string", default: "7" },
      curve: { type: "boolean", default: false },
    },
  });
  return {
    rows: positive("--rows", values.rows, 1_000),
    threads: positive("--threads", values.threads, 1),
    peers: values.peers === undefined ? null : listOf(values.peers).map(peerOf),
    only: listOf(values.only),
    without: listOf(values.without),
    json: values.json ?? null,
    // A median of fewer is an anecdote.
    runs: positive("--runs", values.runs, 5),
    curve: values.curve,
  };
}

function peerOf(text: string): PeerName {
  const name = peerNames.find((known) => known === text);
  if (name !== undefined) return name;
  throw new Error(`no peer called ${text}; known: ${peerNames.join(", ")}\n${usage}`);
}

function listOf(text: string): string[] {
  return text.split(",").filter((name) => name !== "");
}

function positive(name: string, text: string, least: number): number {
  const value = Number(text.replaceAll("_", ""));
  if (Number.isInteger(value) && value >= least) return value;
  throw new Error(`${name} is a whole number of at least ${least}, not ${text}\n${usage}`);
}

import type { Query } from "../model/query.js";

/** The JSON text of a query; BigInt values become decimal strings, as the contract has them. */
export function printQuery(query: Query): string {
  return JSON.stringify(query, bigintAsText);
}

/** For JSON.stringify. */
export function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

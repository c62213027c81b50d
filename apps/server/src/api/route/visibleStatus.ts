import type { StatusInfo } from "@hadal/sdk";
import type { Person } from "../../access/person.js";
import { everything } from "../../base/access/readable.js";

/**
 * The status as a person may see it: without tables that it reads only in part or not at all, and for those who do not
 * operate the server without its memory.
 */
export function visibleStatus(
  status: StatusInfo,
  { permissions, readable }: Pick<Person, "permissions" | "readable">,
): StatusInfo {
  const operates = permissions.has("operate");
  if (operates && readable.key === everything.key) return status;
  const isSeen = (table: string): boolean => readable.of(table) !== null;
  /** Whose sizes may be seen. */
  const isWhole = (table: string): boolean => readable.of(table)?.rows === null;
  const { ledger, members, ingest, demo } = status;
  const tables = status.tables.filter(({ name }) => isWhole(name));
  const taken = ingest.tables.filter(({ name }) => isWhole(name));
  return {
    ...status,
    tables,
    ledger: {
      ...ledger,
      // It may name tables.
      reason: null,
      lostRows: ledger.lostRows.filter(({ table }) => isWhole(table)),
      lostColumns: (ledger.lostColumns ?? []).filter(({ table }) => isWhole(table)),
      doubts: ledger.doubts.filter(({ table }) => isSeen(table)),
    },
    members: members.map((member) => {
      const own = member.tables.filter(({ name }) => isWhole(name));
      const sizes = { rows: sumOf(own, "rows"), bytes: sumOf(own, "bytes") };
      const memory = operates ? member.memory : null;
      return { ...member, ...sizes, tables: operates ? own : [], memory };
    }),
    // They name tables, and their problems have parts of rows.
    sources: [],
    demo: demo !== null && isWhole(demo.table) ? demo : null,
    ingest: {
      ...{ ...ingest, tables: taken },
      ...{ rowsAccepted: sumOf(taken, "accepted"), rowsRejected: sumOf(taken, "rejected") },
      // They count rows of all tables.
      stages: readable.key === everything.key ? (ingest.stages ?? []) : [],
    },
  };
}

function sumOf<Key extends string>(
  items: readonly Readonly<Record<Key, number>>[],
  key: Key,
): number {
  return items.reduce((sum, item) => sum + item[key], 0);
}

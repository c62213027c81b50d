import { HadalError } from "@hadal/sdk";
import type { OracleRow } from "../../../test/oracle/table/oracleTable.js";
import { minuteMs } from "../../aggregate/estimate/leafMinutes.js";
import { encodePartialResult } from "../../aggregate/merge/partialCodec.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { partialOfRows } from "../../aggregate/testing/partialOfRows.js";
import { branchQuery } from "../../plan/query/branchQuery.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { createTableSchema } from "../../plan/schema/tableSchema.js";
import { QueryTimings } from "../../planner/queryTimings.js";
import type { ExpectedRows } from "../../tree/expectedRows.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import { Admission } from "../admit/admission.js";
import { AnswerPool } from "../admit/answerPool.js";
import { RowQuota } from "../admit/rowQuota.js";
import type { QueryDeps } from "../run/queryDeps.js";

/** A request to a service. */
export function row(timeMs: number, service: string, bytes: bigint): OracleRow {
  return {
    timeMs,
    values: new Map<string, string | bigint>([
      ["service", service],
      ["bytes", bytes],
    ]),
  };
}

/** A leaf that scans its rows one by one, and answers after each pause. */
export function leaf(
  id: string,
  rows: readonly OracleRow[],
  pauses: readonly Promise<void>[],
): QueriedNode {
  return {
    id,
    async streamQuery(resolved, { onPartial }) {
      for (const [i, pause] of pauses.entries()) {
        await pause;
        const done = i === pauses.length - 1;
        const share = (i + 1) / pauses.length;
        const seen = rows.slice(0, Math.round(rows.length * share));
        onPartial({
          done,
          workMs: 1,
          stats: {
            rowsHeld: rows.length,
            share: done ? 1 : share,
            rowsScanned: seen.length,
            rowsMatched: seen.length,
            bytesScanned: 8,
            segments: 1,
            segmentsSkipped: 0,
            scanMs: 2,
          },
          body: encodePartialResult(withBranches(seen, resolved), resolved),
        });
      }
    },
  };
}

function withBranches(rows: readonly OracleRow[], resolved: ResolvedQuery): PartialResult {
  const { branches } = resolved;
  const own = partialOfRows(rows, resolved);
  if (branches === undefined) return own;
  return {
    ...own,
    branches: branches.map((branch) => partialOfRows(rows, branchQuery(resolved, branch))),
  };
}

/** Rows that leaves should hold, all of them in the minute in which a range starts. */
export function inOneMinute(rows: ReadonlyMap<string, number>): ExpectedRows {
  return {
    expected: () => rows,
    expectedMinutes: (_, fromMs) => {
      const minutes = [Math.floor(fromMs / minuteMs)];
      return new Map([...rows].map(([id, count]) => [id, { minutes, counts: [count] }]));
    },
    changes: () => 0,
    firstMs: () => null,
    doubt: () => null,
  };
}

/** Of a gateway over these leaves, each of which should hold two rows. */
export function deps(leaves: readonly QueriedNode[]): QueryDeps {
  const columns = [
    { name: "service", type: "string", decimals: 0 },
    { name: "bytes", type: "int", decimals: 0 },
  ] as const;
  return {
    catalogue: {
      async schema(name) {
        if (name !== "requests")
          throw new HadalError("unknown-table", { table: name, nearest: "" });
        return createTableSchema(name, columns);
      },
      refresh: async () => {},
      neverNegative: () => false,
      forms: async () => [],
    },
    leaves: () => leaves,
    treeSize: () => ({ machines: 1, leaves: leaves.length, fanOut: 5 }),
    timings: new QueryTimings(),
    functions: () => new Map(),
    sandbox: null as never,
    expectedRows: inOneMinute(new Map(leaves.map(({ id }) => [id, 2]))),
    admission: new Admission(
      { queriesRunning: 8, queriesWaiting: 8, queueWaitMs: 10_000, answerMemory: 64 },
      () => performance.now(),
      new AnswerPool(2 ** 26, () => performance.now()),
    ),
    rowQuota: new RowQuota({ userRowsPerMinute: 0 }, () => performance.now()),
    settingsOf: () => ({ retention: { maxAgeMs: null, maxBytes: null }, thinning: [] }),
    logError: () => {},
    now: () => performance.now(),
    wallMs: () => 1_000_000,
  };
}

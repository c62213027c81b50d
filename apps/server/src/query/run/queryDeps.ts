import type { CachePool, Result } from "@hadal/sdk";
import type { SandboxHost } from "../../function/sandbox/sandboxHost.js";
import type { UserFunctions } from "../../plan/schema/userFunctions.js";
import type { QueryTimings } from "../../planner/queryTimings.js";
import type { TreeSize } from "../../planner/treeShape.js";
import type { ExpectedRows } from "../../tree/expectedRows.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import type { Admission } from "../admit/admission.js";
import type { RowQuota } from "../admit/rowQuota.js";
import type { TableTimes } from "../answer/bucketCoverage.js";
import type { AskOptions } from "../bind/askOptions.js";
import type { BindingCatalogue } from "../bind/bindTo.js";
import type { TableCatalogue } from "../bind/tableCatalogue.js";
import type { AnswerCache } from "../cache/answerCache.js";
import type { SharedScans } from "./sharedScans.js";

export interface QueryDeps {
  /** Who may run now. */
  readonly admission: Admission;
  /** How many rows each person may scan. */
  readonly rowQuota: RowQuota;
  readonly catalogue: BindingCatalogue & Pick<TableCatalogue, "neverNegative">;
  /** Of {@link catalogue}: names what may be read; left out: everything. */
  readonly readableKey?: string;
  readonly leaves: () => readonly QueriedNode[];
  /** Differs once one of them has started again, and while one is away; left out: neither happens. */
  readonly leafStates?: () => string;
  /** The tree that queries are answered by. */
  readonly treeSize: () => TreeSize;
  /** What earlier queries took. */
  readonly timings: QueryTimings;
  readonly expectedRows: ExpectedRows;
  /** When rows of a table go, or most of them. */
  readonly settingsOf: (table: string) => TableTimes["settings"];
  /** Saved functions, as they are now. */
  readonly functions: () => UserFunctions;
  /** Where functions of rows are merged and finished. */
  readonly sandbox: SandboxHost;
  /** For the log: faults that a leaf's answer met here. */
  readonly logError: (text: string, error: unknown) => void;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Milliseconds since 1970. */
  readonly wallMs: () => number;
  /** Hears whom each query asked, and how long it merged. */
  readonly onTree?: (asked: TreeAnswers["asked"], mergeMs: number) => void;
  /** Hears what each query took without the way of its frames. */
  readonly onPathMs?: (ms: number) => void;
}

/** How a query uses what is known of earlier ones. */
export interface CacheOptions {
  readonly answers: AnswerCache;
  readonly pool: CachePool;
  /** Whether an answer that is kept will do; the new one is kept in any case. */
  readonly mayFind: boolean;
}

export interface RunOptions extends AskOptions<Result> {
  /** Left out: leaves are asked, and nothing is kept. */
  readonly cache?: CacheOptions;
  /** Queries that begin in the same turn and go through the same scans share them. */
  readonly scans?: SharedScans;
  /**
   * Called when the rows of the query are known, before leaves are asked, and again where the moment is taken again. `rows`
   * names those that there are when it is called; null: they cannot be named.
   */
  readonly onBound?: (rows: () => string | null) => void;
  /** Called before the moment of the answer (`asOf`) is taken, and again where it is taken again. */
  readonly onBegin?: () => void;
  /** Called when the query has to wait until others are answered: its moment will be taken again. */
  readonly onWait?: () => void;
}

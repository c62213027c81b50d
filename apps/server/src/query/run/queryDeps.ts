import type { Result } from "@hadal/sdk";
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

export interface RunOptions extends AskOptions<Result> {
  /** Queries that begin in the same turn and go through the same scans share them. */
  readonly scans?: SharedScans;
  /** Called before the moment of the answer (`asOf`) is taken, and again where it is taken again. */
  readonly onBegin?: () => void;
  /** Called when the query has to wait until others are answered: its moment will be taken again. */
  readonly onWait?: () => void;
}

import type { Completeness, HadalError } from "@hadal/sdk";
import type { UnitSnapshot } from "../base/row/unitSnapshot.js";
import type { TracedNode } from "../cluster/treeTrace.js";
import type { PartAnswer } from "./partAnswer.js";

/** What leaves have answered so far. */
export interface TreeAnswers {
  /** Rows that each leaf should hold for the query. */
  readonly expected: ReadonlyMap<string, number>;
  /** The same for each side of the query. */
  readonly expectedOfSides: readonly ReadonlyMap<string, number>[];
  readonly answers: readonly PartAnswer[];
  readonly completeness: Completeness;
  /** The units that all leaves have shown; what is asked further has to show the same. */
  readonly snapshot: UnitSnapshot;
  /** Why leaves did not answer, for those that sent a problem. */
  readonly failures: ReadonlyMap<string, HadalError>;
  /** Whom the root asked, and who was asked below it. */
  readonly asked: readonly TracedNode[];
}

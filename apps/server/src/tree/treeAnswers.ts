import type { Completeness, HadalError } from "@hadal/sdk";
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
  /** Why leaves did not answer, for those that sent a problem. */
  readonly failures: ReadonlyMap<string, HadalError>;
  /** Whom the root asked, and who was asked below it. */
  readonly asked: readonly TracedNode[];
}

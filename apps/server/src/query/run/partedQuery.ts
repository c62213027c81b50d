import type { Completeness, Result } from "@hadal/sdk";
import { mergeSteps } from "../../aggregate/merge/mergePartials.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import type { TimeSpan } from "../../base/row/timeSpan.js";
import { inTurns } from "../../base/schedule/steps.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import { isNoAnswer } from "../../tree/askOnce.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { type DividedQuery, inWholeQuery } from "../cache/closedPart.js";
import {
  type AnsweredParts,
  isCut,
  isWholeAnswer,
  type LeafReport,
  partOf,
} from "../cache/keptAnswer.js";
import type { AdmittedQuery } from "./admittedQuery.js";
import type { AskedLeaves, AskFirst, SharableQuery } from "./sharedScans.js";

export interface PartedQueryParts {
  readonly whole: AdmittedQuery;
  readonly divided: DividedQuery;
  /** What was answered about the closed part. */
  readonly closed: TreeAnswers;
  /** Whether the rows of the closed part are still those of that answer. */
  readonly isClosed: () => boolean;
}

/**
 * A query of whose range the closed part is known: leaves are asked for the rest. Where that lacks anything, or a row has
 * come into the closed part meanwhile, they are asked for the whole.
 */
export class PartedQuery implements SharableQuery {
  readonly #parts: PartedQueryParts;

  constructor(parts: PartedQueryParts) {
    this.#parts = parts;
  }

  get resolved(): ResolvedQuery {
    return this.#parts.divided.open;
  }

  get signal(): StopSignal {
    return this.#parts.whole.signal;
  }

  /** Waits for half of the time at most: there has to be some for the whole. */
  askLeaves(asked: AskedLeaves): Promise<TreeAnswers> {
    const { whole } = this.#parts;
    return whole.askLeaves({ resolved: this.resolved, deadline: whole.halfTime, ...asked });
  }

  async run(first?: AskFirst): Promise<Result> {
    const { whole, isClosed } = this.#parts;
    // In the turn in which leaves are asked: what becomes visible in one moment is in both parts, or in none.
    if (!isClosed()) return whole.run();
    const open = await this.#askOpen(first);
    const answered = open !== null && isClosed() ? await this.#join(open) : null;
    if (answered === null) return whole.run();
    const result = await whole.finishKnown(answered);
    return { ...result, stats: { ...result.stats, cache: "part" } };
  }

  /** Null: no leaf has answered; asked for the whole they may. */
  async #askOpen(first: AskFirst | undefined): Promise<TreeAnswers | null> {
    const { whole } = this.#parts;
    const ask: AskFirst = first ?? ((onAnswers) => this.askLeaves({ onAnswers }));
    try {
      return await ask((answers) => whole.see(answers));
    } catch (error) {
      if (isNoAnswer(error)) return null;
      throw error;
    }
  }

  /** The answer about the whole range; null: not known. */
  async #join(open: TreeAnswers): Promise<AnsweredParts | null> {
    const completed = { parts: open.answers, isDecided: false, areLeftOut: false };
    const { divided, closed, whole } = this.#parts;
    // The parts of groups that a leaf leaves out are not the same in both.
    if (isCut(open) || isCut(closed) || !isWholeAnswer(open)) return null;
    const leaves = joinReports(open, closed);
    if (leaves === null) return null;
    const partials = [
      ...closed.answers.map(({ partial }) => ofSides(partial, divided)),
      ...open.answers.flatMap(({ partial }) =>
        partial.sides.map((side): PartialResult => ({ sides: [side], sample: null })),
      ),
    ];
    if (!areAsFine(partials)) return null;
    const merged = await inTurns(mergeSteps(partials, whole.resolved), this.signal);
    const part = partOf("all", leaves, merged);
    const expected = joinCounts([open.expected, closed.expected]);
    const answered: TreeAnswers = {
      ...{ ...open, expected, expectedOfSides: [expected], answers: [part] },
      completeness: joinCompleteness(open.completeness, closed.completeness),
    };
    return { answered, completed: { ...completed, parts: [part] } };
  }
}

const ofSides = ({ sides }: PartialResult, divided: DividedQuery): PartialResult => ({
  sides: sides.map((side) => inWholeQuery(side, divided)),
  sample: null,
});

/** Leaves with little room make histograms coarser: together they would be as coarse as the coarsest. */
function areAsFine(partials: readonly PartialResult[]): boolean {
  const found = new Set<number>();
  for (const { sides } of partials)
    for (const { groupCount, states } of sides)
      for (const state of states)
        if (state.kind === "histogram" && groupCount > 0) found.add(state.subBits);
  return found.size <= 1;
}

function joinCounts(all: readonly ReadonlyMap<string, number>[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const counts of all)
    for (const [leaf, rows] of counts) sums.set(leaf, (sums.get(leaf) ?? 0) + rows);
  return sums;
}

/** Both are whole. */
const joinCompleteness = (open: Completeness, closed: Completeness): Completeness => ({
  ...open,
  rowsExpected: (open.rowsExpected ?? 0) + (closed.rowsExpected ?? 0),
  rowsAnswered: (open.rowsAnswered ?? 0) + (closed.rowsAnswered ?? 0),
});

/** What each leaf has said of both; null: other leaves have answered than before. */
function joinReports(open: TreeAnswers, closed: TreeAnswers): readonly LeafReport[] | null {
  const before = new Map(reportsOf(closed).map((report) => [report.leafId, report]));
  const now = reportsOf(open);
  if (now.length !== before.size || now.some(({ leafId }) => !before.has(leafId))) return null;
  return now.map((report) => ({
    ...report,
    stats: joinStats(report.stats, before.get(report.leafId)!.stats),
  }));
}

const reportsOf = ({ answers }: TreeAnswers): readonly LeafReport[] =>
  answers.flatMap(({ leaves }) => leaves);

/** The cost is that of the part that was read now. */
function joinStats(open: LeafReport["stats"], closed: LeafReport["stats"]): LeafReport["stats"] {
  const thinnedByKey = joinSpans(open.thinnedByKey, closed.thinnedByKey);
  return {
    ...open,
    rowsHeld: open.rowsHeld + closed.rowsHeld,
    rowsMatched: open.rowsMatched + closed.rowsMatched,
    ...(thinnedByKey === undefined ? {} : { thinnedByKey }),
  };
}

function joinSpans(some: TimeSpan | undefined, others: TimeSpan | undefined): TimeSpan | undefined {
  if (some === undefined || others === undefined) return some ?? others;
  return [Math.min(some[0], others[0]), Math.max(some[1], others[1])];
}

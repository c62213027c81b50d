import type { FunctionVersion, Query, Result } from "@hadal/sdk";
import type { AnswerPart } from "../../aggregate/cut/askedGroups.js";
import { mergeSteps } from "../../aggregate/merge/mergePartials.js";
import type { UnitSnapshot } from "../../base/row/unitSnapshot.js";
import { atOnce, inTurns, type Steps } from "../../base/schedule/steps.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { type UserFunctions, usedFunctions } from "../../plan/schema/userFunctions.js";
import { askLeaves } from "../../tree/askLeaves.js";
import { isNoAnswer } from "../../tree/askOnce.js";
import {
  type AskAgain,
  type CompletedParts,
  completeGroups,
  partsOf,
} from "../../tree/completeGroups.js";
import type { PartAnswer } from "../../tree/partAnswer.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { createPartialPacer } from "../admit/partialPacer.js";
import { isPartialWorth } from "../admit/partialWorth.js";
import type { PathClock } from "../admit/pathClock.js";
import { expectedMinutes } from "../answer/expectedMinutes.js";
import { finishInTime, leafDeadline, usesFunctions } from "../answer/finishFunctions.js";
import { withUnseenMax } from "../answer/unseenMax.js";
import type { LatePlace } from "../bind/latePlace.js";
import { placeInQuery } from "../bind/placeInQuery.js";
import { shownColumns } from "../bind/shownColumns.js";
import type { AnsweredParts } from "../cache/keptAnswer.js";
import { isMoving } from "./closedParts.js";
import { type FinishStage, finishAnswers, notYetFinal } from "./finishAnswers.js";
import { keepAnswer, versionOfRows } from "./knownAnswer.js";
import { withPredictedMs } from "./predictedTime.js";
import type { QueryDeps, RunOptions } from "./queryDeps.js";
import type { AskedLeaves, AskFirst, SharableQuery } from "./sharedScans.js";

/** The query bound to the columns as they are known, and the functions that it was bound to. */
export interface BoundQuery {
  readonly split: SplitQuery;
  readonly functions: UserFunctions;
}

export interface QueryTimes {
  readonly startedAt: number;
  readonly deadline: number;
  /** Whether others had their turn first. */
  readonly hasWaited: boolean;
  readonly path: PathClock;
  readonly place: LatePlace;
}

export interface AdmittedQueryParts {
  /** The moment of the answer, if that is not now. */
  readonly asOf?: number;
  readonly query: Query;
  readonly bound: BoundQuery;
  readonly deps: QueryDeps;
  readonly times: QueryTimes;
  readonly options: RunOptions;
}

interface FinishedResult {
  readonly result: Result;
  readonly mergeMs: number;
}

/** A query that may run now: asks leaves, shows parts of the answer meanwhile, asks again for cut groups, finishes. */
export class AdmittedQuery implements SharableQuery {
  readonly #query: Query;
  readonly #split: SplitQuery;
  readonly #deps: QueryDeps;
  readonly #times: QueryTimes;
  readonly #options: RunOptions;
  readonly #used: readonly FunctionVersion[];
  readonly #minutesOf: ReturnType<typeof expectedMinutes>;
  /** Whatever was acknowledged before this instant is in the leaves' snapshots. */
  readonly #asOf: number;
  /** What names the rows of that moment; null: the answer is not kept. */
  readonly #version: string | null;
  readonly #leaves: readonly QueriedNode[];

  constructor({ query, bound, deps, times, options, asOf }: AdmittedQueryParts) {
    const { split, functions } = bound;
    this.#query = query;
    this.#split = split;
    this.#deps = deps;
    this.#times = times;
    this.#options = options;
    this.#used = usedFunctions(query, functions);
    this.#minutesOf = expectedMinutes(split.resolved, deps.expectedRows);
    this.#asOf = asOf ?? deps.wallMs();
    const isKept = options.cache !== undefined && !isMoving(query);
    this.#version = isKept ? versionOfRows(split, deps) : null;
    this.#leaves = deps.leaves();
  }

  get resolved(): ResolvedQuery {
    return this.#split.resolved;
  }

  get signal(): StopSignal {
    return this.#options.signal;
  }

  /** `first`: how leaves are asked the first time. Default: for this query alone. */
  async run(first?: AskFirst): Promise<Result> {
    const { path, place, hasWaited } = this.#times;
    const [deps, split] = [this.#deps, this.#split];
    // What user functions of rows collect is finished once, in the sandbox.
    const onPartial = usesFunctions(split) ? undefined : this.#options.onPartial;
    const pacer = this.#createPacer(onPartial);
    const ask: AskFirst = first ?? ((onAnswers) => this.askLeaves({ onAnswers }));
    try {
      const askedMs = deps.now();
      const answered = await path.leaves(() =>
        ask((answers) => {
          place.see(answers);
          if (onPartial !== undefined) pacer.offer(answers);
        }),
      );
      const gatherMs = deps.now() - askedMs;
      pacer.stop();
      const askAgain: AskAgain = (asked) => this.#askAgain(asked, answered.snapshot);
      const { signal } = this.#options;
      const completed = await completeGroups(answered, split, { askAgain, signal });
      const { cache } = this.#options;
      const parts = { answered, completed };
      if (cache !== undefined) await keepAnswer(parts, split, this.#version, deps, cache);
      const { result: shown, mergeMs } = await this.#finishShown(parts);
      deps.onPathMs?.(path.elapsedMs);
      deps.onTree?.(answered.asked, shown.stats.mergeMs);
      const isShared = first !== undefined;
      const run = { answered, gatherMs, mergeMs, hasWaited, isShared };
      return withPredictedMs(shown, split.resolved, run, deps);
    } catch (error) {
      throw placeInQuery(error, this.#query, split);
    } finally {
      pacer.stop();
      this.#times.place.stop();
    }
  }

  /** The result of an answer that is known: no leaf is asked. */
  async finishKnown(parts: AnsweredParts): Promise<Result> {
    try {
      const { result } = await this.#finishShown(parts);
      return result;
    } catch (error) {
      throw placeInQuery(error, this.#query, this.#split);
    } finally {
      this.#times.place.stop();
    }
  }

  /** The moment at which half of the time that is left will be over. */
  get halfTime(): number {
    const now = this.#deps.now();
    return now + (leafDeadline(this.#split, this.#times) - now) / 2;
  }

  /** Leaves have said so much: late ones do not keep the place of the query. */
  see(answers: TreeAnswers): void {
    this.#times.place.see(answers);
  }

  async #finishShown({ answered, completed }: AnsweredParts): Promise<FinishedResult> {
    const split = this.#split;
    const { result, mergeMs } = await this.#finishLast(answered, completed);
    const bounded = withUnseenMax(result, completed, answered.answers, split);
    return { result: shownColumns(bounded, split.finish), mergeMs };
  }

  #createPacer(onPartial: RunOptions["onPartial"]) {
    const deps = this.#deps;
    return createPartialPacer(
      deps,
      (answers: TreeAnswers) => {
        const partial = finishPartial(() => atOnce(this.#finish(answers, partsOf(answers))));
        if (partial !== null) onPartial?.(shownColumns(partial, this.#split.finish));
      },
      (answers, waitedMs) =>
        isSoonMerged(answers) &&
        isPartialWorth(answers, deps.now() - this.#times.startedAt, waitedMs),
    );
  }

  /** Asks leaves for this query, or for one that it is a part of. */
  askLeaves({
    resolved = this.#split.resolved,
    leaves = this.#leaves,
    signal = this.#options.signal,
    onAnswers = () => {},
    deadline = leafDeadline(this.#split, this.#times),
    snapshot,
  }: AskedLeaves): Promise<TreeAnswers> {
    const { expectedRows, logError: onError, now } = this.#deps;
    const exact = this.#query.exact ?? false;
    return askLeaves({
      ...{ resolved, leaves, expectedRows, deadline, exact, signal, onAnswers, onError, now },
      ...(snapshot && { snapshot }),
    });
  }

  async #askAgain(
    leaves: readonly QueriedNode[],
    snapshot: UnitSnapshot,
  ): Promise<readonly PartAnswer[]> {
    const again = await this.#times.path
      .leaves(() => this.askLeaves({ leaves, snapshot }))
      .catch((error) =>
        this.#query.exact !== true && isNoAnswer(error) ? null : Promise.reject(error),
      );
    return again?.answers ?? [];
  }

  async #finishLast(
    first: TreeAnswers,
    { parts, isDecided }: CompletedParts,
  ): Promise<FinishedResult> {
    const split = this.#split;
    const { sandbox, now } = this.#deps;
    const { startedAt, deadline } = this.#times;
    const { signal } = this.#options;
    const partials = parts.map(({ partial }) => partial);
    const mergeStart = now();
    const timing = { startedAt, deadline, nowMs: mergeStart, signal };
    const finished = (await finishInTime(partials, split, sandbox, timing)) ?? {
      merged: await inTurns(mergeSteps(partials, split.resolved), signal),
      ...{ series: null, split },
    };
    const mergeMs = now() - mergeStart;
    const stage = { final: true, isDecided, mergeMs, ...finished };
    return { result: await inTurns(this.#finish(first, parts, stage), signal), mergeMs };
  }

  #finish(
    answers: TreeAnswers,
    parts: readonly AnswerPart[],
    stage: FinishStage = { ...notYetFinal, split: this.#split },
  ): Steps<Result> {
    const { expectedRows, settingsOf, catalogue, now } = this.#deps;
    const { table } = this.#query;
    return finishAnswers(answers, parts, {
      ...stage,
      minutes: this.#minutesOf(answers.expectedOfSides),
      times: { firstMs: expectedRows.firstMs(table), settings: settingsOf(table) },
      neverNegative: (column) => catalogue.neverNegative(table, column),
      startedAt: this.#times.startedAt,
      asOf: this.#asOf,
      used: this.#used,
      now,
    });
  }
}

/** A partial answer is merged in one step, while everything else waits: this many groups take some 50 ms. */
const partialGroupsMax = 100_000;

/** Raw rows too: the page asks for some hundreds. */
const partialRowsMax = 5_000;

function isSoonMerged({ answers }: TreeAnswers): boolean {
  let [groups, rows] = [0, 0];
  for (const { partial } of answers) {
    for (const { groupCount } of partial.sides) groups += groupCount;
    rows += partial.sample?.rowCount ?? 0;
  }
  return groups <= partialGroupsMax && rows <= partialRowsMax;
}

/** A partial answer runs on a timer, where an error would end the process: it is left out. A problem that is more than a sum which overflows only so far ends the final answer. */
function finishPartial(finish: () => Result): Result | null {
  try {
    return finish();
  } catch {
    return null;
  }
}

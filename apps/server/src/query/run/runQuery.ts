import { type FunctionVersion, type Query, type Result, timeoutMsDefault } from "@hadal/sdk";
import type { LeafPart } from "../../aggregate/cut/askedGroups.js";
import { finalizeSteps } from "../../aggregate/finish/finalizeResult.js";
import { resolveQuery } from "../../aggregate/function/resolveQuery.js";
import { mergeSteps } from "../../aggregate/merge/mergePartials.js";
import type { PartialResult, PartialSide } from "../../aggregate/partial/partialResult.js";
import { atOnce, inTurns, type Steps } from "../../base/schedule/steps.js";
import type { SandboxHost } from "../../function/sandbox/sandboxHost.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import type { TableSchema } from "../../plan/schema/tableSchema.js";
import { type UserFunctions, usedFunctions } from "../../plan/schema/userFunctions.js";
import {
  askLeaves,
  isNoAnswer,
  type LeafAnswer,
  type QueriedLeaf,
  type TreeAnswers,
} from "../../tree/askLeaves.js";
import type { ExpectedRows } from "../../tree/expectedRows.js";
import type { Admission } from "../admit/admission.js";
import { createPartialPacer } from "../admit/partialPacer.js";
import { isPartialWorth } from "../admit/partialWorth.js";
import { PathClock } from "../admit/pathClock.js";
import { queryCost } from "../admit/queryCost.js";
import { withAtLeast } from "../answer/atLeast.js";
import { bucketCoverage, compareCoverage, type TableTimes } from "../answer/bucketCoverage.js";
import { completeGroups, partsOf } from "../answer/completeGroups.js";
import { evidenceOf } from "../answer/evidenceOf.js";
import { type ExpectedMinutes, expectedMinutes } from "../answer/expectedMinutes.js";
import {
  type FinishedFunctions,
  finishInTime,
  leafDeadline,
  usesFunctions,
} from "../answer/finishFunctions.js";
import { incompleteBuckets } from "../answer/incompleteBuckets.js";
import { lowerBounds } from "../answer/lowerBounds.js";
import { missingRows } from "../answer/missingRows.js";
import { statsOf, total } from "../answer/queryStats.js";
import { resultNotes } from "../answer/resultNotes.js";
import { sizesOfSides } from "../answer/sizesOfSides.js";
import { withUnseenMax } from "../answer/unseenMax.js";
import type { AskOptions } from "../bind/askOptions.js";
import { type BindingCatalogue, bindTo } from "../bind/bindTo.js";
import { LatePlace } from "../bind/latePlace.js";
import { placeInQuery } from "../bind/placeInQuery.js";
import { rebound } from "../bind/rebind.js";
import { shownColumns } from "../bind/shownColumns.js";
import type { TableCatalogue } from "../bind/tableCatalogue.js";

export interface QueryDeps {
  /** Who may run now. */
  readonly admission: Admission;
  readonly catalogue: BindingCatalogue & Pick<TableCatalogue, "neverNegative">;
  readonly leaves: () => readonly QueriedLeaf[];
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
  /** Hears what each query took without the way of its frames. */
  readonly onPathMs?: (ms: number) => void;
}

export interface RunOptions extends AskOptions<Result> {
  /** Called before the moment that the answer is of is taken, and once more where it is taken anew. */
  readonly onBegin?: () => void;
  /** Called when the query has to wait until others are answered: its moment will be taken anew. */
  readonly onWait?: () => void;
}

/** Runs a checked query to its final result. Rejects with a HadalError; what is missing is told in the result, unless `exact`. */
export async function runQuery(
  query: Query,
  deps: QueryDeps,
  options: RunOptions,
): Promise<Result> {
  const startedAt = deps.now();
  const fromHere = neverLess(options);
  return rebound(deps.catalogue, () => runBound(query, deps, startedAt, fromHere));
}

/** A query that is bound, or asked, anew starts over: what was shown of it stays until it is surpassed. */
export function neverLess(options: RunOptions): RunOptions {
  const { onPartial } = options;
  if (onPartial === undefined) return options;
  let shown = 0;
  return {
    ...options,
    onPartial(partial) {
      if (partial.completeness.fraction < shown) return;
      shown = partial.completeness.fraction;
      onPartial(partial);
    },
  };
}

/** The query bound to the columns as they are known, and the functions that it was bound to. */
interface BoundQuery {
  readonly split: SplitQuery;
  readonly functions: UserFunctions;
}

async function bindQuery(query: Query, deps: QueryDeps): Promise<BoundQuery> {
  const functions = deps.functions();
  const nowMs = deps.wallMs();
  const bind = (schema: TableSchema): SplitQuery => resolveQuery(query, schema, nowMs, functions);
  const rowsOf = ({ resolved }: SplitQuery) => resolved;
  const asked = { table: query.table, asked: query };
  return { split: await bindTo({ ...asked, bind, rowsOf }, deps.catalogue), functions };
}

/** Binds the query, waits for its turn, and runs it. */
async function runBound(
  query: Query,
  deps: QueryDeps,
  startedAt: number,
  options: RunOptions,
): Promise<Result> {
  const path = new PathClock(deps.now);
  const deadline = startedAt + (query.timeoutMs ?? timeoutMsDefault);
  options.onBegin?.();
  const first = await bindQuery(query, deps);
  const { resolved } = first.split;
  let hasWaited = false;
  const demand = {
    ...{ client: options.client ?? "", deadline, signal: options.signal },
    cost: queryCost(resolved, resolved.states.length, deps.expectedRows),
    onWait: () => {
      hasWaited = true;
      options.onWait?.();
    },
  };
  return deps.admission.run(demand, async (giveBack) => {
    if (hasWaited) options.onBegin?.();
    const bound = hasWaited ? await bindQuery(query, deps) : first;
    const place = new LatePlace(giveBack, deps.now(), deps.now);
    return runAdmitted(query, bound, deps, { startedAt, deadline, path, place }, options).finally(
      () => place.stop(),
    );
  });
}

interface QueryTimes {
  readonly startedAt: number;
  readonly deadline: number;
  readonly path: PathClock;
  readonly place: LatePlace;
}

async function runAdmitted(
  query: Query,
  { split, functions }: BoundQuery,
  deps: QueryDeps,
  { startedAt, deadline, path, place }: QueryTimes,
  options: RunOptions,
): Promise<Result> {
  const used = usedFunctions(query, functions);
  const minutesOf = expectedMinutes(split.resolved, deps.expectedRows);
  // Whatever was acknowledged before this instant is in the leaves' snapshots.
  const asOf = deps.wallMs();
  const finish = (
    gathered: TreeAnswers,
    parts: readonly LeafPart[],
    final: boolean,
    isDecided = false,
    finished: FinishedFunctions | null = null,
  ): Steps<Result> =>
    finishAnswers(gathered, parts, finished?.split ?? split, final, {
      isDecided,
      minutes: minutesOf(gathered.expectedOfSides),
      times: {
        firstMs: deps.expectedRows.firstMs(query.table),
        settings: deps.settingsOf(query.table),
      },
      neverNegative: (column) => deps.catalogue.neverNegative(query.table, column),
      startedAt,
      asOf,
      used,
      now: deps.now,
      merged: finished?.merged ?? null,
      series: finished?.series ?? null,
    });

  // What functions of rows gathered is finished once, in the sandbox.
  const onPartial = usesFunctions(split) ? undefined : options.onPartial;
  const pacer = createPartialPacer(
    deps,
    (gathered: TreeAnswers) => {
      const partial = finishPartial(() => atOnce(finish(gathered, partsOf(gathered), false)));
      if (partial !== null) onPartial?.(shownColumns(partial, split.finish));
    },
    (gathered, waitedMs) =>
      isSoonMerged(gathered) && isPartialWorth(gathered, deps.now() - startedAt, waitedMs),
  );
  try {
    const ask = (
      leaves: readonly QueriedLeaf[],
      onAnswers: (answers: TreeAnswers) => void,
    ): Promise<TreeAnswers> =>
      path.leaves(() =>
        askLeaves({
          resolved: split.resolved,
          leaves,
          expectedRows: deps.expectedRows,
          deadline: leafDeadline(split, { startedAt, deadline }),
          exact: query.exact ?? false,
          signal: options.signal,
          onAnswers,
          onError: deps.logError,
          now: deps.now,
        }),
      );
    const leaves = deps.leaves();
    const gathered = await ask(leaves, (answers) => {
      place.see(answers);
      if (onPartial !== undefined) pacer.offer(answers);
    });
    pacer.stop();
    const askAgain = async (asked: readonly QueriedLeaf[]): Promise<readonly LeafAnswer[]> => {
      const again = await ask(asked, () => {}).catch((error) =>
        query.exact !== true && isNoAnswer(error) ? null : Promise.reject(error),
      );
      return again?.answers ?? [];
    };
    const { signal } = options;
    const completed = await completeGroups(gathered, split, leaves, askAgain, signal);
    const partials = completed.parts.map(({ partial }) => partial);
    const finished = (await finishInTime(partials, split, deps.sandbox, {
      ...{ startedAt, deadline, nowMs: deps.now(), signal },
    })) ?? {
      merged: await inTurns(mergeSteps(partials, split.resolved), signal),
      ...{ series: null, split },
    };
    const steps = finish(gathered, completed.parts, true, completed.isDecided, finished);
    const result = await inTurns(steps, signal);
    const bounded = withUnseenMax(result, completed, gathered.answers, split);
    const shown = shownColumns(bounded, split.finish);
    deps.onPathMs?.(path.elapsedMs);
    return shown;
  } catch (error) {
    throw placeInQuery(error, query, split);
  } finally {
    pacer.stop();
  }
}

/** A partial answer is merged at once, while everything else waits: of so many groups in some 50 ms. */
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

/** A partial answer runs on a timer, where an error would end the process: it is left out. What is wrong beyond a sum that overflows only so far, the final answer tells. */
function finishPartial(finish: () => Result): Result | null {
  try {
    return finish();
  } catch {
    return null;
  }
}

interface FinishContext {
  readonly startedAt: number;
  readonly asOf: number;
  readonly used: readonly FunctionVersion[];
  /** The parts, merged already; null: they are not. */
  readonly merged: PartialResult | null;
  readonly series: readonly PartialSide[] | null;
  /** No group that is not among the parts could be among those to be shown. */
  readonly isDecided: boolean;
  /** What each leaf should hold, minute by minute. */
  readonly minutes: ExpectedMinutes;
  readonly times: TableTimes;
  readonly neverNegative: (column: string) => boolean;
  readonly now: () => number;
}

function* finishAnswers(
  gathered: TreeAnswers,
  parts: readonly LeafPart[],
  split: SplitQuery,
  final: boolean,
  {
    startedAt,
    asOf,
    used,
    merged: known,
    series,
    isDecided,
    minutes,
    times,
    neverNegative,
    now,
  }: FinishContext,
): Steps<Result> {
  const { answers, completeness } = gathered;
  const mergeStart = now();
  const merged =
    known ??
    (yield* mergeSteps(
      parts.map(({ partial }) => partial),
      split.resolved,
    ));
  const rowsMatched = total(answers, ({ stats }) => stats.rowsMatched);
  const sizes = sizesOfSides(gathered, split.resolved, minutes);
  const evidence = evidenceOf(gathered, parts, final, sizes);
  const finalized = yield* finalizeSteps(merged, split, rowsMatched, evidence, series);
  const endedAt = now();
  const incomplete = incompleteBuckets(split.resolved, finalized, asOf);
  const missing = missingRows(gathered, evidence, sizes);
  const coverage = bucketCoverage(split.resolved, { asOf, times, merged, missing });
  const baseCoverage = compareCoverage(split.resolved, { asOf, times, merged });
  const bounds = missing === null ? [] : lowerBounds(split, missing.isPart, neverNegative);
  const notes = resultNotes(split, gathered, finalized, merged, evidence, isDecided);
  const { columns, rows, intervals } = finalized;
  const truncated = withAtLeast(finalized.truncated, answers, split);
  const stats = statsOf(answers, endedAt - startedAt, endedAt - mergeStart);
  const result: Result = { columns, rows, completeness, intervals, truncated, asOf, final, stats };
  // Most answers have none of these: an object that is put together of parts takes longer than a short answer.
  const lists = [incomplete, coverage, baseCoverage, bounds, notes, used];
  if (lists.every(({ length }) => length === 0)) return result;
  return {
    ...result,
    ...(coverage.length > 0 ? { coverage } : {}),
    ...(baseCoverage.length > 0 ? { compareCoverage: baseCoverage } : {}),
    ...(bounds.length > 0 ? { lowerBounds: bounds } : {}),
    ...(incomplete.length > 0 ? { incomplete } : {}),
    ...(notes.length > 0 ? { notes } : {}),
    ...(used.length > 0 ? { functions: used } : {}),
  };
}

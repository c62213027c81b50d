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
import {
  type AskAgain,
  type CompletedParts,
  completeGroups,
  partsOf,
} from "../answer/completeGroups.js";
import { evidenceOf } from "../answer/evidenceOf.js";
import { type ExpectedMinutes, expectedMinutes } from "../answer/expectedMinutes.js";
import { finishInTime, leafDeadline, usesFunctions } from "../answer/finishFunctions.js";
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
  /** Called before the moment of the answer (`asOf`) is taken, and again where it is taken again. */
  readonly onBegin?: () => void;
  /** Called when the query has to wait until others are answered: its moment will be taken again. */
  readonly onWait?: () => void;
}

/** Runs a checked query to its final result. Rejects with a HadalError; what is missing stands in the result, unless `exact`. */
export async function runQuery(
  query: Query,
  deps: QueryDeps,
  options: RunOptions,
): Promise<Result> {
  const startedAt = deps.now();
  const fromHere = neverLess(options);
  return rebound(deps.catalogue, () => runBound(query, deps, startedAt, fromHere));
}

/** A query that is bound or asked again starts over: what was shown of it stays until it is surpassed. */
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
    const times = { startedAt, deadline, path, place };
    return new AdmittedQuery({ query, bound, deps, times, options })
      .run()
      .finally(() => place.stop());
  });
}

interface QueryTimes {
  readonly startedAt: number;
  readonly deadline: number;
  readonly path: PathClock;
  readonly place: LatePlace;
}

interface AdmittedQueryParts {
  readonly query: Query;
  readonly bound: BoundQuery;
  readonly deps: QueryDeps;
  readonly times: QueryTimes;
  readonly options: RunOptions;
}

/** A query that may run now: asks leaves, shows parts of the answer meanwhile, asks again for cut groups, finishes. */
class AdmittedQuery {
  readonly #query: Query;
  readonly #split: SplitQuery;
  readonly #deps: QueryDeps;
  readonly #times: QueryTimes;
  readonly #options: RunOptions;
  readonly #used: readonly FunctionVersion[];
  readonly #minutesOf: ReturnType<typeof expectedMinutes>;
  /** Whatever was acknowledged before this instant is in the leaves' snapshots. */
  readonly #asOf: number;

  constructor({ query, bound: { split, functions }, deps, times, options }: AdmittedQueryParts) {
    this.#query = query;
    this.#split = split;
    this.#deps = deps;
    this.#times = times;
    this.#options = options;
    this.#used = usedFunctions(query, functions);
    this.#minutesOf = expectedMinutes(split.resolved, deps.expectedRows);
    this.#asOf = deps.wallMs();
  }

  async run(): Promise<Result> {
    const { path, place } = this.#times;
    const [deps, split] = [this.#deps, this.#split];
    // What user functions of rows collect is finished once, in the sandbox.
    const onPartial = usesFunctions(split) ? undefined : this.#options.onPartial;
    const pacer = this.#createPacer(onPartial);
    try {
      const leaves = deps.leaves();
      const first = await this.#ask(leaves, (answers) => {
        place.see(answers);
        if (onPartial !== undefined) pacer.offer(answers);
      });
      pacer.stop();
      const askAgain: AskAgain = (asked) => this.#askAgain(asked);
      const { signal } = this.#options;
      const completed = await completeGroups(first, split, leaves, askAgain, signal);
      const result = await this.#finishLast(first, completed);
      const bounded = withUnseenMax(result, completed, first.answers, split);
      const shown = shownColumns(bounded, split.finish);
      deps.onPathMs?.(path.elapsedMs);
      return shown;
    } catch (error) {
      throw placeInQuery(error, this.#query, split);
    } finally {
      pacer.stop();
    }
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

  #ask(
    leaves: readonly QueriedLeaf[],
    onAnswers: (answers: TreeAnswers) => void,
  ): Promise<TreeAnswers> {
    const { expectedRows, logError, now } = this.#deps;
    return this.#times.path.leaves(() =>
      askLeaves({
        resolved: this.#split.resolved,
        leaves,
        expectedRows,
        deadline: leafDeadline(this.#split, this.#times),
        exact: this.#query.exact ?? false,
        signal: this.#options.signal,
        onAnswers,
        onError: logError,
        now,
      }),
    );
  }

  async #askAgain(asked: readonly QueriedLeaf[]): Promise<readonly LeafAnswer[]> {
    const again = await this.#ask(asked, () => {}).catch((error) =>
      this.#query.exact !== true && isNoAnswer(error) ? null : Promise.reject(error),
    );
    return again?.answers ?? [];
  }

  async #finishLast(first: TreeAnswers, { parts, isDecided }: CompletedParts): Promise<Result> {
    const split = this.#split;
    const { sandbox, now } = this.#deps;
    const { startedAt, deadline } = this.#times;
    const { signal } = this.#options;
    const partials = parts.map(({ partial }) => partial);
    const timing = { startedAt, deadline, nowMs: now(), signal };
    const finished = (await finishInTime(partials, split, sandbox, timing)) ?? {
      merged: await inTurns(mergeSteps(partials, split.resolved), signal),
      ...{ series: null, split },
    };
    return inTurns(this.#finish(first, parts, { final: true, isDecided, ...finished }), signal);
  }

  #finish(
    answers: TreeAnswers,
    parts: readonly LeafPart[],
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

/** A partial answer runs on a timer, where an error would end the process: it is left out. A problem that is more than a sum which overflows only so far ends the final answer. */
function finishPartial(finish: () => Result): Result | null {
  try {
    return finish();
  } catch {
    return null;
  }
}

/** How far the answer is. */
interface FinishStage {
  readonly split: SplitQuery;
  readonly final: boolean;
  /** No group that is not among the parts could be among those to be shown. */
  readonly isDecided: boolean;
  /** The parts, merged already; null: they are not. */
  readonly merged: PartialResult | null;
  readonly series: readonly PartialSide[] | null;
}

const notYetFinal = { final: false, isDecided: false, merged: null, series: null } as const;

interface FinishContext extends FinishStage {
  readonly startedAt: number;
  readonly asOf: number;
  readonly used: readonly FunctionVersion[];
  /** What each leaf should hold, minute by minute. */
  readonly minutes: ExpectedMinutes;
  readonly times: TableTimes;
  readonly neverNegative: (column: string) => boolean;
  readonly now: () => number;
}

function* finishAnswers(
  gathered: TreeAnswers,
  parts: readonly LeafPart[],
  context: FinishContext,
): Steps<Result> {
  const { split, final, series, startedAt, asOf, used, minutes, times, now } = context;
  const { answers, completeness } = gathered;
  const mergeStart = now();
  const merged =
    context.merged ??
    (yield* mergeSteps(
      parts.map(({ partial }) => partial),
      split.resolved,
    ));
  const rowsMatched = total(answers, ({ stats }) => stats.rowsMatched);
  const sizes = sizesOfSides(gathered, split.resolved, minutes);
  const evidence = evidenceOf(gathered, parts, { final, sizesOf: sizes });
  const finalized = yield* finalizeSteps(merged, split, rowsMatched, evidence, series);
  const endedAt = now();
  const incomplete = incompleteBuckets(split.resolved, finalized, asOf);
  const missing = missingRows(gathered, evidence, sizes);
  const coverage = bucketCoverage(split.resolved, { asOf, times, merged, missing });
  const baseCoverage = compareCoverage(split.resolved, { asOf, times, merged });
  const bounds = missing === null ? [] : lowerBounds(split, missing.isPart, context.neverNegative);
  const { isDecided } = context;
  const notes = resultNotes(split, gathered, finalized, { merged, evidence, isDecided });
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

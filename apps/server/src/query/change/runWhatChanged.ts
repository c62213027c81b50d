import {
  type ChangeSet,
  type PairChange,
  sampledByColumn,
  sampleRateColumn,
  timeColumn,
  timeoutMsDefault,
  type WhatChanged,
  type WhatChangedRequest,
} from "@hadal/sdk";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import type { ResolvedSide } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { findColumn, type SchemaColumn, type TableSchema } from "../../plan/schema/tableSchema.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { createPartialPacer } from "../admit/partialPacer.js";
import { refuseSandbox } from "../admit/withoutSandbox.js";
import { keyThinnedTimes } from "../answer/keyThinnedTimes.js";
import { statsOf } from "../answer/queryStats.js";
import { failureNotes } from "../answer/resultNotes.js";
import type { AskOptions } from "../bind/askOptions.js";
import { bindTo } from "../bind/bindTo.js";
import type { LatePlace } from "../bind/latePlace.js";
import { rebound } from "../bind/rebind.js";
import type { QueryDeps } from "../run/queryDeps.js";
import { findSpans } from "../study/columnSpans.js";
import {
  askedColumns,
  type ColumnQuestions,
  columnQuestions,
  placesOf,
  splitsOf,
} from "../study/columnStudy.js";
import { countDistinct } from "../study/countDistinct.js";
import { type CutColumns, columnsCut, hideCut, judgeCut } from "../study/cutColumns.js";
import { runInTurn } from "../study/inTurn.js";
import {
  askFurther,
  askStudy,
  completeStudy,
  currentLeaves,
  joinStudy,
  type LeavesToAsk,
  mergeStudy,
  type Study,
  type StudyOptions,
} from "../study/study.js";
import { pairQuestions, rankPairs } from "./changePairs.js";
import { definingColumns, resolveSets } from "./changeSides.js";
import { sampleOf } from "./columnCandidates.js";
import { effectiveRows, type Sample } from "./compareShares.js";
import { chanceOfFinds, type RankedChanges, rankChanges, type Sets } from "./rankChanges.js";
import { readSets } from "./setSamples.js";
import { withoutCertainty } from "./withoutCertainty.js";

/** Values of a column to ask for; leaves send up to five times as many, of either set. */
const valuesAsked = 1_000;

/** The time, and what is weighed with. */
const ofSampling = new Set([timeColumn, sampleRateColumn, sampledByColumn]);

/** Finds the columns in which two sets of rows differ: one scan counts the values of all columns in both. */
export async function runWhatChanged(
  request: WhatChangedRequest,
  deps: QueryDeps,
  options: AskOptions<WhatChanged>,
): Promise<WhatChanged> {
  const startedAt = deps.now();
  return rebound(deps.catalogue, () => runBound(request, deps, startedAt, options));
}

/** The request, bound to the columns of its table. */
interface BoundRequest {
  readonly rows: SplitQuery;
  readonly schema: TableSchema;
  readonly columns: readonly SchemaColumn[];
  /** Columns that are left out because the sets are defined by them. */
  readonly defining: readonly SchemaColumn[];
  readonly nowMs: number;
}

interface Pairs {
  readonly pairs: readonly PairChange[];
  readonly tests: number;
}

async function runBound(
  request: WhatChangedRequest,
  deps: QueryDeps,
  startedAt: number,
  { client = "", signal, onPartial }: AskOptions<WhatChanged>,
): Promise<WhatChanged> {
  const timing = { deadline: startedAt + (request.timeoutMs ?? timeoutMsDefault), signal };
  const bound = await bindRequest(request, deps);
  const study = { rows: bound.rows.resolved, columnCount: bound.columns.length, client, timing };
  return runInTurn(study, deps, (place) =>
    runAdmitted(request, bound, deps, { startedAt, timing, place, onPartial }),
  );
}

interface StudyRun {
  readonly startedAt: number;
  readonly timing: StudyOptions;
  readonly place: LatePlace;
  readonly onPartial: AskOptions<WhatChanged>["onPartial"];
}

async function runAdmitted(
  request: WhatChangedRequest,
  bound: BoundRequest,
  deps: QueryDeps,
  { startedAt, timing, place, onPartial }: StudyRun,
): Promise<WhatChanged> {
  const asOf = deps.wallMs();
  const { questions, study } = await planStudy(request, bound, deps, timing);
  const rank = (merged: PartialResult, cut: CutColumns): RankedChanges => {
    const sets = readSets(merged, bound.rows, questions);
    return rankChanges(request, { questions, merged, sets, cut });
  };
  const finish = (
    answered: TreeAnswers,
    merged: PartialResult,
    ranked: RankedChanges,
    found: Pairs | null,
  ): WhatChanged => {
    const whatChanged: WhatChanged = {
      ...describeSets(readSets(merged, bound.rows, questions), bound.rows),
      ...answerOf(ranked, bound, found),
      ...notesOf(answered),
      completeness: answered.completeness,
      asOf,
      final: found !== null,
      stats: statsOf(answered, deps.now() - startedAt, 0),
    };
    const byKey = keyThinnedTimes(answered.answers);
    return byKey === null ? whatChanged : withoutCertainty(whatChanged, byKey);
  };
  const pacer = createPartialPacer(deps, (answered: TreeAnswers) => {
    const merged = mergeStudy(answered, study);
    const cut = hideCut(columnsCut(questions, answered));
    onPartial?.(finish(answered, merged, rank(merged, cut), null));
  });
  try {
    const asked = currentLeaves(deps, timing);
    const offer = (answers: TreeAnswers): void => {
      place.see(answers);
      if (onPartial !== undefined) pacer.offer(answers);
    };
    const answered = await askStudy(study.resolved, asked, offer);
    pacer.stop();
    const cut = await countCut(questions, answered, bound, currentLeaves(deps, timing));
    const isOfUse = valuesOfUse(questions, cut);
    const merged = await completeStudy(answered, study, asked, isOfUse);
    const ranked = rank(merged, cut);
    const found =
      request.pairs === false
        ? { pairs: [], tests: ranked.tests }
        : await findPairs(
            answered,
            { ranked, sets: readSets(merged, bound.rows, questions) },
            bound,
            asked,
          );
    return finish(answered, merged, ranked, found);
  } finally {
    pacer.stop();
  }
}

async function bindRequest(request: WhatChangedRequest, deps: QueryDeps): Promise<BoundRequest> {
  const nowMs = deps.wallMs();
  const bind = (schema: TableSchema): BoundRequest => {
    const rows = resolveSets(request, schema, nowMs, deps.functions());
    const defining = definingColumns(request, rows.resolved);
    const without = new Set(
      (request.without ?? []).map((name, i) => findColumn(schema, name, `without[${i}]`).name),
    );
    const asked = askedColumns(request.columns, schema).filter(({ name }) => !without.has(name));
    // Sample rates are weights, so that they are left out unless the request names them.
    const isSkipped = ({ name }: SchemaColumn): boolean =>
      request.columns === undefined && ofSampling.has(name);
    const defines = ({ name }: SchemaColumn): boolean =>
      request.columns === undefined && defining.has(name);
    const columns = asked.filter((column) => !defines(column) && !isSkipped(column));
    // Only columns that the filters read are derived.
    refuseSandbox(rows.resolved);
    return { rows, schema, nowMs, columns, defining: asked.filter(defines) };
  };
  const rowsOf = ({ rows }: BoundRequest) => ({ sides: rows.resolved.sides });
  return bindTo({ table: request.table, asked: request, bind, rowsOf }, deps.catalogue);
}

async function planStudy(
  request: WhatChangedRequest,
  { rows, schema, columns, nowMs }: BoundRequest,
  deps: QueryDeps,
  timing: StudyOptions,
): Promise<{ readonly questions: readonly ColumnQuestions[]; readonly study: Study }> {
  const spans = await findSpans(
    { rows: rows.resolved, schema, columns },
    currentLeaves(deps, timing),
  );
  const asked = { request, limit: valuesAsked, schema, nowMs };
  const questions = columns.map((column) => columnQuestions(column, spans.get(column.name), asked));
  return { questions, study: joinStudy(rows.resolved, splitsOf(questions), schema) };
}

/** One more scan of string columns with too many values, to find out whether they are ids. */
async function countCut(
  questions: readonly ColumnQuestions[],
  answered: TreeAnswers,
  { rows, schema }: BoundRequest,
  asked: LeavesToAsk,
): Promise<CutColumns> {
  const columns = columnsCut(questions, answered);
  const strings = columns.filter(({ type }) => type === "string");
  const target = { rows: rows.resolved, schema, columns: strings };
  const counted = await countDistinct(answered, target, asked);
  return judgeCut(columns, counted, rowsOf(answered));
}

/** Rows of both sets, of the leaves that answered. */
function rowsOf({ answers }: TreeAnswers): number {
  const sides = answers.flatMap(({ partial }) => partial.sides);
  return sides.reduce((sum, side) => sum + sampleOf(side, 0, null).rows, 0);
}

/** Whether a branch's numbers are used: of integers with many values only the ranges are. */
function valuesOfUse(
  questions: readonly ColumnQuestions[],
  cut: CutColumns,
): (branch: number) => boolean {
  const unused = placesOf(questions).flatMap(({ values }, i) => {
    const { name, type } = questions[i]!.column;
    return type === "int" || (cut.get(name) ?? null) !== null ? [values] : [];
  });
  return (branch) => !unused.includes(branch);
}

/** One more scan, for pairs of the best columns. None where not all leaves that answered `first` do so in time. */
async function findPairs(
  first: TreeAnswers,
  { ranked, sets }: { readonly ranked: RankedChanges; readonly sets: Sets },
  { rows, schema }: BoundRequest,
  asked: LeavesToAsk,
): Promise<Pairs> {
  const none = { pairs: [], tests: ranked.tests };
  const questions = pairQuestions(ranked.columns);
  if (questions.length === 0) return none;
  const splits = questions.map(({ split }) => split);
  const study = joinStudy(rows.resolved, splits, schema);
  const found = await askFurther(first, study.resolved, asked);
  return found === null ? none : rankPairs(questions, mergeStudy(found, study), sets, ranked.tests);
}

function describeSets({ a, b }: Sets, rows: SplitQuery): Pick<WhatChanged, "a" | "b"> {
  const [inA, inB] = rows.resolved.sides;
  if (inA === undefined || inB === undefined) throw new Error("two sets are compared");
  return { a: describeSet(a, inA), b: describeSet(b, inB) };
}

function describeSet(sample: Sample, { fromMs, toMs }: ResolvedSide): ChangeSet {
  const { rows, weight } = sample;
  return { rows, count: weight, effectiveRows: effectiveRows(sample), fromMs, toMs };
}

function answerOf(
  { columns, columnsFound, unchanged, hidden, tests }: RankedChanges,
  { defining }: BoundRequest,
  found: Pairs | null,
) {
  const identifying = defining.map(({ name, type }) => ({
    ...{ name, type },
    reason: "tells-the-sets-apart" as const,
  }));
  return {
    columns: columns.map(({ change }) => change),
    ...{ columnsFound, unchanged },
    hidden: [...hidden, ...identifying],
    pairs: found?.pairs ?? [],
    tests: found?.tests ?? tests,
    chance: chanceOfFinds,
  };
}

function notesOf(answered: TreeAnswers): Pick<WhatChanged, "notes"> {
  const notes = failureNotes(answered);
  return notes.length === 0 ? {} : { notes };
}

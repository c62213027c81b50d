import {
  type ChangeSet,
  type PairChange,
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
import type { QueriedLeaf, TreeAnswers } from "../../tree/askLeaves.js";
import { createPartialPacer } from "../admit/partialPacer.js";
import { queryCost } from "../admit/queryCost.js";
import { refuseSandbox } from "../admit/withoutSandbox.js";
import { statsOf } from "../answer/queryStats.js";
import { failureNotes } from "../answer/resultNotes.js";
import type { AskOptions } from "../bind/askOptions.js";
import { bindTo } from "../bind/bindTo.js";
import { backgroundPlaceMs, LatePlace } from "../bind/latePlace.js";
import { rebound } from "../bind/rebind.js";
import type { QueryDeps } from "../run/runQuery.js";
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
import {
  askFurther,
  askStudy,
  completeStudy,
  joinStudy,
  mergeStudy,
  type Study,
  type StudyOptions,
} from "../study/study.js";
import { pairQuestions, rankPairs } from "./changePairs.js";
import { resolveSets, tellingColumns } from "./changeSides.js";
import { sampleOf } from "./columnCandidates.js";
import { effectiveRows, type Sample } from "./compareShares.js";
import { chanceOfFinds, type RankedChanges, rankChanges, type Sets } from "./rankChanges.js";
import { readSets } from "./setSamples.js";

/** Values of a column that leaves send unasked: five times as many, of either set. */
const valuesAsked = 1_000;

/** Tells in which columns two sets of rows differ: one scan counts the values of all columns in both. */
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
  /** Columns that are left out since the sets are made by them. */
  readonly telling: readonly SchemaColumn[];
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
  const cost = queryCost(bound.rows.resolved, bound.columns.length, deps.expectedRows);
  return deps.admission.run({ ...timing, client, cost }, (giveBack) => {
    const place = new LatePlace(giveBack, deps.now(), deps.now);
    place.keepFor(backgroundPlaceMs);
    const times = { startedAt, timing, place };
    return runAdmitted(request, bound, deps, times, onPartial).finally(() => place.stop());
  });
}

interface StudyTimes {
  readonly startedAt: number;
  readonly timing: StudyOptions;
  readonly place: LatePlace;
}

async function runAdmitted(
  request: WhatChangedRequest,
  bound: BoundRequest,
  deps: QueryDeps,
  { startedAt, timing, place }: StudyTimes,
  onPartial: AskOptions<WhatChanged>["onPartial"],
): Promise<WhatChanged> {
  const asOf = deps.wallMs();
  const { questions, study } = await planStudy(request, bound, deps, timing);
  const rank = (merged: PartialResult, cut: CutColumns): RankedChanges =>
    rankChanges(request, questions, merged, readSets(merged, bound.rows, questions), cut);
  const finish = (
    gathered: TreeAnswers,
    merged: PartialResult,
    ranked: RankedChanges,
    found: Pairs | null,
  ): WhatChanged => ({
    ...describeSets(readSets(merged, bound.rows, questions), bound.rows),
    ...answerOf(ranked, bound, found),
    ...notesOf(gathered),
    completeness: gathered.completeness,
    asOf,
    final: found !== null,
    stats: statsOf(gathered.answers, deps.now() - startedAt, 0),
  });
  const pacer = createPartialPacer(deps, (gathered: TreeAnswers) => {
    const merged = mergeStudy(gathered, study);
    const cut = hideCut(columnsCut(questions, gathered));
    onPartial?.(finish(gathered, merged, rank(merged, cut), null));
  });
  try {
    const leaves = deps.leaves();
    const offer = (answers: TreeAnswers): void => {
      place.see(answers);
      if (onPartial !== undefined) pacer.offer(answers);
    };
    const gathered = await askStudy(study.resolved, leaves, deps, timing, offer);
    pacer.stop();
    const cut = await countCut(questions, gathered, bound, deps, timing);
    const isOfUse = valuesOfUse(questions, cut);
    const merged = await completeStudy(gathered, study, leaves, deps, timing, isOfUse);
    const ranked = rank(merged, cut);
    const found =
      request.pairs === false
        ? { pairs: [], tests: ranked.tests }
        : await findPairs(gathered, ranked, bound, readSets(merged, bound.rows, questions), {
            leaves,
            deps,
            timing,
          });
    return finish(gathered, merged, ranked, found);
  } finally {
    pacer.stop();
  }
}

async function bindRequest(request: WhatChangedRequest, deps: QueryDeps): Promise<BoundRequest> {
  const nowMs = deps.wallMs();
  const bind = (schema: TableSchema): BoundRequest => {
    const rows = resolveSets(request, schema, nowMs, deps.functions());
    const telling = tellingColumns(request, rows.resolved);
    const without = new Set(
      (request.without ?? []).map((name, i) => findColumn(schema, name, `without[${i}]`).name),
    );
    const asked = askedColumns(request.columns, schema).filter(({ name }) => !without.has(name));
    // Weights are what all else is measured by; who names a column wants to see it.
    const isSkipped = ({ name }: SchemaColumn): boolean =>
      request.columns === undefined && (name === sampleRateColumn || name === timeColumn);
    const isTelling = ({ name }: SchemaColumn): boolean =>
      request.columns === undefined && telling.has(name);
    const columns = asked.filter((column) => !isTelling(column) && !isSkipped(column));
    // Columns are the table's: it derives what its filters read, and no more.
    refuseSandbox(rows.resolved);
    return { rows, schema, nowMs, columns, telling: asked.filter(isTelling) };
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
  const spans = await findSpans(rows.resolved, schema, columns, deps, timing);
  const asked = { request, limit: valuesAsked, schema, nowMs };
  const questions = columns.map((column) => columnQuestions(column, spans.get(column.name), asked));
  return { questions, study: joinStudy(rows.resolved, splitsOf(questions), schema) };
}

/** One more scan for strings that leaves have too many of: whether they are ids. */
async function countCut(
  questions: readonly ColumnQuestions[],
  gathered: TreeAnswers,
  { rows, schema }: BoundRequest,
  deps: QueryDeps,
  timing: StudyOptions,
): Promise<CutColumns> {
  const columns = columnsCut(questions, gathered);
  const strings = columns.filter(({ type }) => type === "string");
  const counted = await countDistinct(gathered, rows.resolved, schema, strings, deps, timing);
  return judgeCut(columns, counted, rowsOf(gathered));
}

/** Rows of both sets, of the leaves that answered. */
function rowsOf({ answers }: TreeAnswers): number {
  const sides = answers.flatMap(({ partial }) => partial.sides);
  return sides.reduce((sum, side) => sum + sampleOf(side, 0, null).rows, 0);
}

/** Branches whose numbers will be looked at: of numbers with many values only the ranges are. */
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

interface Asking {
  readonly leaves: readonly QueriedLeaf[];
  readonly deps: QueryDeps;
  readonly timing: StudyOptions;
}

/** One more scan, for the few best columns two by two. Where not all that answered `first` do so in time there are none. */
async function findPairs(
  first: TreeAnswers,
  ranked: RankedChanges,
  { rows, schema }: BoundRequest,
  sets: Sets,
  { leaves, deps, timing }: Asking,
): Promise<Pairs> {
  const none = { pairs: [], tests: ranked.tests };
  const questions = pairQuestions(ranked.columns);
  if (questions.length === 0) return none;
  const splits = questions.map(({ split }) => split);
  const study = joinStudy(rows.resolved, splits, schema);
  const found = await askFurther(first, study.resolved, leaves, deps, timing);
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
  { telling }: BoundRequest,
  found: Pairs | null,
) {
  const identifying = telling.map(({ name, type }) => ({
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

function notesOf(gathered: TreeAnswers): Pick<WhatChanged, "notes"> {
  const notes = failureNotes(gathered);
  return notes.length === 0 ? {} : { notes };
}

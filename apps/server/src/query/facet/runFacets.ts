import {
  type Facets,
  type FacetsRequest,
  facetColumnsMax,
  facetLimitDefault,
  timeColumn,
  timeoutMsDefault,
} from "@hadal/sdk";
import { resolveRows } from "../../aggregate/function/resolveQuery.js";
import type { PartialResult, PartialSide } from "../../aggregate/partial/partialResult.js";
import { withDerived } from "../../plan/derive/resolveDerive.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import type { SchemaColumn, TableSchema } from "../../plan/schema/tableSchema.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { createPartialPacer } from "../admit/partialPacer.js";
import { withoutSandbox } from "../admit/withoutSandbox.js";
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
import { type ColumnTotals, countValues } from "../study/columnTotals.js";
import { runInTurn } from "../study/inTurn.js";
import {
  askStudy,
  completeStudy,
  currentLeaves,
  joinStudy,
  mergeStudy,
  type Study,
  type StudyOptions,
} from "../study/study.js";
import {
  missingGroup,
  nothingWeighed,
  type Weighed,
  weighAll,
  weighGroup,
} from "../study/weighedValues.js";
import { type ColumnAnswer, facetOfColumn } from "./facetOfColumn.js";

/** Counts the values of many columns over all selected rows, in one scan that runs after queries. */
export async function runFacets(
  request: FacetsRequest,
  deps: QueryDeps,
  options: AskOptions<Facets>,
): Promise<Facets> {
  const startedAt = deps.now();
  return rebound(deps.catalogue, () => runBound(request, deps, startedAt, options));
}

/** The request, bound to the columns of its table. */
interface BoundFacets {
  readonly rows: SplitQuery;
  readonly stored: TableSchema;
  /** Stored columns, and those that the request derives. */
  readonly schema: TableSchema;
  readonly columns: readonly SchemaColumn[];
  /** Requested columns that cannot be counted here. */
  readonly left: readonly string[];
  readonly nowMs: number;
}

async function runBound(
  request: FacetsRequest,
  deps: QueryDeps,
  startedAt: number,
  { client = "", signal, onPartial }: AskOptions<Facets>,
): Promise<Facets> {
  const timing = { deadline: startedAt + (request.timeoutMs ?? timeoutMsDefault), signal };
  const bound = await bindRequest(request, deps);
  const study = { rows: bound.rows.resolved, columnCount: bound.columns.length, client, timing };
  return runInTurn(study, deps, (place) =>
    runAdmitted(request, bound, deps, { startedAt, timing, place, onPartial }),
  );
}

interface FacetRun {
  readonly startedAt: number;
  readonly timing: StudyOptions;
  readonly place: LatePlace;
  readonly onPartial: AskOptions<Facets>["onPartial"];
}

async function runAdmitted(
  request: FacetsRequest,
  bound: BoundFacets,
  deps: QueryDeps,
  { startedAt, timing, place, onPartial }: FacetRun,
): Promise<Facets> {
  const asOf = deps.wallMs();
  const { questions, study } = await planStudy(request, bound, deps, timing);
  const finish = (
    answered: TreeAnswers,
    merged: PartialResult,
    totals: ReadonlyMap<string, ColumnTotals> | null,
    uncounted: readonly SchemaColumn[] | null,
  ): Facets => ({
    ...facetsOf(request, questions, { answered, merged, totals }),
    ...notesOf(request, bound, answered, uncounted ?? []),
    completeness: answered.completeness,
    asOf,
    final: uncounted !== null,
    stats: statsOf(answered, deps.now() - startedAt, 0),
  });
  const pacer = createPartialPacer(deps, (answered: TreeAnswers) =>
    onPartial?.(finish(answered, mergeStudy(answered, study), null, null)),
  );
  try {
    const asked = currentLeaves(deps, timing);
    const offer = (answers: TreeAnswers): void => {
      place.see(answers);
      if (onPartial !== undefined) pacer.offer(answers);
    };
    const answered = await askStudy(study.resolved, asked, offer);
    pacer.stop();
    const uncounted = uncountedColumns(questions, answered);
    const target = { rows: bound.rows.resolved, schema: bound.stored, columns: uncounted };
    const [merged, totals] = await Promise.all([
      completeStudy(answered, study, asked),
      countValues(answered, target, currentLeaves(deps, timing)),
    ]);
    return finish(answered, merged, totals, totals === null ? uncounted : []);
  } finally {
    pacer.stop();
  }
}

async function bindRequest(request: FacetsRequest, deps: QueryDeps): Promise<BoundFacets> {
  const { columns: names, limit: _limit, timeoutMs: _timeoutMs, ...asked } = request;
  const nowMs = deps.wallMs();
  const bind = (stored: TableSchema): BoundFacets => {
    const query = { ...asked, aggregates: [{ fn: "count" as const }] };
    const rows = resolveRows(query, stored, nowMs, deps.functions());
    const schema = withDerived(stored, rows.resolved.derived);
    const { derived } = rows.resolved;
    const columns = askedColumns(names, names === undefined ? stored : schema, derived);
    return { ...withoutSandbox(rows, columns), stored, schema, nowMs };
  };
  const rowsOf = ({ rows }: BoundFacets) => ({ sides: rows.resolved.sides });
  return bindTo({ table: request.table, asked: request, bind, rowsOf }, deps.catalogue);
}

async function planStudy(
  request: FacetsRequest,
  { rows, stored, schema, columns, nowMs }: BoundFacets,
  deps: QueryDeps,
  timing: StudyOptions,
): Promise<{ readonly questions: readonly ColumnQuestions[]; readonly study: Study }> {
  const spans = await findSpans(
    { rows: rows.resolved, schema: stored, columns },
    currentLeaves(deps, timing),
  );
  // One more: the group of missing values may be among the first, and is not listed.
  const limit = (request.limit ?? facetLimitDefault) + 1;
  const questions = columns.map((column) =>
    columnQuestions(column, spans.get(column.name), { request, limit, schema, nowMs }),
  );
  return {
    questions,
    study: joinStudy(rows.resolved, splitsOf(questions), stored, { background: true }),
  };
}

/** Columns whose groups do not show how many distinct values there are. */
function uncountedColumns(
  questions: readonly ColumnQuestions[],
  answered: TreeAnswers,
): readonly ColumnQuestions["column"][] {
  const places = placesOf(questions);
  return questions.flatMap(({ column }, i) =>
    distinctOfBranch(answered, places[i]!.values)?.isExact === true ? [] : [column],
  );
}

interface FacetAnswers {
  readonly answered: TreeAnswers;
  readonly merged: PartialResult;
  readonly totals: ReadonlyMap<string, ColumnTotals> | null;
}

function facetsOf(
  request: FacetsRequest,
  questions: readonly ColumnQuestions[],
  { answered, merged: { sides, branches = [] }, totals }: FacetAnswers,
): Pick<Facets, "columns" | "rows" | "count"> {
  const all = sides[0] === undefined ? nothingWeighed : weighAll(sides[0]);
  const places = placesOf(questions);
  const sideOf = (index: number): PartialSide | null => branches[index]?.sides[0] ?? null;
  const columns = questions.flatMap(({ column, values: split, ranges }, i) => {
    const place = places[i]!;
    const side = sideOf(place.values);
    const bucketed = sideOf(place.ranges);
    const counted = totals?.get(column.name);
    const present = counted?.present ?? presentOf(side ?? bucketed, all);
    // A column with too many values is known only at the end.
    if (present === null) return [];
    const exact = distinctOfBranch(answered, place.values);
    const estimate = counted?.distinct ?? null;
    const answer: ColumnAnswer = {
      ...{ column, all, present, presentOf: counted?.all ?? all },
      distinct:
        exact?.isExact !== true && estimate !== null ? { count: estimate, isExact: false } : exact,
      values: side === null ? null : { side, split },
      ranges: bucketed === null || ranges === null ? null : { side: bucketed, edges: ranges.edges },
    };
    return [facetOfColumn(answer, request.limit ?? facetLimitDefault)];
  });
  return { columns, rows: all.rows, count: all.weight };
}

function presentOf(side: PartialSide | null, all: Weighed): Weighed | null {
  if (side === null) return null;
  const missing = missingGroup(side);
  if (missing < 0) return all;
  const { rows, weight } = weighGroup(side, missing);
  return { rows: all.rows - rows, weight: all.weight - weight };
}

/** Exact where no leaf left a group out, else the most that one leaf has; null where one has too many. */
function distinctOfBranch(
  { answers }: TreeAnswers,
  index: number,
): { readonly count: number; readonly isExact: boolean } | null {
  const keys = new Set<unknown>();
  let least = 0;
  let isExact = true;
  for (const { partial } of answers) {
    const side = partial.branches?.[index]?.sides[0];
    if (side === undefined) return null;
    const own = distinctKeys(side);
    for (const key of own) keys.add(key);
    // One of the groups cut may be that of missing values.
    const cut = missingGroup(side) < 0 ? Math.max(0, side.groupsCut - 1) : side.groupsCut;
    least = Math.max(least, own.length + cut);
    isExact &&= side.groupsCut === 0;
  }
  return { count: isExact ? keys.size : least, isExact };
}

function distinctKeys({ keys, groupCount }: PartialSide): readonly unknown[] {
  const [key] = keys;
  if (key === undefined || key.kind === "bucket") return [];
  const found: unknown[] = [];
  for (let group = 0; group < groupCount; group++) {
    if (key.kind === "int" && key.present[group] === 1) found.push(key.values[group]);
    if (key.kind === "string" && key.codes[group]! >= 0)
      found.push(key.dictionary[key.codes[group]!]);
  }
  return found;
}

function notesOf(
  { columns }: FacetsRequest,
  { stored, left }: BoundFacets,
  answered: TreeAnswers,
  uncounted: readonly SchemaColumn[],
): Pick<Facets, "notes"> {
  const notes = [...failureNotes(answered)];
  for (const { name } of uncounted) {
    const text = `Values of ${name} were not counted in time: how many rows have one may not be known.`;
    notes.push({ text });
  }
  const columnCount = stored.columns.size - (stored.columns.has(timeColumn) ? 1 : 0);
  const isAll = columns === undefined && stored.grant?.bounds === undefined;
  if (isAll && columnCount > facetColumnsMax) {
    const text = `The first ${facetColumnsMax} of ${columnCount} columns (facetColumnsMax): name others in \`columns\`.`;
    notes.push({ text });
  }
  for (const name of left) {
    notes.push({ text: `${name} needs the sandbox: its values are not counted.` });
  }
  return notes.length === 0 ? {} : { notes };
}

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
import type { TreeAnswers } from "../../tree/askLeaves.js";
import { createPartialPacer } from "../admit/partialPacer.js";
import { queryCost } from "../admit/queryCost.js";
import { withoutSandbox } from "../admit/withoutSandbox.js";
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
import { type ColumnTotals, countValues } from "../study/columnTotals.js";
import {
  askStudy,
  completeStudy,
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

/** Counts the values of many columns over all rows that are asked for, in one scan that steps behind queries. */
export async function runFacets(
  request: FacetsRequest,
  deps: QueryDeps,
  options: AskOptions<Facets>,
): Promise<Facets> {
  const startedAt = deps.now();
  return rebound(deps.catalogue, () => runBound(request, deps, startedAt, options));
}

/** What the request asks, bound to the columns of its table. */
interface BoundFacets {
  readonly rows: SplitQuery;
  readonly stored: TableSchema;
  /** What is stored, and what the request derives. */
  readonly schema: TableSchema;
  readonly columns: readonly SchemaColumn[];
  /** Columns that were asked for and cannot be counted here. */
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
  const cost = queryCost(bound.rows.resolved, bound.columns.length, deps.expectedRows);
  return deps.admission.run({ ...timing, client, cost }, (giveBack) => {
    const place = new LatePlace(giveBack, deps.now(), deps.now);
    place.keepFor(backgroundPlaceMs);
    const times = { startedAt, timing, place };
    return runAdmitted(request, bound, deps, times, onPartial).finally(() => place.stop());
  });
}

interface FacetTimes {
  readonly startedAt: number;
  readonly timing: StudyOptions;
  readonly place: LatePlace;
}

async function runAdmitted(
  request: FacetsRequest,
  bound: BoundFacets,
  deps: QueryDeps,
  { startedAt, timing, place }: FacetTimes,
  onPartial: AskOptions<Facets>["onPartial"],
): Promise<Facets> {
  const asOf = deps.wallMs();
  const { questions, study } = await planStudy(request, bound, deps, timing);
  const finish = (
    gathered: TreeAnswers,
    merged: PartialResult,
    totals: ReadonlyMap<string, ColumnTotals> | null,
    uncounted: readonly SchemaColumn[] | null,
  ): Facets => ({
    ...facetsOf(request, questions, gathered, merged, totals),
    ...notesOf(request, bound, gathered, uncounted ?? []),
    completeness: gathered.completeness,
    asOf,
    final: uncounted !== null,
    stats: statsOf(gathered.answers, deps.now() - startedAt, 0),
  });
  const pacer = createPartialPacer(deps, (gathered: TreeAnswers) =>
    onPartial?.(finish(gathered, mergeStudy(gathered, study), null, null)),
  );
  try {
    const leaves = deps.leaves();
    const offer = (answers: TreeAnswers): void => {
      place.see(answers);
      if (onPartial !== undefined) pacer.offer(answers);
    };
    const gathered = await askStudy(study.resolved, leaves, deps, timing, offer);
    pacer.stop();
    const uncounted = uncountedColumns(questions, gathered);
    const [merged, totals] = await Promise.all([
      completeStudy(gathered, study, leaves, deps, timing),
      countValues(gathered, bound.rows.resolved, bound.stored, uncounted, deps, timing),
    ]);
    return finish(gathered, merged, totals, totals === null ? uncounted : []);
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
    const columns = askedColumns(names, names === undefined ? stored : schema);
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
  const spans = await findSpans(rows.resolved, stored, columns, deps, timing);
  // The missing may be among the first, and are not listed: they take no value's place.
  const limit = (request.limit ?? facetLimitDefault) + 1;
  const questions = columns.map((column) =>
    columnQuestions(column, spans.get(column.name), { request, limit, schema, nowMs }),
  );
  return {
    questions,
    study: joinStudy(rows.resolved, splitsOf(questions), stored, { background: true }),
  };
}

/** Columns of which the groups do not tell how many values there are. */
function uncountedColumns(
  questions: readonly ColumnQuestions[],
  gathered: TreeAnswers,
): readonly ColumnQuestions["column"][] {
  const places = placesOf(questions);
  return questions.flatMap(({ column }, i) =>
    distinctOfBranch(gathered, places[i]!.values)?.isExact === true ? [] : [column],
  );
}

function facetsOf(
  request: FacetsRequest,
  questions: readonly ColumnQuestions[],
  gathered: TreeAnswers,
  { sides, branches = [] }: PartialResult,
  totals: ReadonlyMap<string, ColumnTotals> | null,
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
    // Until the end nothing is known of a column with too many values.
    if (present === null) return [];
    const exact = distinctOfBranch(gathered, place.values);
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

/** Exact where no leaf has left a group out, else what one leaf alone has; null where one has too many. */
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
    // What was cut may hold the rows without a value.
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
  gathered: TreeAnswers,
  uncounted: readonly SchemaColumn[],
): Pick<Facets, "notes"> {
  const notes = [...failureNotes(gathered)];
  for (const { name } of uncounted) {
    const text = `Values of ${name} were not counted in time: how many rows have one may not be known.`;
    notes.push({ text });
  }
  const columnCount = stored.columns.size - (stored.columns.has(timeColumn) ? 1 : 0);
  if (columns === undefined && columnCount > facetColumnsMax) {
    const text = `The first ${facetColumnsMax} of ${columnCount} columns (facetColumnsMax): name others in \`columns\`.`;
    notes.push({ text });
  }
  for (const name of left) {
    notes.push({ text: `${name} needs the sandbox: its values are not counted.` });
  }
  return notes.length === 0 ? {} : { notes };
}

import { type ColumnInfo, HadalError, printQuery, type Result, type WhatChanged } from "@hadal/sdk";
import type { ChartInput } from "../chart/kit/answer/series.js";
import { noAnnotations, type Shown } from "../chart/kit/time/annotation/shownAnnotations.js";
import { changesRequest } from "../chart/view/changes/changesRequest.js";
import { viewOf } from "../chart/view/views.js";
import { type BuiltQuery, buildProbe, buildQuery } from "../draft/ask/buildQuery.js";
import { withWholeBuckets } from "../draft/ask/wholeBuckets.js";
import { readAnnotations } from "../panel/annotation/readAnnotations.js";
import { derivedInfos, derivedQuery } from "../panel/ask/derivedColumns.js";
import { chartInputOf } from "../panel/draw/chartInput.js";
import type { ExploreState } from "../query/state/exploreState.js";
import type { PictureSource } from "./pictureSource.js";

/** All that was found out about a tile. */
export interface TileAnswer {
  readonly state: ExploreState;
  readonly built: BuiltQuery;
  readonly input: ChartInput;
  readonly extras: Readonly<Record<string, Result>>;
  /** Extra queries without an answer: what they are called, and why. */
  readonly failed: readonly string[];
  readonly annotated: Shown;
  readonly changes: WhatChanged | null;
}

export interface TileClock {
  readonly timeZone: string;
  readonly nowMs: number;
  /** Longest range that may be asked for; null: any. */
  readonly rangeMsMax: number | null;
}

/** A tile without an answer: what it lacks, in words. */
export interface TileLack {
  readonly lacks: string;
}

/** Asks what the page would ask to show this state. Rejects with the main query's problem. */
export async function answerTile(
  state: ExploreState,
  source: PictureSource,
  clock: TileClock,
): Promise<TileAnswer | TileLack> {
  const view = viewOf(state.view);
  const columns = view.needsColumns ? await columnsOf(state, source) : [];
  const lacks = view.lacks(state, columns);
  if (lacks !== null) return { lacks };
  const probe = buildProbe(state, { ...clock, columns });
  const probed = probe === null ? null : await source.ask(probe);
  const asWritten = buildQuery(state, { ...clock, columns, probed });
  const { timeZone, nowMs, rangeMsMax } = clock;
  const built = withWholeBuckets(asWritten, timeZone, nowMs, rangeMsMax ?? undefined);
  const request = state.view === "changes" ? changesRequest(built.query, state.part) : null;
  const [result, beside, changes] = await Promise.all([
    source.ask(built.query),
    extrasOf(built, source),
    request === null ? null : source.whatChanged(request),
  ]);
  const key = printQuery(built.query);
  const input = chartInputOf(result, { state, built, timeZone, key });
  const annotated = await annotationsOf(state, input, source);
  return { state, built, input, ...beside, annotated, changes };
}

async function columnsOf(
  state: ExploreState,
  source: PictureSource,
): Promise<readonly ColumnInfo[]> {
  const own = await source.columns(state.table);
  if (state.derive.length === 0) return own;
  const newest = await orProblem(source.ask(derivedQuery(state)));
  return [...own, ...derivedInfos(state.derive, newest instanceof HadalError ? null : newest)];
}

/** A view draws what it can without an extra answer. */
async function extrasOf({ extras }: BuiltQuery, source: PictureSource) {
  const asked = Object.entries(extras).map(
    async ([name, query]) => [name, await orProblem(source.ask(query))] as const,
  );
  const answered: [string, Result][] = [];
  const failed: string[] = [];
  for (const [name, found] of await Promise.all(asked)) {
    if (found instanceof HadalError) failed.push(found.message);
    else answered.push([name, found]);
  }
  return { extras: Object.fromEntries(answered), failed: [...new Set(failed)] };
}

async function annotationsOf(
  { table }: ExploreState,
  { bucketMs, fromMs, toMs }: ChartInput,
  source: PictureSource,
): Promise<Shown> {
  if (bucketMs === null) return noAnnotations;
  const reader = { list: source.annotations, ask: source.ask };
  return readAnnotations(reader, table, { from: fromMs, to: toMs });
}

async function orProblem<T>(asked: Promise<T>): Promise<T | HadalError> {
  try {
    return await asked;
  } catch (error) {
    // A picture that is not waited for any more ends.
    if (error instanceof HadalError && error.code !== "cancelled") return error;
    throw error;
  }
}

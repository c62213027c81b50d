import {
  type ChangeShare,
  type ColumnChange,
  changesLimitDefault,
  changeValuesDefault,
  type HiddenColumn,
  unitOfColumn,
  type ValueChange,
  type WhatChanged,
  type WhatChangedRequest,
} from "@hadal/sdk";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import type { SchemaColumn } from "../../plan/schema/tableSchema.js";
import { type ColumnQuestions, placesOf } from "../study/columnStudy.js";
import { type CutColumns, isNearUnique } from "../study/cutColumns.js";
import { isMissing } from "../study/weighedValues.js";
import { filtersOf } from "./changeFilters.js";
import {
  type Candidate,
  exactRange,
  joinSets,
  rangeCandidates,
  valueCandidates,
} from "./columnCandidates.js";
import {
  compareShares,
  type Part,
  type Sample,
  type ShareComparison,
  shareOf,
} from "./compareShares.js";
import { byText, leastDifference, surestFirst } from "./surestFirst.js";

/** All rows of both sets. */
export interface Sets {
  readonly a: Sample;
  readonly b: Sample;
}

/** A candidate, tested. */
export interface Tested extends Candidate {
  readonly test: ShareComparison;
}

/** A column in which some candidate passed its test. */
export interface RankedColumn {
  readonly questions: ColumnQuestions;
  readonly change: ColumnChange;
  /** The candidates that passed, the best first. */
  readonly found: readonly [Tested, ...Tested[]];
  readonly hasMissing: boolean;
}

export interface RankedChanges
  extends Pick<WhatChanged, "columnsFound" | "unchanged" | "hidden" | "tests"> {
  readonly columns: readonly RankedColumn[];
}

/** The probability that any result is found by chance. */
export const chanceOfFinds = 0.01;

interface TestedColumn {
  readonly questions: ColumnQuestions;
  readonly distinct: number | null;
  readonly tested: readonly Tested[];
  readonly hasMissing: boolean;
}

/** The answers about both sets. */
export interface ComparedSets {
  readonly questions: readonly ColumnQuestions[];
  readonly merged: PartialResult;
  readonly sets: Sets;
  readonly cut: CutColumns;
}

/** The groups of one column; null where leaves sent none. */
interface ColumnAnswers {
  readonly values: PartialResult | null;
  readonly bucketed: PartialResult | null;
}

/** Tests every value of every column, and ranks the columns by the least difference of their best value's shares. */
export function rankChanges(
  request: Pick<WhatChangedRequest, "limit" | "values">,
  { questions, merged: { branches = [] }, sets, cut }: ComparedSets,
): RankedChanges {
  const places = placesOf(questions);
  const hidden: HiddenColumn[] = [];
  const columns: TestedColumn[] = [];
  questions.forEach((asked, i) => {
    const { values, ranges } = places[i]!;
    const found = testColumn(
      asked,
      { values: branches[values] ?? null, bucketed: branches[ranges] ?? null },
      { sets, cut },
    );
    const { name, type } = asked.column;
    if (typeof found === "string") hidden.push({ name, type, reason: found });
    else columns.push(found);
  });
  const tests = columns.reduce(
    (sum, { tested }) => sum + tested.filter(({ test }) => test.p !== null).length,
    0,
  );
  const ranked = surestFirst(
    columns.flatMap((each) => rankColumn(each, tests, sets, request.values ?? changeValuesDefault)),
    ({ found }) => found[0].test,
    ({ change }) => change.name,
  );
  const names = new Set(ranked.map(({ change }) => change.name));
  return {
    columns: ranked.slice(0, request.limit ?? changesLimitDefault),
    columnsFound: ranked.length,
    unchanged: columns.map((each) => each.questions.column.name).filter((name) => !names.has(name)),
    ...{ hidden, tests },
  };
}

function testColumn(
  questions: ColumnQuestions,
  { values, bucketed }: ColumnAnswers,
  { sets, cut }: Pick<ComparedSets, "sets" | "cut">,
): TestedColumn | HiddenColumn["reason"] {
  const { column, ranges } = questions;
  const hidden = cut.get(column.name) ?? null;
  if (hidden !== null) return hidden;
  const isCut = cut.has(column.name);
  const isListed = values !== null && (column.type !== "int" || !isCut);
  const joined = isListed ? joinSets(values, questions.values) : null;
  const joinedRanges =
    bucketed === null || ranges === null ? null : joinSets(bucketed, ranges.split);
  if (joined === null && joinedRanges === null) return "too-many-values";
  const keyed = joined ?? joinedRanges;
  const hasMissing = keyed?.groups.some((_, group) => isMissing(keyed.keys, group)) === true;
  const distinct = joined === null || isCut ? null : joined.groups.length - (hasMissing ? 1 : 0);
  const rows = sets.a.rows + sets.b.rows;
  if (column.type !== "int" && distinct !== null && isNearUnique(distinct, rows)) {
    return "near-unique";
  }
  const listed = joined === null ? [] : valueCandidates(column, joined, questions.values);
  const hasBars = !listed.some(({ isBar }) => isBar);
  const ranged =
    joinedRanges === null || ranges === null
      ? []
      : rangeCandidates(column, joinedRanges, hasBars ? ranges.edges : null);
  const tested = [...listed, ...ranged].map((candidate): Tested => {
    const [a, b] = partsOf(candidate, sets);
    return { ...candidate, test: compareShares(a, b) };
  });
  return { questions, distinct, tested, hasMissing };
}

export function partsOf({ a, b }: Sets, sets: Sets): readonly [Part, Part] {
  return [
    { of: sets.a, hits: a },
    { of: sets.b, hits: b },
  ];
}

/** Empty where no candidate passed. */
function rankColumn(
  { questions, distinct, tested, hasMissing }: TestedColumn,
  tests: number,
  sets: Sets,
  valuesMax: number,
): RankedColumn[] {
  const passed = tested.filter(({ test }) => test.p !== null && test.p * tests <= chanceOfFinds);
  const [best, ...others] = surestFirst(
    passed,
    ({ test }) => test,
    ({ is }) => textOf(is),
  );
  if (best === undefined) return [];
  const { column } = questions;
  const { name, type, decimals } = column;
  const unit = type === "int" ? unitOfColumn(name) : undefined;
  const changeOf = (one: Tested): ValueChange => describe(one, { column, hasMissing, tests, sets });
  const change = {
    ...{ name, type, decimals, distinct },
    ...(unit === undefined ? {} : { unit }),
    score: leastDifference(best.test),
    best: changeOf(best),
    values: shown(tested, best, sets, valuesMax).map(changeOf),
  };
  return [{ questions, change, found: [best, ...others], hasMissing }];
}

function textOf(is: Candidate["is"]): string {
  return is.kind === "range" ? `${is.from} ${is.to}` : String(is.value);
}

/** All ranges, or the values with the largest shares (elements: with the largest differences), the best among them. */
function shown(
  tested: readonly Tested[],
  best: Tested,
  sets: Sets,
  max: number,
): readonly Tested[] {
  const bars = tested.filter(({ isBar }) => isBar);
  if (bars.some(({ is }) => is.kind === "range")) return bars;
  // Every stack has the same outermost frames, so elements are ordered by their difference.
  const larger = (one: Tested): number =>
    one.is.kind === "element"
      ? Math.abs(one.test.difference)
      : Math.max(...partsOf(one, sets).map(shareOf));
  const top = bars
    .toSorted((x, y) => larger(y) - larger(x) || byText(textOf(x.is), textOf(y.is)))
    .slice(0, max);
  if (!best.isBar || top.includes(best)) return top;
  return [...top.slice(0, max - 1), best];
}

function describe(
  one: Tested,
  {
    column: { name, decimals },
    hasMissing,
    tests,
    sets,
  }: Pick<TestedColumn, "hasMissing"> & {
    readonly column: SchemaColumn;
    readonly tests: number;
    readonly sets: Sets;
  },
): ValueChange {
  const [a, b] = partsOf(one, sets);
  return {
    is: one.is,
    a: shareOfPart(a),
    b: shareOfPart(b),
    ...corrected(one.test, tests),
    ...filtersOf(name, one.is, { hasMissing, range: exactRange(one, decimals) }),
  };
}

/** With a probability that holds for all tests together (Bonferroni). */
export function corrected({ difference, interval, p }: ShareComparison, tests: number) {
  return { difference, interval, p: p === null ? null : Math.min(1, p * tests) };
}

export function shareOfPart(part: Part): ChangeShare {
  const { rows, weight } = part.hits;
  return { rows, count: weight, share: shareOf(part) };
}

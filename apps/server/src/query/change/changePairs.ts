import type { PairChange } from "@hadal/sdk";
import { numberGroups } from "../../aggregate/key/numberGroups.js";
import type { KeyColumn, PartialResult } from "../../aggregate/partial/partialResult.js";
import { keyCell } from "../../aggregate/partial/resultCells.js";
import type { ResolvedGroup } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { bothFilters, filtersOf } from "./changeFilters.js";
import { exactRange, sampleOf } from "./columnCandidates.js";
import { association, compareShares, nothing, type Sample } from "./compareShares.js";
import {
  chanceOfFinds,
  corrected,
  partsOf,
  type RankedColumn,
  type Sets,
  shareOfPart,
  type Tested,
} from "./rankChanges.js";

/** Fifteen pairs of columns: a scan of some milliseconds a million rows. */
const pairedColumnsMax = 6;
/** Of each column the values that are more frequent in A by most. */
const pairedValuesMax = 3;
const pairsShownMax = 5;
/** How much closer than its better half a pair must go with being in A to be worth showing. */
const gainMin = 1.05;
/** Both columns have few values where they are paired, so nothing is cut. */
const groupsMax = 1_000_000;

/** Two columns, and what of each is paired. */
export interface PairQuestion {
  readonly columns: readonly [PairedColumn, PairedColumn];
  readonly split: SplitQuery;
}

interface PairedColumn {
  readonly ranked: RankedColumn;
  readonly group: ResolvedGroup;
  readonly values: readonly Tested[];
}

/** What to ask about the best columns, two by two. */
export function pairQuestions(columns: readonly RankedColumn[]): PairQuestion[] {
  const paired = columns
    .slice(0, pairedColumnsMax)
    .map(pairedColumn)
    .filter((column) => column !== null);
  return paired.flatMap((first, i) =>
    paired.slice(i + 1).map((second): PairQuestion => {
      const { values: split } = first.ranked.questions;
      const groupBy = [first.group, second.group];
      const cut = { ...split.resolved.cut, max: groupsMax };
      return {
        columns: [first, second],
        split: { ...split, resolved: { ...split.resolved, groupBy, cut } },
      };
    }),
  );
}

/** Null: nothing of it is more frequent in A. */
function pairedColumn(ranked: RankedColumn): PairedColumn | null {
  const more = withoutTwins(ranked.found.filter(({ test }) => test.difference > 0));
  const [best] = more;
  if (best === undefined) return null;
  const { values, column } = ranked.questions;
  const [group] = values.resolved.groupBy;
  if (group === undefined) return null;
  if (best.bounds === null) {
    const alike = more.filter(({ bounds }) => bounds === null).slice(0, pairedValuesMax);
    return { ranked, group, values: alike };
  }
  const { from, to } = best.bounds;
  const bounds = [from, to].filter((bound) => bound !== null).map(String);
  const buckets = { kind: "edges", bounds } as const;
  const { name, decimals } = column;
  return {
    ranked,
    group: { kind: "bucket", column: name, decimals, buckets },
    values: [best],
  };
}

/** Frames of one stack come together: of values that the same rows have, one stands for all. */
function withoutTwins<Found extends Pick<Tested, "a" | "b">>(found: readonly Found[]): Found[] {
  const seen = new Set<string>();
  return found.filter(({ a, b }) => {
    const id = [a.rows, a.weight, b.rows, b.weight].join();
    const isNew = !seen.has(id);
    seen.add(id);
    return isNew;
  });
}

/** Pairs that go with being in A more closely than either of their values does, the closest first. */
export function rankPairs(
  questions: readonly PairQuestion[],
  { branches = [] }: PartialResult,
  sets: Sets,
  testsBefore: number,
): { readonly pairs: readonly PairChange[]; readonly tests: number } {
  const candidates = questions.flatMap((question, i) => {
    const partial = branches[i] ?? null;
    return partial === null ? [] : pairsOf(question, partial, sets);
  });
  const tests = testsBefore + candidates.filter(({ test }) => test.p !== null).length;
  const closer = candidates
    .filter(({ test }) => test.p !== null && test.p * tests <= chanceOfFinds)
    .filter(({ closeness, alone }) => closeness > gainMin * Math.max(...alone))
    .sort((x, y) => y.closeness - x.closeness);
  const pairs = withoutTwins(closer)
    .slice(0, pairsShownMax)
    .map(({ change, test }) => ({ ...change, ...corrected(test, tests) }));
  return { pairs, tests };
}

function pairsOf({ columns, split }: PairQuestion, partial: PartialResult, sets: Sets) {
  const [first, second] = columns;
  const samples = samplesOf(partial, split);
  return first.values.flatMap((one) =>
    second.values.map((other) => {
      const found = samples.get(idOf(partOfKey(one), partOfKey(other))) ?? {
        a: nothing,
        b: nothing,
      };
      const [a, b] = partsOf({ ...one, ...found }, sets);
      const test = compareShares(a, b);
      const names = [first, second].map(({ ranked }) => ranked.change.name);
      const filters = [first, second].map(({ ranked }, i) => {
        const value = i === 0 ? one : other;
        const { name, decimals } = ranked.questions.column;
        return filtersOf(name, value.is, {
          hasMissing: ranked.hasMissing,
          range: exactRange(value, decimals),
        });
      });
      const change = {
        columns: [names[0]!, names[1]!] as const,
        is: [one.is, other.is] as const,
        ...{ a: shareOfPart(a), b: shareOfPart(b) },
        purity: purityOf(found),
        purityAlone: [purityOf(one), purityOf(other)] as const,
        ...bothFilters(filters[0]!, filters[1]!),
      };
      const alone = [one, other].map((each) => association(...partsOf(each, sets)));
      return { change, test, closeness: association(a, b), alone, ...found };
    }),
  );
}

function purityOf({ a, b }: Pick<Tested, "a" | "b">): number {
  return a.weight + b.weight === 0 ? 0 : a.weight / (a.weight + b.weight);
}

/** The rows of each pair of keys, in both sets. */
function samplesOf(partial: PartialResult, { resolved, finish }: SplitQuery) {
  const spreadIndex = finish.aggregates[0]?.spreadIndex ?? null;
  const found = new Map<string, { a: Sample; b: Sample }>();
  const [a, b] = partial.sides;
  if (a === undefined || b === undefined) return found;
  const { numbersOf, keys, count } = numberGroups(resolved.groupBy, [a, b]);
  const columns = keys();
  const pairs = Array.from({ length: count }, () => ({ a: nothing, b: nothing }));
  numbersOf[0]!.forEach((number, group) => {
    pairs[number]!.a = sampleOf(a, group, spreadIndex);
  });
  numbersOf[1]!.forEach((number, group) => {
    pairs[number]!.b = sampleOf(b, group, spreadIndex);
  });
  for (let group = 0; group < count; group++) {
    const parts = columns.map((key, i) => keyText(key, group, resolved.groupBy[i]!));
    found.set(idOf(parts[0]!, parts[1]!), pairs[group]!);
  }
  return found;
}

/** A key as {@link partOfKey} has it: values by their type and text, buckets by their lower bound. */
function keyText(key: KeyColumn, group: number, by: ResolvedGroup): string {
  if (by.kind === "bucket") {
    const isMissing = key.kind === "int" && key.present[group] === 0;
    return key.kind === "int" && !isMissing ? `from ${key.values[group]}` : "missing";
  }
  const type = by.kind === "column" && by.type === "int" ? "decimal" : "string";
  const decimals = by.kind === "column" ? by.decimals : 0;
  const value = keyCell(key, group, { type, decimals }, []);
  return value === null ? "missing" : `is ${String(value)}`;
}

const int64Min = -(2n ** 63n);

function partOfKey({ is, bounds }: Tested): string {
  if (bounds !== null) return `from ${bounds.from ?? int64Min}`;
  return is.kind === "range" || is.value === null ? "missing" : `is ${String(is.value)}`;
}

function idOf(first: string, second: string): string {
  return JSON.stringify([first, second]);
}

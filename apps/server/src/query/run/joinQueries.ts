import type { BoundColumn, ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { PartAnswer } from "../../tree/partAnswer.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";

/**
 * What queries have in common that one scan can answer; null: this one needs a scan of its own. Time buckets may differ
 * from none, not from one another (see {@link joinable}).
 */
export function rowsKey({
  table,
  sides,
  granted,
  derived,
  sample,
  states,
}: ResolvedQuery): string | null {
  if (sample !== null || states.some(({ kind }) => kind === "function")) return null;
  const rows = sides.map(({ fromMs, toMs, filter }) => ({ fromMs, toMs, filter }));
  return JSON.stringify([table, rows, granted ?? null, derived ?? null]);
}

/** Splits queries about the same rows into those whose time buckets one scan can have. */
export function joinable<Asked extends { readonly resolved: ResolvedQuery }>(
  queries: readonly Asked[],
): readonly (readonly Asked[])[] {
  const byBuckets = new Map<string, Asked[]>();
  const without: Asked[] = [];
  for (const asked of queries) {
    const { sides } = asked.resolved;
    if (!hasBuckets(asked.resolved)) without.push(asked);
    else {
      const key = JSON.stringify(sides.map((side) => [side.buckets, side.furtherBuckets ?? []]));
      const known = byBuckets.get(key);
      if (known === undefined) byBuckets.set(key, [asked]);
      else known.push(asked);
    }
  }
  const [first = [], ...others] = byBuckets.values();
  return [[...first, ...without], ...others];
}

const hasBuckets = ({ sides }: ResolvedQuery): boolean =>
  sides.some(({ buckets, furtherBuckets = [] }) => buckets !== null || furtherBuckets.length > 0);

/** One query with a branch for each of these, which are {@link joinable}; null: they read a column in two ways. */
export function joinQueries(queries: readonly ResolvedQuery[]): ResolvedQuery | null {
  const [first] = queries;
  const bound = boundOfAll(queries);
  if (first === undefined || bound === null) return null;
  const { table, granted, derived } = first;
  const { sides } = queries.find(hasBuckets) ?? first;
  return {
    ...{ table, sides, bound, groupBy: [], sample: null },
    // Rows and their weight, as in every query.
    states: first.states.slice(0, 2),
    cut: { max: 1, bySeries: false, ranks: [] },
    branches: queries.map(({ groupBy, states, cut }) => ({ groupBy, states, cut })),
    ...(granted === undefined ? {} : { granted }),
    ...(derived === undefined ? {} : { derived }),
  };
}

function boundOfAll(queries: readonly ResolvedQuery[]): readonly BoundColumn[] | null {
  const known = new Map<string, BoundColumn>();
  for (const { bound = [] } of queries) {
    for (const column of bound) {
      const other = known.get(column.name);
      if (other !== undefined && JSON.stringify(other) !== JSON.stringify(column)) return null;
      known.set(column.name, column);
    }
  }
  return [...known.values()];
}

/** The leaves' answers to one branch; null where one leaf could not answer it. */
export function answersOfBranch(answered: TreeAnswers, index: number): TreeAnswers | null {
  const answers: PartAnswer[] = [];
  for (const answer of answered.answers) {
    const partial = answer.partial.branches?.[index] ?? null;
    if (partial === null) return null;
    answers.push({ ...answer, partial });
  }
  return { ...answered, answers };
}

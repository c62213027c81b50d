import type { Result, ResultNote } from "@hadal/sdk";
import { aggregatesOfCalculation } from "../../aggregate/estimate/estimateCalculation.js";
import type { Evidence } from "../../aggregate/estimate/leafEvidence.js";
import type { NoBarReason } from "../../aggregate/estimate/noBar.js";
import { isSampled } from "../../aggregate/finish/columnBars.js";
import type { FinalizedResult } from "../../aggregate/finish/finalizedResult.js";
import { barredRowsMax } from "../../aggregate/finish/resultIntervals.js";
import { aggregateKindOf } from "../../aggregate/function/aggregateKinds.js";
import type { PartialResult } from "../../aggregate/partial/partialResult.js";
import { countOf } from "../../aggregate/state/countState.js";
import type { FinishAggregate, FinishPlan } from "../../plan/query/finishPlan.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import { havingGroupsMax } from "../../plan/resolveQuery.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";

const dayMs = 86_400_000;

interface MergedAnswer {
  readonly merged: PartialResult;
  readonly evidence: Evidence;
  /** No group outside the merged ones could be among the shown ones. */
  readonly isDecided: boolean;
}

/** Notes for what error bars do not cover when rows are missing or sampled: extremes, distinct values, missing groups, and why a leaf failed. */
export function resultNotes(
  { resolved, finish: plan }: SplitQuery,
  { completeness, failures, answers }: Pick<TreeAnswers, "completeness" | "failures" | "answers">,
  { truncated, rows, intervals, noBars, barNotes }: Omit<FinalizedResult, "columns">,
  { merged, evidence, isDecided }: MergedAnswer,
): readonly ResultNote[] {
  const first = rows.length > barredRowsMax && Object.keys(intervals).length > 0;
  const leafCount = answers.reduce((count, { leaves }) => count + leaves.length, 0);
  const text = `Error bars are given for the first ${barredRowsMax} rows (barredRowsMax).`;
  return [
    ...notesOfDoubt(completeness),
    ...(first ? [{ text }] : []),
    ...notesOfLengths(resolved, plan),
    ...notesOfMissing(plan, completeness, truncated),
    ...notesOfUnknown(plan, evidence),
    ...notesOfNoBars(plan, noBars),
    ...(isDecided ? [] : notesOfCut(plan, resolved, merged, leafCount)),
    ...notesOfSampled(plan, truncated, merged),
    ...barNotes,
    ...notesOfCalculated(plan, { intervals, barNotes }, completeness),
    ...failureNotes({ failures, answers }),
  ];
}

/** Notes on a comparison in time: ranges of different length, and weeks that begin on another day. Buckets of different length are listed separately. */
function notesOfLengths(
  { sides, groupBy }: Pick<ResolvedQuery, "sides" | "groupBy">,
  { sample }: Pick<FinishPlan, "sample">,
): readonly ResultNote[] {
  const [main, base] = sides;
  if (main === undefined || base === undefined || sample !== null) return [];
  if (groupBy.some(({ kind }) => kind === "time")) return [];
  const [mainMs, baseMs] = [main.toMs - main.fromMs, base.toMs - base.fromMs];
  if (mainMs === baseMs) return [];
  const text = `The range lasts ${lengthInWords(mainMs)}, the one it is compared with ${lengthInWords(baseMs)}: compare rates (PER HOUR), not counts and sums.`;
  return [{ text }];
}

/** In days if whole, else in hours. */
function lengthInWords(ms: number): string {
  const [unitMs, unit] = ms % dayMs === 0 ? [dayMs, "day"] : [dayMs / 24, "hour"];
  const count = Math.round((100 * ms) / unitMs) / 100;
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** Why leaves are missing, if they reported it, or rows of other leaves. */
export function failureNotes({
  failures,
  answers,
}: Pick<TreeAnswers, "failures" | "answers">): readonly ResultNote[] {
  const failed = [...failures].map(([leafId, { message }]) => ({
    text: `${leafId} is missing, for it failed: ${message}`,
  }));
  return [...failed, ...notesOfUnreadable(answers)];
}

function notesOfUnreadable(answers: TreeAnswers["answers"]): readonly ResultNote[] {
  const leaves = answers.flatMap((answer) => answer.leaves);
  return leaves.flatMap(({ leafId, stats: { unreadable } }): ResultNote[] => {
    if (unreadable === undefined || unreadable.rows === 0) return [];
    const { rows, columns } = unreadable;
    const text = `${rows} rows on ${leafId} do not count: their values of ${columns.join(", ")} are damaged. Questions that do not read them have these rows.`;
    return [{ text }];
  });
}

/** Notes for someone who may not know how many rows there are. */
export const withoutRowCounts = (notes: readonly ResultNote[]): readonly ResultNote[] =>
  notes.map(({ text, ...note }) => ({ ...note, text: text.replace(rowsOnLeaf, "Some rows on ") }));

const rowsOnLeaf = /^\d+ rows on /;

function notesOfDoubt({ known, reason }: TreeAnswers["completeness"]): readonly ResultNote[] {
  if (known !== false) return [];
  return [{ text: `The number of expected rows is unknown: ${reason ?? "counts are lost"}.` }];
}

/** Notes on calculations whose error is unknown. */
function notesOfCalculated(
  { aggregates }: Pick<FinishPlan, "aggregates">,
  { intervals, barNotes }: Pick<FinalizedResult, "intervals" | "barNotes">,
  { fraction, leaves }: TreeAnswers["completeness"],
): readonly ResultNote[] {
  const isPart = fraction < 1 || leaves.missing.length > 0;
  return aggregates.flatMap((aggregate): ResultNote[] => {
    const { name, value } = aggregate;
    if (value.kind !== "calculated" || barNotes.some(({ column }) => column === name)) return [];
    // Constants, and calculations of keys alone.
    if (aggregatesOfCalculation(value.calculation).length === 0) return [];
    if (Object.hasOwn(intervals, name) && intervals[name]!.some((bar) => bar !== null)) return [];
    if (isPart) return [{ column: name, text: `${ofPart} no error bar is given.` }];
    if (!isSampled(aggregate, aggregates)) return [];
    const text =
      "It is estimated from sampled rows, and no error bar is given: what it is made of errs together, or is no line of it.";
    return [{ column: name, text }];
  });
}

function notesOfMissing(
  { aggregates, groups }: Pick<FinishPlan, "aggregates" | "groups">,
  { fraction, leaves }: TreeAnswers["completeness"],
  truncated: Result["truncated"],
): readonly ResultNote[] {
  if (fraction === 1 && leaves.missing.length === 0) return [];
  const notes = aggregates.flatMap((aggregate): ResultNote[] => {
    const text = textOf(aggregate);
    return text === null ? [] : [{ column: aggregate.name, text }];
  });
  if (groups.length === 0) return notes;
  const text = isTop(truncated)
    ? "Of the leaves that answered: a group of which missing leaves have the most rows may belong here, too."
    : "Of the leaves that answered: missing leaves may have further groups.";
  return [...notes, { text }];
}

/** Note if leaves that answered lack rows of unknown groups. */
function notesOfUnknown(
  { aggregates }: Pick<FinishPlan, "aggregates">,
  { kind }: Evidence,
): readonly ResultNote[] {
  if (kind !== "unknown") return [];
  return aggregates.flatMap((aggregate): ResultNote[] =>
    aggregate.value.kind === "calculated" || textOf(aggregate) !== null
      ? []
      : [{ column: aggregate.name, text: `${ofPart} no error bar is given.` }],
  );
}

/** Note if leaves that answered are no evidence for the missing ones. Counts of all rows have bounds; calculations have their own note. */
function notesOfNoBars(
  { aggregates }: Pick<FinishPlan, "aggregates">,
  reasons: readonly NoBarReason[],
): readonly ResultNote[] {
  return reasons.flatMap((reason) =>
    aggregates.flatMap((aggregate): ResultNote[] => {
      const { name, value, spreadIndex } = aggregate;
      const isCount = aggregateKindOf(value)?.estimatedAs === "count";
      const isBounded = isCount && spreadIndex === null;
      if (isBounded || value.kind === "calculated" || textOf(aggregate) !== null) return [];
      const text = `${ofPart} no error bar is given where ${whyNoBar[reason]}`;
      return [{ column: name, text }];
    }),
  );
}

const whyNoBar: Readonly<Record<NoBarReason, string>> = {
  "too few leaves":
    "fewer than two leaves answered that have such rows: it is unknown how far leaves differ.",
  "other times":
    "missing leaves have rows of other times than those that answered, which do not represent them.",
};

/** Note on groups that leaves cut, if their sums over all leaves are unknown. */
function notesOfCut(
  plan: FinishPlan,
  resolved: ResolvedQuery,
  { sides }: PartialResult,
  leafCount: number,
): readonly ResultNote[] {
  if (!sides.some(({ groupsCut }) => groupsCut > 0)) return [];
  if (plan.having.length > 0) {
    const text = `Leaves sent their first ${havingGroupsMax} groups (havingGroupsMax): of the others some may pass HAVING too.`;
    return [{ text }];
  }
  const isCompared = sides.length > 1;
  const order = plan.series === null ? plan.orders[0] : plan.series.rank;
  const target = order?.target;
  // A single leaf knows all its groups, but ranks those of each side by that side alone.
  if ((leafCount < 2 && !isCompared) || order === undefined || target?.kind !== "aggregate") {
    return [];
  }
  const { name, value } = plan.aggregates[target.aggregateIndex]!;
  const by = { desc: order.desc, bySeries: plan.series !== null, states: resolved.states };
  if (!isCompared && aggregateKindOf(value)?.arrivesFirst?.(value, by) === true) return [];
  const what = plan.series === null ? "groups" : "series";
  const text = `Each leaf sent its first ${what} by ${name}: one that is first on no leaf may belong here, too.`;
  return [{ text }];
}

/** Notes on sampled rows: the dropped rows are unknown except for their number. */
function notesOfSampled(
  { aggregates, groups }: Pick<FinishPlan, "aggregates" | "groups">,
  truncated: Result["truncated"],
  merged: PartialResult,
): readonly ResultNote[] {
  const notes = aggregates.flatMap((aggregate): ResultNote[] => {
    const text = textOfSampled(aggregate);
    return text === null ? [] : [{ column: aggregate.name, text }];
  });
  if (groups.length > 0 && isTop(truncated)) {
    notes.push({ text: `${ofStored} another group may belong here, too.` });
  }
  return notes.length > 0 && standsForOthers(merged) ? notes : [];
}

function standsForOthers({ sides }: PartialResult): boolean {
  return sides.some(({ groupCount, states: [rows, weights] }) => {
    if (rows === undefined || weights === undefined) return false;
    for (let group = 0; group < groupCount; group++) {
      if (countOf(rows, group) !== countOf(weights, group)) return true;
    }
    return false;
  });
}

function isTop(truncated: Result["truncated"]): boolean {
  return truncated?.groups !== undefined || truncated?.series !== undefined;
}

const ofStored = "Of the rows that are stored, some of which represent others:";

function textOfSampled({ value }: FinishAggregate): string | null {
  const doubt = aggregateKindOf(value)?.doubt;
  return doubt === undefined ? null : `${ofStored} ${doubt.sampled}`;
}

const ofPart = "Of the rows that answered only:";

/** Note on a number without an error bar when leaves are missing; null: it has a bar, or another note. */
function textOf({ value }: FinishAggregate): string | null {
  const doubt = aggregateKindOf(value)?.doubt;
  return doubt === undefined ? null : `${ofPart} ${doubt.missing}`;
}

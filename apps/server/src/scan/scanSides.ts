import { mergePartials } from "../aggregate/merge/mergePartials.js";
import type { PartialResult } from "../aggregate/partial/partialResult.js";
import type { Steps } from "../base/schedule/steps.js";
import type { StopSignal } from "../base/schedule/stopController.js";
import type { LeafQueryStats } from "../cluster/leafProtocol.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import type { Table } from "../store/table/table.js";
import { type LeafAnswer, scanTable } from "./scanTable.js";
import type { ScanContext } from "./thread/scanContext.js";
import { placedOverflow } from "./value/valueOverflow.js";

/** Answers a query from one table. Raw rows of two sides are two searches, each of which ends as soon as it has enough. */
export async function scanSides(
  query: ResolvedQuery,
  table: Table | undefined,
  context: ScanContext,
  signal: StopSignal,
  onPartial: (answer: LeafAnswer) => Steps<void>,
): Promise<LeafAnswer> {
  try {
    return await scanEach(query, table, context, signal, onPartial);
  } catch (error) {
    throw placedOverflow(error, query.derived ?? []);
  }
}

async function scanEach(
  query: ResolvedQuery,
  table: Table | undefined,
  context: ScanContext,
  signal: StopSignal,
  onPartial: (answer: LeafAnswer) => Steps<void>,
): Promise<LeafAnswer> {
  if (query.sample === null || query.sides.length === 1) {
    return scanTable(query, table, context, signal, onPartial);
  }
  const answers: LeafAnswer[] = [];
  for (const [sideIndex, side] of query.sides.entries()) {
    const ofSide = (answer: LeafAnswer): LeafAnswer => markSide(answer, sideIndex);
    const done = [...answers];
    const answer = await scanTable({ ...query, sides: [side] }, table, context, signal, (partial) =>
      onPartial(joinAnswers(query, [...done, ofSide(partial)])),
    );
    answers.push(ofSide(answer));
  }
  return joinAnswers(query, answers);
}

function markSide(answer: LeafAnswer, sideIndex: number): LeafAnswer {
  const { sample } = answer.partial;
  if (sample === null) throw new Error("a scan for raw rows answers with rows");
  const sides = new Uint8Array(sample.rowCount).fill(sideIndex);
  const partial: PartialResult = { ...answer.partial, sample: { ...sample, sides } };
  return { ...answer, partial };
}

/** The answers of the first sides, as one; of the others nothing is known yet. */
function joinAnswers(query: ResolvedQuery, answers: readonly LeafAnswer[]): LeafAnswer {
  const partial = mergePartials(
    answers.map((answer) => answer.partial),
    query,
  );
  const sum = (numberOf: (stats: LeafQueryStats) => number): number =>
    answers.reduce((total, { stats }) => total + numberOf(stats), 0);
  return {
    partial,
    isCut: false,
    stats: {
      rowsOfMinutes: sum(({ rowsOfMinutes }) => rowsOfMinutes),
      share: sum(({ share }) => share) / query.sides.length,
      rowsScanned: sum(({ rowsScanned }) => rowsScanned),
      rowsMatched: sum(({ rowsMatched }) => rowsMatched),
      bytesScanned: sum(({ bytesScanned }) => bytesScanned),
      segments: sum(({ segments }) => segments),
      segmentsSkipped: sum(({ segmentsSkipped }) => segmentsSkipped),
      scanMs: sum(({ scanMs }) => scanMs),
      ...addUnreadable(answers.map(({ stats }) => stats)),
    },
  };
}

function addUnreadable(all: readonly LeafQueryStats[]): Pick<LeafQueryStats, "unreadable"> {
  const found = all.flatMap(({ unreadable }) => (unreadable === undefined ? [] : [unreadable]));
  if (found.length === 0) return {};
  const rows = found.reduce((sum, one) => sum + one.rows, 0);
  return { unreadable: { rows, columns: [...new Set(found.flatMap(({ columns }) => columns))] } };
}

import { mergePartials } from "../aggregate/merge/mergePartials.js";
import type { PartialResult } from "../aggregate/partial/partialResult.js";
import type { LeafQueryStats } from "../cluster/leafReply.js";
import type { ResolvedQuery, ResolvedSide } from "../plan/query/resolvedQuery.js";
import type { Table } from "../store/table/table.js";
import type { LeafAnswer, LeafQuery } from "./leafAnswer.js";
import { scanTable } from "./scanTable.js";
import { placedOverflow } from "./value/valueOverflow.js";

/**
 * Answers a query from one table. Raw rows of two sides are two searches, each of which ends as
 * soon as it has enough.
 */
export async function scanSides(given: LeafQuery, table: Table | undefined): Promise<LeafAnswer> {
  const asked = { ...given, query: withinGrant(given.query) };
  try {
    return await scanEach(asked, table);
  } catch (error) {
    throw placedOverflow(error, asked.query.derived ?? []);
  }
}

/** The query with the rows that it may read as the first condition of each side: nothing else is read of others. */
function withinGrant({ granted, ...query }: ResolvedQuery): ResolvedQuery {
  if (granted === undefined) return query;
  const sides = query.sides.map((side): ResolvedSide => {
    const filter = { kind: "all", filters: [granted, side.filter] } as const;
    return { ...side, filter };
  });
  return { ...query, sides };
}

async function scanEach(asked: LeafQuery, table: Table | undefined): Promise<LeafAnswer> {
  const { query, onPartial } = asked;
  if (query.sample === null || query.sides.length === 1) return scanTable(asked, table);
  const answers: LeafAnswer[] = [];
  for (const [sideIndex, side] of query.sides.entries()) {
    const ofSide = (answer: LeafAnswer): LeafAnswer => markSide(answer, sideIndex);
    const done = [...answers];
    const askedOfSide: LeafQuery = {
      ...asked,
      query: { ...query, sides: [side] },
      onPartial: (part) => onPartial(joinAnswers(query, [...done, ofSide(part)])),
    };
    answers.push(ofSide(await scanTable(askedOfSide, table)));
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
      rowsHeld: sum(({ rowsHeld }) => rowsHeld),
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

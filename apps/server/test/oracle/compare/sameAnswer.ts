import {
  type Completeness,
  HadalError,
  type QueryStats,
  type Result,
  type ResultNote,
} from "@hadal/sdk";

export interface Answered {
  readonly completeness: Completeness;
  readonly stats?: QueryStats;
  readonly asOf?: number;
  readonly notes?: readonly ResultNote[];
}

/** Without what depends on the moment, and what is left out where not all rows may be read. */
function comparable({ completeness, stats, asOf: _, ...answer }: Answered): object {
  const { rowsExpected: __, rowsAnswered: ___, ...known } = completeness;
  const { coverage, compareCoverage, ...rest } = answer as Partial<Result>;
  const later = (buckets: Result["coverage"] = []) =>
    buckets.filter(([, , reason]) => reason !== "before-data");
  const isSample = rest.columns?.every(({ role }) => role === "sample") === true;
  return {
    ...rest,
    ...(isSample ? { rows: rest.rows?.map((row) => JSON.stringify(row, textOf)).sort() } : {}),
    ...{ completeness: known, rowsMatched: stats?.rowsMatched },
    ...{ coverage: later(coverage), compareCoverage: later(compareCoverage) },
  };
}

/** In which order numbers were added is no difference. */
export function textOf(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  const isFraction = typeof value === "number" && !Number.isInteger(value);
  return isFraction ? Number(value.toPrecision(12)) : value;
}

/** What an answer says, or the error, with the same name for all tables. */
export async function outcome<Answer extends Answered>(
  answer: () => Promise<Answer>,
  table: string,
): Promise<string> {
  try {
    return JSON.stringify(comparable(await answer()), textOf);
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    const { code, message, errors } = error;
    return JSON.stringify({ code, message, errors }).replaceAll(table, "table");
  }
}

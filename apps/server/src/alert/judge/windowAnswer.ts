import {
  type AlertGroupKey,
  alertGroupsMax,
  type Result,
  type ResultRow,
  type ResultValue,
} from "@hadal/sdk";

/** The number of one group in one window. */
export interface GroupValue {
  readonly group: AlertGroupKey;
  readonly value: number | null;
  /** Null: it is exact, or no bounds are known. */
  readonly interval: readonly [number, number] | null;
}

/** What is known of one window. */
export interface WindowAnswer {
  /** By {@link keyOfGroup}. */
  readonly groups: ReadonlyMap<string, GroupValue>;
  readonly completeness: number;
  /** Of the values; absent: they have none. */
  readonly unit?: string;
  /** Why its numbers say nothing; null: they do. */
  readonly fault: string | null;
  /** The fault does not end by itself: a table or a right is gone. */
  readonly isBroken?: true;
}

export const keyOfGroup = (group: AlertGroupKey): string => JSON.stringify(group);

/** Of an answer without time buckets. `column`: with the value. */
export function readWindow(result: Result, column: string, minCompleteness: number): WindowAnswer {
  const read = createRowReader(result, column);
  const groups = new Map<string, GroupValue>();
  for (const [i, row] of result.rows.entries()) {
    const one = read(row, i);
    groups.set(keyOfGroup(one.group), one);
  }
  const { fraction } = result.completeness;
  const fault = faultOf(result, minCompleteness);
  const unit = result.columns.find(({ name, role }) => name === column && role !== "group")?.unit;
  return { groups, completeness: fraction, fault, ...(unit !== undefined && { unit }) };
}

/** Of an answer that there is none of. */
export const noAnswer = (fault: string, isBroken = false): WindowAnswer => ({
  ...{ groups: new Map(), completeness: 0, fault },
  ...(isBroken && { isBroken }),
});

/** Reads the groups and the value of a row; `skip`: how many group columns come before. */
export function createRowReader(
  { columns, intervals }: Pick<Result, "columns" | "intervals">,
  column: string,
  skip = 0,
): (row: ResultRow, index: number) => GroupValue {
  const groupIndexes = columns.flatMap(({ role }, i) => (role === "group" ? [i] : [])).slice(skip);
  const valueIndex = columns.findIndex(({ name, role }) => name === column && role !== "group");
  if (valueIndex < 0) throw new Error(`the answer has no column ${column}`);
  const bars = intervals[column];
  return (row, index) => ({
    group: groupIndexes.map((i) => groupValue(row[i] ?? null)),
    value: numberOf(row[valueIndex] ?? null),
    interval: bars?.[index] ?? null,
  });
}

function faultOf(result: Result, minCompleteness: number): string | null {
  const { completeness, truncated, rows } = result;
  const { fraction, known, leaves } = completeness;
  if (known === false) return "it is not known how many rows are missing";
  if (fraction < minCompleteness) {
    const missing = leaves.missing.length === 0 ? "" : `; missing: ${leaves.missing.join(", ")}`;
    return `${percentOf(fraction)} of the rows answered, less than ${percentOf(minCompleteness)}${missing}`;
  }
  // Groups that are not shown would pass for fine.
  if (rows.length > alertGroupsMax || truncated?.groups !== undefined)
    return `there are more than ${alertGroupsMax} groups: add a filter`;
  return null;
}

/** Rounded down: 99.96 % is no 100 %. */
export const percentOf = (share: number): string => `${Math.floor(share * 10_000) / 100} %`;

function groupValue(value: ResultValue): AlertGroupKey[number] {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  return value.map(String);
}

/** An integer beyond 2^53 loses digits here: no bound of a rule has as many. */
function numberOf(value: ResultValue): number | null {
  if (typeof value === "object") return null;
  const number = typeof value === "string" && value === "" ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}

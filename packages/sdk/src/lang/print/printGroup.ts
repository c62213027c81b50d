import type { BucketBound, GroupBy, Query } from "../../model/query.js";
import { timeColumn } from "../../model/schema.js";
import { printName, printString } from "../base/names.js";
import { type PrintColumn, printNumber } from "../base/printExpression.js";
import { defaultGroupName } from "../lower/lowerGroup.js";

export interface PrintedGroup {
  readonly name: string;
  readonly text: string;
  readonly item: string;
  /** How GROUP BY says it. */
  readonly reference: string;
  /** How calculations say it. */
  readonly meant: string;
  /** Its name alone would mean a column that is grouped by beside it. */
  readonly isAmbiguous: boolean;
}

/**
 * Groups as SELECT and GROUP BY have them. Where one has the name of a column, GROUP BY gives its
 * place in SELECT; `selected`: the items of SELECT, when they are not all groups in their order.
 */
export function printGroups(
  query: Query,
  printColumn: PrintColumn,
  selected: readonly string[] | undefined,
): readonly PrintedGroup[] {
  const { groupBy = [] } = query;
  const used = usedColumns(query);
  const collides = groupBy.some(
    (group) => typeof group === "object" && group.as !== undefined && used.has(group.as),
  );
  const grouped = new Set(groupBy.map(columnOfGroup));
  return groupBy.map((group, i) => {
    const printed = printGroup(group, printColumn);
    const { name, text } = printed;
    const isAmbiguous = grouped.has(name) && columnOfGroup(group) !== name;
    const named = isAmbiguous ? { ...printed, isAmbiguous, meant: text } : printed;
    if (!collides) return named;
    const place = selected === undefined ? i : selected.indexOf(name);
    return { ...named, reference: place < 0 ? text : String(place + 1) };
  });
}

export function columnOfGroup(group: GroupBy): string | null {
  if (typeof group === "string") return group;
  return "column" in group ? group.column : null;
}

/** A group as an item of SELECT, and how GROUP BY names it. */
function printGroup(group: GroupBy, printColumn: PrintColumn): PrintedGroup {
  const text = printGroupKind(group, printColumn);
  const as = typeof group === "string" ? undefined : group.as;
  if (as === undefined) {
    const name = typeof group === "string" ? group : defaultGroupName(group);
    return { name, text, item: text, reference: text, meant: text, isAmbiguous: false };
  }
  const reference = printName(as);
  return {
    name: as,
    text,
    item: `${text} AS ${reference}`,
    reference,
    meant: reference,
    isAmbiguous: false,
  };
}

function printGroupKind(group: GroupBy, printColumn: PrintColumn): string {
  if (typeof group === "string") return printColumn(group);
  if ("column" in group) return printColumn(group.column);
  if ("time" in group) return `time_bucket(${printString(group.time)}, time)`;
  if ("element" in group) return `unnest(${printColumn(group.element)})`;
  const column = printColumn(group.bucket);
  if (group.scale === "log") return `log_bucket(${column})`;
  if (group.edges === undefined) return `bucket(${column}, ${printBound(group.width ?? 0)})`;
  return `bucket(${column}, ARRAY[${group.edges.map(printBound).join(", ")}])`;
}

function printBound(bound: BucketBound): string {
  return typeof bound === "number" ? printNumber(bound) : bound;
}

/** Names that the query uses for columns. */
function usedColumns({ filter, derive, groupBy, aggregates, compare }: Query): ReadonlySet<string> {
  // The range is one of the time.
  const names = new Set([timeColumn, ...(derive ?? []).map(({ as }) => as)]);
  const add = (part: unknown, strings: "names" | "values"): void => {
    if (typeof part === "string" && strings === "names") names.add(part);
    else if (Array.isArray(part)) for (const one of part) add(one, strings);
    else if (typeof part === "object" && part !== null) {
      for (const [key, one] of Object.entries(part))
        add(one, keysOfNames.has(key) ? "names" : "values");
    }
  };
  add([filter, derive, compare?.filter, aggregates], "values");
  add(groupBy, "names");
  return names;
}

const keysOfNames: ReadonlySet<string> = new Set([
  ...["column", "columns", "args", "bucket", "element"],
]);

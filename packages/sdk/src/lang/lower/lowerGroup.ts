import { exactNumber } from "../../model/exactNumber.js";
import type { BucketBound, GroupBy } from "../../model/query.js";
import { timeColumn } from "../../model/schema.js";
import { readInterval } from "../base/interval.js";
import { isTimeColumn, literalOf, withoutParens } from "../base/literal.js";
import { refuse } from "../base/sqlRefusal.js";
import type { CallNode, Node } from "../base/syntax.js";
import { columnOf } from "./lowerExpression.js";
import type { Lowering } from "./lowering.js";

/** PostgreSQL's units of date_trunc, and the bucket each makes. */
const truncUnits: ReadonlyMap<string, string> = new Map([
  ["second", "1s"],
  ["minute", "1m"],
  ["hour", "1h"],
  ["day", "1d"],
  ["week", "1w"],
  ["month", "1mo"],
  ["quarter", "1q"],
  ["year", "1y"],
]);

/** A group without an alias, and the time zone that it names. */
export interface LoweredGroup {
  readonly group: Exclude<GroupBy, string>;
  readonly timeZone: { readonly name: string; readonly at: number } | null;
}

/** Lowers what rows are grouped by; `path` is its place in the query. */
export function lowerGroup(node: Node, path: string, lowering: Lowering): LoweredGroup {
  lowering.mark(path, node.at);
  const inner = withoutParens(node);
  if (inner.kind === "call" && !inner.quoted) {
    const [first] = inner.args;
    switch (inner.name.toLowerCase()) {
      case "time_bucket":
        return lowerTimeBucket(inner, path, lowering);
      case "date_trunc":
        return lowerTimeBucket(inner, path, lowering);
      case "bucket":
        return { group: lowerBucket(inner, path, lowering), timeZone: null };
      case "log_bucket": {
        const bucket = columnOf(expectArgs(inner, 1, 1)[0]!, lowering);
        if (first !== undefined) lowering.mark(`${path}.bucket`, first.at);
        return { group: { bucket, scale: "log" }, timeZone: null };
      }
      case "unnest": {
        const element = columnOf(expectArgs(inner, 1, 1)[0]!, lowering);
        if (first !== undefined) lowering.mark(`${path}.element`, first.at);
        return { group: { element }, timeZone: null };
      }
    }
  }
  return { group: { column: columnOf(inner, lowering) }, timeZone: null };
}

/** Name of a group's result column without alias. */
export function defaultGroupName(group: Exclude<GroupBy, string>): string {
  if ("time" in group) return timeColumn;
  if ("column" in group) return group.column;
  return "bucket" in group ? group.bucket : group.element;
}

function expectArgs(node: CallNode, least: number, most: number): readonly Node[] {
  const { args, at, name, distinct, per } = node;
  if (args.length >= least && args.length <= most && !distinct && per === null) return args;
  const wanted = least === most ? `${least}` : `${least} to ${most}`;
  return refuse(
    at,
    "wrong-arguments",
    `${name} takes ${wanted} argument(s); found ${args.length}.`,
  );
}

function lowerTimeBucket(node: CallNode, path: string, lowering: Lowering): LoweredGroup {
  const [length, column, zone] = expectArgs(node, 2, 3) as [Node, Node, Node?];
  if (!isTimeColumn(column)) {
    return refuse(column.at, "type-mismatch", `${node.name} takes the column time.`);
  }
  lowering.mark(`${path}.time`, length.at);
  const time = node.name.toLowerCase() === "date_trunc" ? truncUnit(length) : bucketLength(length);
  if (zone === undefined) return { group: { time }, timeZone: null };
  const name = literalOf(zone);
  if (typeof name !== "string") {
    return refuse(zone.at, "type-mismatch", "A time zone is a text, such as 'Europe/Berlin'.");
  }
  return { group: { time }, timeZone: { name, at: zone.at } };
}

function truncUnit(node: Node): string {
  const unit = literalOf(node);
  const length = typeof unit === "string" ? truncUnits.get(unit.toLowerCase()) : undefined;
  if (length !== undefined) return length;
  const detail = `date_trunc takes one of ${[...truncUnits.keys()].map((name) => `'${name}'`).join(", ")}.`;
  return refuse(node.at, "invalid-duration", detail);
}

function bucketLength(node: Node): string {
  const inner = withoutParens(node);
  if (inner.kind === "interval") return readInterval(inner.text, inner.at);
  if (inner.kind === "string") return readInterval(inner.value, inner.at);
  return refuse(node.at, "invalid-duration", "A bucket has a length, such as '1m' or '1 hour'.");
}

function lowerBucket(node: CallNode, path: string, lowering: Lowering): Exclude<GroupBy, string> {
  const [column, width] = expectArgs(node, 2, 2) as [Node, Node];
  lowering.mark(`${path}.bucket`, column.at);
  const bucket = columnOf(column, lowering);
  const inner = withoutParens(width);
  if (inner.kind === "array") {
    lowering.mark(`${path}.edges`, inner.at);
    return { bucket, edges: inner.items.map(numberOf) };
  }
  lowering.mark(`${path}.width`, inner.at);
  return { bucket, width: numberOf(inner) };
}

function numberOf(node: Node): BucketBound {
  const inner = withoutParens(node);
  if (inner.kind === "number") return exactNumber(inner.text);
  return refuse(node.at, "type-mismatch", "bucket takes a width, or edges: ARRAY[1, 10, 100].");
}

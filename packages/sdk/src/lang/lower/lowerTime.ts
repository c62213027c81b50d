import { HadalError } from "../../model/problem/problem.js";
import type { TimeText } from "../../model/query.js";
import { hasCalendarSteps, isRelativeTime, resolveTime } from "../../model/time/parseTime.js";
import { lengthsOfInterval, msOfDuration, readInterval } from "../base/interval.js";
import { isInteger, isTimeColumn, withoutParens } from "../base/literal.js";
import { refuse } from "../base/sqlRefusal.js";
import type { ChainNode, Node } from "../base/syntax.js";

/** The time range of a query and the conditions that are left of WHERE. */
export interface TakenRange {
  readonly from: Bound;
  readonly to: Bound;
  readonly rest: readonly Node[];
}

interface Bound {
  readonly text: TimeText;
  readonly at: number;
}

/** What to write, when it was left out. */
const example = "WHERE time >= now() - INTERVAL '3 hours' AND time < now()";

/**
 * Takes the first lower and the first upper bound of `time` out of conditions that all have to be
 * true.
 */
export function takeTimeRange(where: Node | null, tableEnd: number): TakenRange {
  const found: { from: Bound | null; to: Bound | null } = { from: null, to: null };
  const take = (node: Node): readonly Node[] => {
    if (found.from !== null && found.to !== null) return [node];
    const inner = withoutParens(node);
    if (inner.kind === "and") {
      const rest = inner.operands.flatMap(take);
      if (rest.length === inner.operands.length) return [node];
      return rest.length > 1 ? [{ ...inner, operands: rest }] : rest;
    }
    const bounds = boundsOf(inner);
    const takesFrom = bounds.from !== null && found.from === null;
    const takesTo = bounds.to !== null && found.to === null;
    if (takesFrom) found.from = bounds.from;
    if (takesTo) found.to = bounds.to;
    const isTaken = (bounds.from === null || takesFrom) && (bounds.to === null || takesTo);
    return isTaken && (takesFrom || takesTo) ? [] : [node];
  };
  const top = where === null ? null : withoutParens(where);
  const nodes = top === null ? [] : top.kind === "and" ? top.operands : [top];
  const rest = nodes.flatMap(take);
  const { from, to } = found;
  if (from !== null && to !== null) return { from, to, rest };
  const lacks = from === null && to === null ? "" : from === null ? "its beginning" : "its end";
  const detail =
    lacks === ""
      ? `A query needs a time range: write ${example}.`
      : `The time range lacks ${lacks}: write ${example}.`;
  return refuse(where?.at ?? tableEnd, "time-range-missing", detail);
}

/** What a condition says of the range, if that is all it says. */
function boundsOf(node: Node): { readonly from: Bound | null; readonly to: Bound | null } {
  const none = { from: null, to: null };
  if (node.kind === "between" && !node.negated && isTimeColumn(node.operand)) {
    const low = readTimeText(node.low);
    const high = readTimeText(node.high);
    if (low === null || high === null) return none;
    return { from: { text: low, at: node.low.at }, to: after(high, node.high.at) };
  }
  if (node.kind !== "compare") return none;
  const isLeft = isTimeColumn(node.operand);
  if (!isLeft && !isTimeColumn(node.right)) return none;
  const side = isLeft ? node.right : node.operand;
  const text = readTimeText(side);
  if (text === null) return none;
  const bound = { text, at: side.at };
  const op = isLeft ? node.op : flipOrder(node.op);
  if (op === ">=") return { from: bound, to: null };
  if (op === ">") return { from: after(text, side.at), to: null };
  if (op === "<") return { from: null, to: bound };
  if (op === "<=") return { from: null, to: after(text, side.at) };
  return op === "=" ? { from: bound, to: after(text, side.at) } : none;
}

function flipOrder(op: string): string {
  return op.startsWith("<") ? op.replace("<", ">") : op.replace(">", "<");
}

/** The next millisecond: times are whole ones, so `time <= x` is `time < x + 1 ms`. */
function after(text: TimeText, at: number): Bound {
  if (isRelativeTime(text)) {
    const match = /^(?:now)?\s*(?:([+-])\s*(\d+[a-z]+))?$/.exec(String(text).trim());
    // How long a month is, the calendar says when the query is resolved.
    if (match === null || hasCalendarSteps(text)) return { text: `${text}+1ms`, at };
    const lengthMs = match[2] === undefined ? 0 : msOfDuration(match[2], at);
    const ms = (match[1] === "-" ? -lengthMs : lengthMs) + 1;
    return { text: relative(ms), at };
  }
  if (hasCalendarSteps(text)) return { text: `${text}+1ms`, at };
  return { text: absoluteMs(text, at) + 1, at };
}

function absoluteMs(text: TimeText, at: number): number {
  try {
    return resolveTime(text, 0);
  } catch (error) {
    if (!(error instanceof HadalError)) throw error;
    return refuse(at, "time-range-invalid", error.message);
  }
}

/** A time at a distance in milliseconds from now. */
function relative(ms: number): string {
  if (ms === 0) return "now";
  return ms < 0 ? `-${-ms}ms` : `now+${ms}ms`;
}

/** A node as a time of the model; null when it is none. */
export function readTimeText(node: Node): TimeText | null {
  const inner = withoutParens(node);
  switch (inner.kind) {
    case "string":
      return inner.value;
    case "timestamp":
      return inner.text;
    case "number":
      return isInteger(inner.text) ? Number(inner.text) : null;
    case "name":
      return !inner.quoted && /^(current_timestamp|localtimestamp)$/i.test(inner.value)
        ? "now"
        : null;
    case "call":
      return isNow(inner) ? "now" : null;
    case "chain":
      return readTimeChain(inner);
    default:
      return null;
  }
}

function isNow(node: Node): boolean {
  return node.kind === "call" && !node.quoted && node.args.length === 0 && /^now$/i.test(node.name);
}

/** `now() - INTERVAL '3 hours'`, or a time and intervals added to it. */
function readTimeChain({ first, rest }: ChainNode): TimeText | null {
  const start = readTimeText(first);
  if (start === null) return null;
  const steps: { readonly sign: 1 | -1; readonly duration: string; readonly at: number }[] = [];
  for (const { op, operand } of rest) {
    const inner = withoutParens(operand);
    if (inner.kind !== "interval" || (op !== "+" && op !== "-")) return null;
    const lengths = lengthsOfInterval(inner.text, inner.at);
    const isSummed = !lengths.some((length) => hasCalendarSteps(`-${length}`));
    for (const duration of isSummed ? [readInterval(inner.text, inner.at)] : lengths) {
      steps.push({ sign: op === "+" ? 1 : -1, duration, at: inner.at });
    }
  }
  const written = steps.map(({ sign, duration }) => `${sign < 0 ? "-" : "+"}${duration}`).join("");
  if (hasCalendarSteps(written)) return withSteps(start, written);
  const [only] = steps;
  if (start === "now" && steps.length === 1 && only !== undefined) {
    return only.sign < 0 ? `-${only.duration}` : `now+${only.duration}`;
  }
  const ms = steps.reduce(
    (sum, { sign, duration, at }) => sum + sign * msOfDuration(duration, at),
    0,
  );
  if (start === "now") return relative(ms);
  return absoluteMs(start, first.at) + ms;
}

/**
 * A time and the months that are added to it or taken from it, which only the calendar of a zone
 * can do.
 */
function withSteps(start: TimeText, steps: string): string {
  return start === "now" && steps.startsWith("-") ? steps : `${start}${steps}`;
}

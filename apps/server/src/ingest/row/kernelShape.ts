import { accepts, type JsonPlace, placesMax } from "@hadal/kernel-wasm";
import { sampleRateMax } from "@hadal/sdk";
import type { PathNode } from "../column/rowPath.js";
import { decimalsOf } from "../column/ruledValue.js";
import { earliestOf, latestOf } from "../value/rowTime.js";
import type { TimeRule } from "../value/timeRule.js";

/**
 * The names that the kernel reads in a batch's rows, and the types of values that it accepts: those
 * of the columns so far.
 */
export interface KernelShape {
  /** Those of the rows themselves first, then the ones within objects. */
  readonly nodes: readonly PathNode[];
  readonly places: readonly JsonPlace[];
  /** Which of the places is the event time. */
  readonly time: number;
}

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;
/** Names deeper down are left to those who know how deep a row may be. */
const levelsMax = 16;

/**
 * The shape of rows with these names; `before` if it is unchanged; null when the kernel cannot read
 * them.
 */
export function shapeOf(
  root: PathNode,
  before: KernelShape | null,
  timeRule: TimeRule,
): KernelShape | null {
  // The kernel does not report in which form it read a time.
  if (timeRule.forms !== undefined) return null;
  const { nodes, children } = listNodes(root);
  const time = nodes.findIndex(({ role }) => role === "time");
  if (time < 0) return null;
  const placesBefore = before?.places ?? [];
  const places = nodes.map((node, i) =>
    placeOf(node, children[i]!, timeRule, before?.nodes[i] === node ? placesBefore[i] : undefined),
  );
  const isSame =
    places.length === placesBefore.length && places.every((place, i) => place === placesBefore[i]);
  return isSame ? before : { nodes, places, time };
}

type Span = readonly [first: number, end: number];

interface ListedNodes {
  readonly nodes: readonly PathNode[];
  /** Which of them are the names within the objects of each. */
  readonly children: readonly Span[];
}

/** Level by level, as many as the kernel has room for. */
function listNodes(root: PathNode): ListedNodes {
  const nodes: PathNode[] = [];
  const children: Span[] = [];
  const names = new Set<string>();
  const addAll = (parent: PathNode): Span => {
    const first = nodes.length;
    for (const node of parent.children.values()) {
      if (nodes.length === placesMax) break;
      // `a.b` may be a name, and b within a: which of the two came last in a row is not known to
      // the kernel.
      if (acceptsOf(node) === 0 || names.has(node.name)) continue;
      names.add(node.name);
      nodes.push(node);
    }
    return [first, nodes.length];
  };
  let [, levelEnd] = addAll(root);
  for (let level = 1, i = 0; i < nodes.length; i++) {
    if (i === levelEnd) {
      level++;
      levelEnd = nodes.length;
    }
    children.push(level < levelsMax ? addAll(nodes[i]!) : [nodes.length, nodes.length]);
  }
  return { nodes, children };
}

/**
 * Rows must leave the columns as they are: a value of another type is for those who keep it beside
 * them.
 */
function acceptsOf({ role, rule, column }: PathNode): number {
  if (role === "time") return accepts.integer | accepts.time;
  const type = column?.type ?? null;
  if (role === "sampleRate") return type === "int" ? accepts.integer | accepts.null : 0;
  const any = accepts.null | accepts.object;
  if (type === null) return any;
  // Of values that have to be turned into the type that was set, none comes here.
  if (rule?.type !== undefined && (rule.type !== type || type === "set" || type === "vector"))
    return 0;
  if (type === "int") return accepts.integer | accepts.fraction | any;
  return accepts[type] | any;
}

/** Numbers in other units are read digit by digit, without the kernel. */
function acceptsOfTime({ unit }: TimeRule): number {
  return unit === null || unit === "ms" ? accepts.integer | accepts.time : accepts.time;
}

/** `before` if it is unchanged for this node. */
function placeOf(
  node: PathNode,
  children: Span,
  timeRule: TimeRule,
  before: JsonPlace | undefined,
): JsonPlace {
  const accepts = node.role === "time" ? acceptsOfTime(timeRule) : acceptsOf(node);
  if (before?.accepts === accepts && isSameSpan(before.children, children)) return before;
  // A name that is escaped in another way is left to those who know them all.
  const key = before?.key ?? Buffer.from(`${JSON.stringify(node.ownName)}:`);
  return { key, accepts, decimals: decimalsOf(node), children, ...boundsOf(node, timeRule) };
}

function isSameSpan(before: Span | undefined, [first, end]: Span): boolean {
  return before?.[0] === first && before[1] === end;
}

function boundsOf({ role }: PathNode, timeRule: TimeRule): Pick<JsonPlace, "min" | "max"> {
  if (role === "time") {
    // The kernel does not distinguish older ISO-8601 times from integers: it leaves both.
    return { min: BigInt(earliestOf(timeRule)), max: BigInt(latestOf(timeRule)) };
  }
  if (role === "sampleRate") return { min: 1n, max: BigInt(sampleRateMax) };
  return { min: int64Min, max: int64Max };
}

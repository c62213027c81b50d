import { accepts, type JsonPlace, placesMax } from "@hadal/kernel-wasm";
import { sampleRateMax } from "@hadal/sdk";
import type { PathNode } from "./rowPath.js";
import { rowTimeMsMax, rowTimeMsMin } from "./rowTime.js";
import { decimalsOf } from "./ruledValue.js";

/** The names that the kernel reads of a batch's rows, and what it takes as their values: what the columns are already. */
export interface KernelShape {
  /** Those of the rows themselves first, then the ones within objects. */
  readonly nodes: readonly PathNode[];
  readonly places: readonly JsonPlace[];
  /** Which of the places is the event time. */
  readonly time: number;
}

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** The shape of rows with these names; `before` if that still holds; null when the kernel can read none of them. */
export function shapeOf(root: PathNode, before: KernelShape | null): KernelShape | null {
  const { nodes, children } = listNodes(root);
  const isSame =
    before !== null &&
    before.nodes.length === nodes.length &&
    before.places.every(
      (place, i) => before.nodes[i] === nodes[i] && place.accepts === acceptsOf(nodes[i]!),
    );
  if (isSame) return before;
  const time = nodes.findIndex(({ role }) => role === "time");
  const places = nodes.map((node, i) => placeOf(node, children[i]!));
  return time < 0 ? null : { nodes, places, time };
}

interface ListedNodes {
  readonly nodes: readonly PathNode[];
  /** Which of them are the names within the objects of each. */
  readonly children: readonly (readonly [first: number, end: number])[];
}

/** As many as the kernel has room for, level by level. */
function listNodes(root: PathNode): ListedNodes {
  const nodes: PathNode[] = [];
  const children: [number, number][] = [];
  const names = new Set<string>();
  const add = (node: PathNode): void => {
    // `a.b` may be a name, and b within a: which of the two came last in a row is not known to the kernel.
    if (nodes.length === placesMax || names.has(node.name) || acceptsOf(node) === 0) return;
    names.add(node.name);
    nodes.push(node);
  };
  for (const node of root.children.values()) add(node);
  for (const node of nodes) {
    const first = nodes.length;
    for (const child of node.children.values()) add(child);
    children.push([first, nodes.length]);
  }
  return { nodes, children };
}

/** Rows must leave the columns as they are: a value of another type is for those who widen them. */
function acceptsOf({ role, rule, column }: PathNode): number {
  if (role === "time") return accepts.integer | accepts.time;
  const type = column?.type ?? null;
  if (role === "sampleRate") return type === "int" ? accepts.integer | accepts.null : 0;
  const object = role === "column" ? accepts.object : 0;
  if (type === null) return accepts.null | object;
  // Of values that have to be turned into the type that was set, none comes here.
  if (rule?.type !== undefined && (rule.type !== type || type === "set" || type === "vector"))
    return 0;
  if (type === "int") return accepts.integer | accepts.fraction | accepts.null | object;
  return accepts[type] | accepts.null | object;
}

function placeOf(node: PathNode, children: readonly [number, number]): JsonPlace {
  // A key that is escaped in another way is left to those who know them all.
  const key = Buffer.from(`${JSON.stringify(node.key)}:`);
  return { key, accepts: acceptsOf(node), decimals: decimalsOf(node), children, ...boundsOf(node) };
}

function boundsOf({ role }: PathNode): Pick<JsonPlace, "min" | "max"> {
  if (role === "time") return { min: BigInt(rowTimeMsMin), max: BigInt(rowTimeMsMax) };
  if (role === "sampleRate") return { min: 1n, max: BigInt(sampleRateMax) };
  return { min: int64Min, max: int64Max };
}

import { accepts, type JsonPlace } from "@hadal/kernel-wasm";
import { sampleRateMax } from "@hadal/sdk";
import type { PathNode } from "./rowPath.js";
import { rowTimeMsMax, rowTimeMsMin } from "./rowTime.js";
import { decimalsOf } from "./ruledValue.js";

/** The names that the kernel reads of a batch's rows, and what it takes as their values: what the columns are already. */
export interface KernelShape {
  readonly nodes: readonly PathNode[];
  readonly places: readonly JsonPlace[];
  /** Which of the places is the event time. */
  readonly time: number;
}

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** The shape of rows with these names; `before` if that still holds; null when the kernel can read none of them. */
export function shapeOf(root: PathNode, before: KernelShape | null): KernelShape | null {
  const nodes: PathNode[] = [];
  for (const node of root.children.values()) if (acceptsOf(node) !== 0) nodes.push(node);
  const isSame =
    before !== null &&
    before.nodes.length === nodes.length &&
    before.places.every(
      (place, i) => before.nodes[i] === nodes[i] && place.accepts === acceptsOf(nodes[i]!),
    );
  if (isSame) return before;
  const time = nodes.findIndex(({ role }) => role === "time");
  return time < 0 ? null : { nodes, places: nodes.map(placeOf), time };
}

/** Rows must leave the columns as they are: a value of another type is for those who widen them. */
function acceptsOf({ role, rule, column }: PathNode): number {
  if (role === "time") return accepts.integer;
  const type = column?.type ?? null;
  if (type === null) return 0;
  if (role === "sampleRate") return type === "int" ? accepts.integer | accepts.null : 0;
  // Of values that have to be turned into the type that was set, none comes here.
  if (rule?.type !== undefined && (rule.type !== type || type === "set" || type === "vector"))
    return 0;
  if (type === "int") return accepts.integer | accepts.fraction | accepts.null;
  return accepts[type] | accepts.null;
}

function placeOf(node: PathNode): JsonPlace {
  return {
    // A name that is escaped in another way is left to those who know them all.
    key: Buffer.from(`${JSON.stringify(node.name)}:`),
    accepts: acceptsOf(node),
    decimals: decimalsOf(node),
    ...boundsOf(node),
  };
}

function boundsOf({ role }: PathNode): Pick<JsonPlace, "min" | "max"> {
  if (role === "time") return { min: BigInt(rowTimeMsMin), max: BigInt(rowTimeMsMax) };
  if (role === "sampleRate") return { min: 1n, max: BigInt(sampleRateMax) };
  return { min: int64Min, max: int64Max };
}

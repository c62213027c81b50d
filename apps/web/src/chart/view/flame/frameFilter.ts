import type { Filter } from "@hadal/sdk";
import type { FlameFrame } from "./buildFlame.js";
import { pathOf } from "./layoutFlame.js";

/** The stack column, and from which end its stacks were merged. */
export interface MergedStacks {
  readonly column: string;
  readonly fromLast: boolean;
}

/** Filters for the rows whose stack contains the path to the frame. */
export function filtersOfFrame(frame: FlameFrame, { column, fromLast }: MergedStacks): Filter[] {
  if (frame.parent === null || frame.isRest) return [];
  const path = pathOf(frame);
  return fromLast
    ? [{ column, op: "ends with", value: path.reverse() }]
    : [{ column, op: "starts with", value: path }];
}

import type { Filter } from "@hadal/sdk";
import type { FlameFrame } from "./buildFlame.js";
import { pathOf } from "./layoutFlame.js";

/** Rows whose stack leads through the frame. */
export function filtersOfFrame(frame: FlameFrame, column: string, fromLast: boolean): Filter[] {
  if (frame.parent === null || frame.isRest) return [];
  const path = pathOf(frame);
  return fromLast
    ? [{ column, op: "ends with", value: path.reverse() }]
    : [{ column, op: "starts with", value: path }];
}

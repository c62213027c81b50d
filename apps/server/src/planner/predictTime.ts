import type { PlanParts } from "@hadal/sdk";
import type { TreeShape } from "./treeShape.js";

/** Measured times of one kind of query, in milliseconds. */
export interface TreeCosts {
  /** T_S: a machine's wait for its slowest leaf. */
  readonly ts: number;
  /** T_A: reading and merging one child's answer. */
  readonly ta: number;
  /** T_D and T_G: the ways between an aggregator and its child. */
  readonly td: number;
  readonly tg: number;
}

/**
 * The time of a query in its parts, which add up to
 *
 *     T_L = T_S + L · (T_D + T_G) + (F · (L − 1) + R + D) · T_A
 *
 * This is Equation 4 of the Scuba paper expanded: T_L = T_D + T_G + T_(L−1) + T_A · F_L, from T_0 = T_S + T_A · D on.
 * Equation 5 as printed there lacks T_A on R and D: those are numbers of children, not times.
 */
export function predictParts(
  { levels, childrenOnPath }: TreeShape,
  { ts, ta, td, tg }: TreeCosts,
): PlanParts {
  return { scanMs: ts, linksMs: levels * (td + tg), mergeMs: childrenOnPath * ta };
}

export const sumOfParts = ({ scanMs, linksMs, mergeMs }: PlanParts): number =>
  scanMs + linksMs + mergeMs;

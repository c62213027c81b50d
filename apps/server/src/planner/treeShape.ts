import { HadalError, type PlanLevel, type PlanNumber, planFault } from "@hadal/sdk";

/** Numbers that make a tree: N, D and F of the Scuba paper. */
export interface TreeSize {
  readonly machines: number;
  /** Leaves of each machine. */
  readonly leaves: number;
  readonly fanOut: number;
}

export interface TreeShape extends TreeSize {
  /** L = ⌈log_F N⌉ (Equation 1). */
  readonly levels: number;
  /**
   * Children on the way from the root to a leaf, added up: F · (L − 1) + R + D, where the lowest level above
   * the machines has R = ⌈N ÷ F^(L−1)⌉ children (Equations 2 and 3). One machine has only its D leaves.
   */
  readonly childrenOnPath: number;
}

/** The shape of the tree. Throws `bad-request` for numbers that make none. */
export function treeShape(size: TreeSize): TreeShape {
  checkNumber("machines", size.machines);
  checkNumber("leaves", size.leaves);
  checkNumber("fanOut", size.fanOut);
  return shapeOfTree(size);
}

/** The same of a tree that runs: it is what it is, also while a cluster has no machine. */
export function shapeOfTree({ machines, leaves, fanOut }: TreeSize): TreeShape {
  const levels = levelsOf(machines, fanOut);
  const above = levels === 0 ? 0 : fanOut * (levels - 1) + childrenOfLevel(1, machines, fanOut);
  return { machines, leaves, fanOut, levels, childrenOnPath: above + leaves };
}

/** Every level with its aggregators, the root first. */
export function levelsOfTree({ machines, leaves, fanOut, levels }: TreeShape): PlanLevel[] {
  const tree: PlanLevel[] = [];
  for (let level = levels; level > 0; level--) {
    const aggregators = fanOut ** (levels - level);
    tree.push({ level, aggregators, children: childrenOfLevel(level, machines, fanOut) });
  }
  tree.push({ level: 0, aggregators: machines, children: leaves });
  return tree;
}

/** F_L: the widest aggregator of a level above the machines. */
function childrenOfLevel(level: number, machines: number, fanOut: number): number {
  // The remainder lies at the bottom: there parts have R machines, and some one fewer.
  return level > 1 ? fanOut : Math.ceil(machines / fanOut ** (levelsOf(machines, fanOut) - 1));
}

/** Counted, since a logarithm of 125 to the base 5 is a little more than 3. */
function levelsOf(machines: number, fanOut: number): number {
  let levels = 0;
  for (let reached = 1; reached < machines; reached *= fanOut) levels += 1;
  return levels;
}

/** Throws `bad-request` unless the value is a whole number within its bounds. */
export function checkNumber(name: PlanNumber, value: number): void {
  const fault = planFault(name, value);
  if (fault === null) return;
  throw new HadalError("bad-request", { detail: `${name} is ${value}; it ${fault}.` });
}

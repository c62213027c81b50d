/** Whether a comparison holds between two values of this order; written apart from the engine's, which it checks. */
export function naiveHolds(op: string, order: number): boolean {
  const holding: Readonly<Record<string, readonly number[]>> = {
    "=": [0],
    "!=": [-1, 1],
    "<": [-1],
    "<=": [-1, 0],
    ">": [1],
    ">=": [0, 1],
  };
  return holding[op]?.includes(Math.sign(order) + 0) ?? false;
}

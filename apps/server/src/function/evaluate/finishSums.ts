import type { AdditivePart } from "../compile/additiveFunction.js";
import type { TypedExpression } from "../term/typedExpression.js";
import { createEvaluator, type Evaluator } from "./evaluate.js";

/**
 * Merges the states of an additive function and finishes them as its own code would, group by group: part is added to part
 * in the order of the states, as doubles. `states`: of each group the JSON texts of its states.
 */
export function finishSums(
  states: readonly (readonly string[])[],
  parts: readonly AdditivePart[],
  finish: TypedExpression,
): readonly (number | null)[] {
  const finished = createEvaluator(finish);
  return states.map((texts) => finishGroup(texts, parts, finished));
}

function finishGroup(
  texts: readonly string[],
  parts: readonly AdditivePart[],
  finished: Evaluator,
): number | null {
  // No state: what `init` gives, all zeros.
  let sums: readonly number[] = parts.map(() => 0);
  texts.forEach((text, i) => {
    const state = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const own = parts.map(({ name }) => numberOf(state[name]));
    sums = i === 0 ? own : sums.map((sum, part) => sum + own[part]!);
  });
  const value = finished(sums);
  // What is no number a result can have is missing; of zeros there is one.
  return typeof value === "number" && Number.isFinite(value) ? value + 0 : null;
}

/** What JSON cannot say of a number stands in an object. */
export const numberTag = "\u0000number";
export const bigintTag = "\u0000bigint";

function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "object" && value !== null && numberTag in value) {
    return Number((value as Readonly<Record<string, unknown>>)[numberTag]);
  }
  throw new Error("a part of an additive state is no number");
}

import {
  type AggregateSpec,
  type FunctionAggregate,
  isFunctionAggregate,
  isNumberAggregate,
} from "@hadal/sdk";

/** A number to show: a built-in one, or a saved function over rows. Each tells what the other has, as absent. */
export type Aggregate =
  | (AggregateSpec & { readonly columns?: never })
  | (FunctionAggregate & {
      readonly column?: never;
      readonly p?: never;
      readonly per?: never;
    });

/** As queries have it, told apart. */
export const aggregateOf = (spec: AggregateSpec | FunctionAggregate): Aggregate =>
  isFunctionAggregate(spec) ? spec : (spec as AggregateSpec & { readonly columns?: never });

/** Counts events; a saved function may be called so too. */
export const isCount = (spec: Aggregate): boolean =>
  spec.fn === "count" && !isFunctionAggregate(spec);

/** One number per group, which can be drawn, ordered by and subtracted. */
export const isNumber = (spec: Aggregate): boolean => isNumberAggregate(spec);

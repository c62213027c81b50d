import {
  type AggregateSpec,
  aggregateName,
  type Filter,
  type FunctionAggregate,
  isFunctionAggregate,
  isNumberAggregate,
} from "@hadal/sdk";

interface NoCall {
  readonly columns?: never;
  readonly by?: never;
}

interface NoSpec {
  readonly column?: never;
  readonly p?: never;
  readonly per?: never;
  readonly where?: never;
}

/** A built-in aggregate of all rows, or of the rows that match a condition. */
export type BuiltIn = AggregateSpec & { readonly where?: Filter } & NoCall;

/** A saved function over rows. */
type Call = FunctionAggregate & NoSpec & { readonly by?: never };

/** One aggregate of a query. */
export type Plain = BuiltIn | Call;

/** One number divided by another. */
export interface Ratio extends NoSpec {
  readonly fn: "ratio";
  readonly of: Plain;
  readonly by: Plain;
  /** 100 times as much, in percent. */
  readonly percent?: true;
  readonly columns?: never;
  readonly as?: string;
}

/** A number to show. Each kind declares the properties of the others as absent. */
export type Aggregate = Plain | Ratio;

/** As queries have it, by its kind. */
export const aggregateOf = (spec: AggregateSpec | FunctionAggregate): Plain =>
  isFunctionAggregate(spec) ? spec : (spec as BuiltIn);

export const isRatio = (spec: Aggregate): spec is Ratio => spec.by !== undefined;

/** The same of all rows, by its own name. */
export function ofAllRows({ where: _, as: __, ...spec }: BuiltIn): AggregateSpec {
  return spec;
}

/** Counts events; a saved function may be called so too. */
export const isCount = (spec: Aggregate): boolean =>
  spec.fn === "count" && spec.columns === undefined && spec.where === undefined;

/** One number per group, which can be drawn, ordered by and subtracted. */
export const isNumber = (spec: Aggregate): boolean => isRatio(spec) || isNumberAggregate(spec);

/** The result column of a plain aggregate without condition and alias. */
export const plainName = (spec: AggregateSpec | FunctionAggregate): string => aggregateName(spec);

/** The type of a calculation with finished numbers. Exact: integers and decimals, as bigints without their point. */
export type CalculationType = "exact" | "float" | "text" | "truth";

interface Typed {
  readonly type: CalculationType;
  /** Of exact numbers. */
  readonly decimals: number;
}

export type CalculatedValue = bigint | number | string | boolean | null;

/** A calculated column, bound to the groups and aggregates of its query. */
export type Calculation = Typed &
  (
    | { readonly kind: "aggregate"; readonly index: number }
    | { readonly kind: "key"; readonly groupIndex: number }
    | { readonly kind: "constant"; readonly value: CalculatedValue }
    | {
        readonly kind: "call";
        readonly fn: CalculationFn;
        readonly args: readonly Calculation[];
        /** Of `extract`. */
        readonly zone?: string;
      }
  );

/** The functions of expressions that results know too. */
export const calculationFns = [
  ...(["+", "-", "*", "/", "%", "negate", "abs", "least", "greatest", "to_int"] as const),
  ...(["floor", "ceil", "round", "trunc", "sign", "sqrt", "power", "to_decimal"] as const),
  ...(["=", "!=", "<", "<=", ">", ">=", "in", "is missing", "is present"] as const),
  ...(["concat", "to_string", "lower", "upper", "pattern", "length"] as const),
  ...(["trim", "ltrim", "rtrim", "left", "right", "position", "lpad", "rpad"] as const),
  ...(["concat_ws", "substr", "replace", "regexp_extract", "regexp_replace", "extract"] as const),
  ...(["contains", "starts_with", "ends_with", "like", "~"] as const),
  ...(["and", "or", "not", "case", "coalesce", "nullif"] as const),
] as const;

export type CalculationFn = (typeof calculationFns)[number];

/** Beyond these digits a product of decimals is cut off, unless one side has more already: as of derived columns. */
export const productDecimalsMax = 6;

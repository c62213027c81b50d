/** What an expression can be, as bits. `integer`: its numbers are whole, or NaN, or infinite. */
export interface Kind {
  readonly bits: number;
  readonly integer: boolean;
}

export const bit = {
  number: 1,
  string: 2,
  boolean: 4,
  null: 8,
  undefined: 16,
  /** A list of strings. */
  list: 32,
  date: 64,
  other: 128,
} as const;

export const kind = (bits: number, integer = true): Kind => ({ bits, integer });
export const kinds = {
  nothing: kind(0),
  integer: kind(bit.number),
  number: kind(bit.number, false),
  string: kind(bit.string),
  boolean: kind(bit.boolean),
  null: kind(bit.null),
  undefined: kind(bit.undefined),
  list: kind(bit.list),
  date: kind(bit.date),
  any: kind(255, false),
} as const;

export function join(...parts: readonly Kind[]): Kind {
  const bits = parts.reduce((sum, part) => sum | part.bits, 0);
  return { bits, integer: parts.every((part) => part.integer) };
}

export const orMissing = (of: Kind): Kind => join(of, kinds.undefined);

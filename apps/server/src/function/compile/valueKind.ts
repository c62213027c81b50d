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

/** Whose numbers, if any, are whole. */
const whole = (bits: number): Kind => ({ bits, integer: true });
const broken = (bits: number): Kind => ({ bits, integer: false });

export const kinds = {
  nothing: whole(0),
  integer: whole(bit.number),
  number: broken(bit.number),
  string: whole(bit.string),
  boolean: whole(bit.boolean),
  null: whole(bit.null),
  undefined: whole(bit.undefined),
  list: whole(bit.list),
  date: whole(bit.date),
  other: broken(bit.other),
  any: broken(255),
} as const;

export function join(...parts: readonly Kind[]): Kind {
  const bits = parts.reduce((sum, part) => sum | part.bits, 0);
  return { bits, integer: parts.every((part) => part.integer) };
}

export const orMissing = (of: Kind): Kind => join(of, kinds.undefined);

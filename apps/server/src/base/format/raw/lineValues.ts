/** A value that is a number whatever the line is. */
export class LineNumber {
  constructor(readonly text: string) {}
}

/** Values of a line by column. */
export type LineValues = Map<string, string | LineNumber>;

/**
 * Which lines belong to the event before: none; those that are indented, and the words with which
 * stack traces go on; or all that the pattern does not match.
 */
export type Multiline = (typeof multilines)[number];

export const multilines = ["none", "indented", "unmatched"] as const;

/** How raw lines are read. */
export interface LinePattern {
  readonly multiline: Multiline;
  /** Without a time of its own, a line counts from when it is received. */
  readonly mayLackTime: boolean;
  /** Longer lines are not matched. */
  readonly lineUnitsMax: number;
  /** The values of a line; null where the pattern does not match it. */
  match(line: string): LineValues | null;
}

/** Groups of an expression; those of `numbers` are numbers, `-` is missing. */
export function valuesOf(
  groups: Readonly<Record<string, string | undefined>> | undefined,
  numbers: readonly string[] = [],
): LineValues {
  const values: LineValues = new Map();
  for (const [name, text] of Object.entries(groups ?? {})) {
    if (text === undefined || text === "" || text === "-") continue;
    values.set(name, numbers.includes(name) ? new LineNumber(text) : text);
  }
  return values;
}

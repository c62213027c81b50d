/** The values of a group-by column's codes; 0 is the group of missing values. */
export interface GroupValues {
  /** Number of codes, the one for missing included. */
  readonly codeCount: number;
  /** Code of a value, or 0 when it has none. */
  codeOf(text: string): number;
  valueOf(code: number): string;
}

/**
 * Codes of one dictionary, followed by those of strings that it lacks. A snapshot: what enters the
 * dictionary later has no code here.
 */
export class ExtendedValues implements GroupValues {
  readonly #first: GroupValues;
  readonly #firstCount: number;
  readonly #rest = new Map<string, number>();
  readonly #values: string[] = [];

  constructor(first: GroupValues) {
    this.#first = first;
    this.#firstCount = first.codeCount;
  }

  get codeCount(): number {
    return this.#firstCount + this.#values.length;
  }

  /** Whether the codes of this dictionary are its own. */
  valuesAre(first: GroupValues): boolean {
    return this.#first === first;
  }

  codeOf(text: string): number {
    const code = this.#first.codeOf(text);
    return code > 0 && code < this.#firstCount ? code : (this.#rest.get(text) ?? 0);
  }

  intern(text: string): number {
    const known = this.codeOf(text);
    if (known !== 0) return known;
    const code = this.#firstCount + this.#values.push(text) - 1;
    this.#rest.set(text, code);
    return code;
  }

  valueOf(code: number): string {
    return code < this.#firstCount
      ? this.#first.valueOf(code)
      : this.#values[code - this.#firstCount]!;
  }
}

/** Columns with more values are stored otherwise: a Map ends the process at 16,777,216 entries. */
const dictionaryCodesMax = 4_194_304;
/** … and with larger ones: they are on the heap, which has a few GB for all columns. */
const dictionaryBytesMax = 268_435_456;

/** Whether it is to take no more. */
export const isFull = (
  { codeCount, bytes }: Pick<Dictionary, "codeCount" | "bytes">,
  codesMax = dictionaryCodesMax,
): boolean => codeCount > codesMax || bytes > dictionaryBytesMax;

/**
 * Distinct values of one column on one leaf (S25); code 0 means missing, so that a group or a test of
 * presence needs no bitmap. Grows only: codes stay valid for as long as any segment uses them.
 */
export class Dictionary {
  readonly #codes = new Map<string, number>();
  readonly #values: string[] = [""];
  #bytes = 0;

  /** Number of codes, the one for missing included. */
  get codeCount(): number {
    return this.#values.length;
  }

  /** Estimate of what the values take: UTF-16 units and an entry each in two containers. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Code of the value, or 0 when it is not there. */
  codeOf(value: string): number {
    return this.#codes.get(value) ?? 0;
  }

  intern(value: string): number {
    const known = this.#codes.get(value);
    if (known !== undefined) return known;
    const own = ownCopy(value);
    const code = this.#values.length;
    this.#values.push(own);
    this.#codes.set(own, code);
    this.#bytes += own.length + 48;
    return code;
  }

  valueOf(code: number): string {
    const value = this.#values[code];
    if (value === undefined || code === 0) throw new Error(`no value has code ${code}`);
    return value;
  }
}

/** A slice of a long string keeps the whole of it alive in V8 when it has 13 units or more. */
function ownCopy(value: string): string {
  return value.length < 13 ? value : Buffer.from(value, "utf16le").toString("utf16le");
}

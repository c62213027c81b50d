/**
 * A call of the kernel costs as much as reading this many rows without it, and one row more for
 * each `namesARow` names.
 */
const rowsMin = 4;
const namesARow = 32;
/**
 * Where the kernel can read few rows, at most this many are read without it before it is tried
 * again.
 */
const withoutMax = 64;

/** Decides whether the next row is read with the kernel or without it. */
export class KernelUse {
  #without = 0;
  #left = 0;

  /** New bytes are tried with the kernel. */
  startAgain(): void {
    this.#left = 0;
  }

  /** Whether the kernel is used; if not, one row is read without it. */
  next(): boolean {
    if (this.#left === 0) return true;
    this.#left--;
    return false;
  }

  /**
   * Notes how many rows the kernel read before one that it could not, and how many names it read in
   * each. That row, and maybe more, are read without it.
   */
  took(rows: number, names: number): void {
    const isWorth = rows >= rowsMin + names / namesARow;
    this.#without = isWorth ? 1 : Math.min(2 * this.#without + 1, withoutMax);
    this.#left = this.#without;
  }
}

/** Asking the kernel costs about as much as reading so many rows without it, and one more for each so many names. */
const rowsMin = 4;
const namesARow = 32;
/** Where most rows are none for the kernel, so many at most are read before it is asked again. */
const withoutMax = 64;

/** When the kernel is asked for rows, and when one is read without it. */
export class KernelUse {
  #without = 0;
  #left = 0;

  /** Bytes that are new to it are worth a try. */
  startAgain(): void {
    this.#left = 0;
  }

  /** Whether the kernel is to be asked; if not, a row is read without it. */
  next(): boolean {
    if (this.#left === 0) return true;
    this.#left--;
    return false;
  }

  /** What it read of rows with so many names, before one that it left: that one is read without it, and maybe more. */
  took(rows: number, names: number): void {
    const isWorth = rows >= rowsMin + names / namesARow;
    this.#without = isWorth ? 1 : Math.min(2 * this.#without + 1, withoutMax);
    this.#left = this.#without;
  }
}

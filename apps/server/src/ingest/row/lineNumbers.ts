/** The lines that rows came from: mostly each the one after the last row's, hence kept as runs. */
export class LineNumbers {
  #rowCount = 0;
  readonly #firstRows: number[] = [];
  readonly #firstLines: number[] = [];
  readonly #steps: number[] = [];

  /**
   * The next rows came from `line` and, where they are more than one, from lines `step` after each
   * other.
   */
  add(line: number, rows = 1, step = 1): void {
    const last = this.#firstRows.length - 1;
    const follows = last >= 0 && this.#steps[last] === step && this.lineOf(this.#rowCount) === line;
    if (rows > 0 && !follows) {
      this.#firstRows.push(this.#rowCount);
      this.#firstLines.push(line);
      this.#steps.push(step);
    }
    this.#rowCount += rows;
  }

  lineOf(row: number): number {
    const firstRows = this.#firstRows;
    const firstLines = this.#firstLines;
    let low = 0;
    let high = firstRows.length - 1;
    if (firstRows[high]! <= row) low = high;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (firstRows[middle]! <= row) low = middle;
      else high = middle - 1;
    }
    return firstLines[low]! + (row - firstRows[low]!) * this.#steps[low]!;
  }
}

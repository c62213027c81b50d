import fc from "fast-check";
import { expect, it } from "vitest";
import { LineNumbers } from "./lineNumbers.js";

it("knows the line of every row, in any blocks", () => {
  const run = fc.tuple(fc.integer({ min: -3, max: 4 }), fc.nat(5), fc.nat(1));
  fc.assert(
    fc.property(fc.array(run, { maxLength: 40 }), (runs) => {
      const numbers = new LineNumbers();
      const lines: number[] = [];
      let next = 100;
      for (const [skipped, rows, step] of runs) {
        const line = next + skipped;
        numbers.add(line, rows, step);
        for (let i = 0; i < rows; i++) lines.push(line + i * step);
        next = line + rows * step;
      }
      expect(lines.map((_, row) => numbers.lineOf(row))).toEqual(lines);
    }),
  );
});

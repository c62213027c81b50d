import fc from "fast-check";
import { expect, it } from "vitest";
import { LineNumbers } from "./lineNumbers.js";

it("knows the line of every row, however they came", () => {
  const step = fc.tuple(fc.integer({ min: -3, max: 4 }), fc.nat(5));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const numbers = new LineNumbers();
      const lines: number[] = [];
      let next = 100;
      for (const [skipped, rows] of steps) {
        const line = next + skipped;
        numbers.add(line, rows);
        for (let i = 0; i < rows; i++) lines.push(line + i);
        next = line + rows;
      }
      expect(lines.map((_, row) => numbers.lineOf(row))).toEqual(lines);
    }),
  );
});

import { expect, test } from "vitest";
import { createColumnReader } from "../../column/readColumn.js";
import { timesOf } from "../segment/segmentView.js";
import { createLeafContext } from "../testing/leafContext.js";
import type { PlainRow } from "../testing/plainRows.js";
import { sealRows } from "../testing/sealRows.js";

const { memory, kernel } = createLeafContext(256 * 2 ** 20, (text) => expect.fail(text));
const reader = createColumnReader(memory.memory);
const spans = [0, 1, 999, 2 ** 20, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 40];

test.each([2, 9, 1_500, 5_000])(
  "%d rows keep their times, with any span and in any order",
  (rowCount) => {
    for (const span of spans) {
      for (const firstMs of [-span, 0, 1_700_000_000_000]) {
        // Ascending; the first one last; from the last to the first.
        for (const stray of [0, 1, rowCount]) {
          const times = Array.from({ length: rowCount }, (_, i) =>
            Math.floor((span * i) / (rowCount - 1)),
          ).map((offset) => firstMs + offset);
          const moved = times.splice(0, stray);
          const came = [...times, ...moved.reverse()];
          const rows = came.map((time): PlainRow => ({ time, values: new Map([["n", 1n]]) }));
          const sealed = sealRows(rows, memory, kernel);
          const kept = came.map((_, row) => reader.storedInt(timesOf(sealed), row, rowCount));
          expect(kept).toEqual(came.toSorted((a, b) => a - b).map(BigInt));
          for (const extent of sealed.extents) memory.store.release(extent);
        }
      }
    }
  },
);

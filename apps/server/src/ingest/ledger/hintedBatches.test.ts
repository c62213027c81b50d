import { expect, test } from "vitest";
import { withFolder } from "../testing/gateway.js";
import { minuteMs } from "./minuteCounts.js";
import { RowCountLedger } from "./rowCountLedger.js";

const rows = { minutes: [3], counts: [10] };
const intentOf = (batchId: string, leaf: string) => ({
  ...{ table: "t", batchId, contentHash: "hash", leaf, rows, atMs: 0 },
  ...{ key: null, requestHash: "" },
});
const expected = (ledger: RowCountLedger) =>
  Object.fromEntries(ledger.expected("t", 0, 9 * minuteMs));

test("a batch that is sent again long after it was stored takes no other rows out of the counts, nor counts as hinted", () =>
  withFolder(async (folder) => {
    let ledger = await RowCountLedger.open(folder, () => undefined);
    const store = async (batchId: string, leaf: string): Promise<void> => {
      await ledger.begin(intentOf(batchId, leaf));
      ledger.settle("t", batchId, "stored");
    };
    await store("other", "leaf-2");
    await ledger.begin(intentOf("again", "leaf-1"));
    await ledger.beginHint("t", "again", "leaf-2");
    ledger.noteHintHeld("t", "again", "leaf-2");
    expect(expected(ledger)).toEqual({ "leaf-2": 20 });
    ledger.settle("t", "again", "stored");
    expect(expected(ledger)).toEqual({ "leaf-1": 10, "leaf-2": 10 });
    // Leaf 2 has been away since, and could not drop its hint; the key is forgotten.
    await ledger.begin(intentOf("again", "leaf-3"));
    expect(ledger.hints.isHeld("t", "again")).toBe(false);
    expect(ledger.hints.list().map(({ leaves }) => [...leaves.keys()])).toEqual([["leaf-2"]]);
    ledger.settle("t", "again", "stored");
    const counts = { "leaf-1": 10, "leaf-2": 10, "leaf-3": 10 };
    expect(expected(ledger)).toEqual(counts);
    await ledger.close();
    ledger = await RowCountLedger.open(folder, () => undefined);
    expect(expected(ledger)).toEqual(counts);
    await ledger.close();
  }));

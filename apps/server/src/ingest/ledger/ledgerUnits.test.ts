import { expect, test } from "vitest";
import { LedgerUnits } from "./ledgerUnits.js";

function begunAndAborted(units: LedgerUnits, nowMs: number): number {
  const number = units.begin(nowMs);
  units.apply({ kind: "unitAborted", number });
  return number;
}

test("aborted units that are hidden no longer are named to leaves that have lost them", () => {
  const units = new LedgerUnits();
  begunAndAborted(units, 100);
  begunAndAborted(units, 100);
  units.apply({ kind: "unitsForgotten", numbers: [100] });
  expect(units.visible).toEqual({ upTo: 101, except: [101] });
  expect(units.named).toEqual({ from: 100, forgotten: [100] });
  const next = new LedgerUnits();
  next.restore(units.print());
  begunAndAborted(next, 50);
  next.apply({ kind: "unitsForgotten", numbers: [102, 101] });
  expect(next.named).toEqual({ from: 100, forgotten: [100, 101, 102] });
});

test("only those that cannot be lost are said to be all", () => {
  const old = new LedgerUnits();
  old.restore({ last: 7, open: [], aborted: [] });
  expect(old.named).toEqual({ from: 8, forgotten: [] });
  old.noteDamage(1_000);
  expect(old.named.from).toBe(1_001);
  const numbers = Array.from({ length: 10_001 }, () => begunAndAborted(old, 2_000));
  old.apply({ kind: "unitsForgotten", numbers });
  expect(old.named.forgotten).toHaveLength(10_000);
  expect(old.named.from).toBe(2_001);
});

import type { LedgerInfo } from "@hadal/sdk";
import { expect, it } from "vitest";
import { ledgerWords } from "./ledgerWords.js";

const whole: LedgerInfo = {
  state: "whole",
  reason: null,
  comparedMs: 1,
  lostRows: [],
  doubts: [],
};

it("says nothing while all rows are counted and there", () => {
  expect(ledgerWords(whole)).toEqual([]);
});

it("names leaf, table and rows of what is lost", () => {
  const lostRows = [
    { leaf: "leaf-2", table: "visits", rows: 65_000, reason: "segment-3.hds could not be read" },
    { leaf: "leaf-1", table: "logs", rows: 1, reason: "they are not in its files" },
  ];
  expect(ledgerWords({ ...whole, lostRows })).toEqual([
    "leaf-2 has lost 65\u202f000 rows of visits: segment-3.hds could not be read. Answers over them say what share is missing.",
    "leaf-1 has lost 1 row of logs: they are not in its files. Answers over them say what share is missing.",
  ]);
});

it("names the columns of which values are lost", () => {
  const reason = "segment-3.hds is damaged";
  const lost = { leaf: "leaf-2", table: "visits", column: "url", rows: 4_000, reason };
  expect(ledgerWords({ ...whole, lostColumns: [lost] })).toEqual([
    "leaf-2 cannot read url of 4\u202f000 rows of visits: segment-3.hds is damaged. Answers that read it lack these rows, and say so.",
  ]);
});

it("says why the share of an answer is not known", () => {
  const [rebuilding, doubted] = ledgerWords({
    ...whole,
    ...{ state: "rebuilding", reason: "the row-count ledger is new; waiting for leaf-2" },
    doubts: [{ table: "visits", reason: "nobody knows how many rows there were" }],
  });
  expect(rebuilding).toBe(
    "How many rows there should be is not known yet: the row-count ledger is new; waiting for leaf-2.",
  );
  expect(doubted).toBe(
    "Answers over older rows of visits have an unknown share: nobody knows how many rows there were.",
  );
});

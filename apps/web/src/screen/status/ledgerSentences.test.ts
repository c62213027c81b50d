import type { LedgerInfo } from "@hadal/sdk";
import { expect, it } from "vitest";
import { ledgerSentences } from "./ledgerSentences.js";

const whole: LedgerInfo = {
  state: "whole",
  reason: null,
  comparedMs: 1,
  lostRows: [],
  doubts: [],
};

it("has no sentence while no rows are lost", () => {
  expect(ledgerSentences(whole)).toEqual([]);
});

it("names the leaf, the table and the number of lost rows", () => {
  const lostRows = [
    { leaf: "leaf-2", table: "visits", rows: 65_000, reason: "segment-3.hds could not be read" },
    { leaf: "leaf-1", table: "logs", rows: 1, reason: "they are not in its files" },
  ];
  expect(ledgerSentences({ ...whole, lostRows })).toEqual([
    "leaf-2 has lost 65\u202f000 rows of visits: segment-3.hds could not be read. Answers over them say what share is missing.",
    "leaf-1 has lost 1 row of logs: they are not in its files. Answers over them say what share is missing.",
  ]);
});

it("names the columns with lost values", () => {
  const reason = "segment-3.hds is damaged";
  const lost = { leaf: "leaf-2", table: "visits", column: "url", rows: 4_000, reason };
  expect(ledgerSentences({ ...whole, lostColumns: [lost] })).toEqual([
    "leaf-2 cannot read url of 4\u202f000 rows of visits: segment-3.hds is damaged. Answers that read it do not include these rows, and report it.",
  ]);
});

it("gives the reason why the share of an answer is unknown", () => {
  const [rebuilding, doubted] = ledgerSentences({
    ...whole,
    ...{ state: "rebuilding", reason: "the row-count ledger is new; waiting for leaf-2" },
    doubts: [{ table: "visits", reason: "the count of rows was lost" }],
  });
  expect(rebuilding).toBe(
    "The expected number of rows is not known yet: the row-count ledger is new; waiting for leaf-2.",
  );
  expect(doubted).toBe(
    "Answers over older rows of visits have an unknown share: the count of rows was lost.",
  );
});

import { expect, it } from "vitest";
import { queryCounts, sandboxSentences } from "./querySentences.js";

const query = { id: "a", table: "t", text: "SELECT 1", elapsedMs: 1 };

it("counts queries that run, wait and were refused", () => {
  const admission = { running: 0, waiting: 0, refused: 0, answerBytes: 0 };
  expect(queryCounts({ queries: [], admission })).toBe("none");
  expect(
    queryCounts({
      queries: [query, query],
      admission: { running: 1, waiting: 1, refused: 1_200, answerBytes: 0 },
    }),
  ).toBe("2 · 1 of them waiting · 1\u202f200 refused since the start");
});

it("names what a weak sandbox leaves open, and has no sentence for a strict one", () => {
  for (const state of ["unused", "strict"] as const)
    expect(sandboxSentences({ state, keeps: [] })).toEqual([]);
  const keeps = ["the network", "the rights of root"];
  expect(sandboxSentences({ state: "weak", keeps })[0]).toContain(
    "the network and the rights of root",
  );
  expect(sandboxSentences({ state: "refused", keeps })[0]).toContain("--sandbox weak");
});

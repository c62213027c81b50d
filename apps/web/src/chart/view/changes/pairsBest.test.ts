import type { WhatChanged } from "@hadal/sdk";
import { expect, test } from "vitest";
import { arePairsBest } from "./pairsBest.js";

const answer = (pairs: readonly (readonly [string, string, number])[], best: number | null) =>
  ({
    pairs: pairs.map(([one, other, difference]) => ({ columns: [one, other], difference })),
    columns: best === null ? [] : [{ name: "country", best: { difference: best } }],
  }) as unknown as WhatChanged;

test.each([
  ["a pair of the best column", answer([["ad", "country", 0.1]], 0.5), true],
  ["a pair that differs more", answer([["ad", "device", -0.6]], 0.5), true],
  ["a pair that differs less", answer([["ad", "device", 0.1]], -0.5), false],
  ["no pair", answer([], 0.5), false],
  ["a pair and no column", answer([["ad", "device", 0.1]], null), true],
])("%s", (_, changes, isBest) => expect(arePairsBest(changes)).toBe(isBest));

import { expect, test } from "vitest";
import { readAsked } from "./readAsked.js";

test.each([
  ["", null, null],
  ["?at=1795254000000", 1_795_254_000_000, null],
  ["?at=1795254000000&act=mute", 1_795_254_000_000, "mute"],
  ["?act=acknowledge", null, "acknowledge"],
  ["?at=9999999999999999&act=delete", null, null],
  ["?at=-1", null, null],
  ["?at=1e3", null, null],
] as const)("%j asks for the window until %j and %j", (search, atMs, act) => {
  expect(readAsked(search)).toEqual({ atMs, act });
});

import { expect, test } from "vitest";
import { AskedShapes } from "./askedShapes.js";

test("a question that comes again within ten minutes has its closed part read, not too often", () => {
  let nowMs = 0;
  const shapes = new AskedShapes(() => nowMs);
  expect(shapes.beginFill("a", 60_000)).toBe(false);
  expect(shapes.noteAsked("a")).toBe(false);
  nowMs = 599_999;
  expect(shapes.noteAsked("a")).toBe(true);
  expect(shapes.beginFill("a", 60_000)).toBe(true);
  nowMs += 59_999;
  expect(shapes.beginFill("a", 60_000)).toBe(false);
  nowMs += 1;
  expect(shapes.beginFill("a", 60_000)).toBe(true);
  shapes.giveUp("a");
  nowMs += 600_000;
  expect(shapes.beginFill("a", 60_000)).toBe(false);
  expect(shapes.noteAsked("a")).toBe(false);
});

test("of ten thousand questions the one goes first that was not asked for longest", () => {
  const shapes = new AskedShapes(() => 0);
  for (let i = 0; i < 10_000; i++) shapes.noteAsked(`${i}`);
  shapes.noteAsked("0");
  shapes.noteAsked("more");
  expect([shapes.noteAsked("0"), shapes.noteAsked("2"), shapes.noteAsked("1")]).toEqual([
    ...[true, true, false],
  ]);
});

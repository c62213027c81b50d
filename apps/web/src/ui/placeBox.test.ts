import { expect, test } from "vitest";
import { type Placing, placeBox } from "./placeBox.js";

const at = (left: number, top: number): Placing => ({
  anchor: { left, right: left + 100, top, bottom: top + 28 },
  width: 300,
  height: 200,
  windowWidth: 1_000,
  windowHeight: 800,
  align: "start",
  gapPx: 4,
  before: null,
});

test.each([
  ["below", at(50, 40), { side: "below", left: 50, offset: 72, maxHeight: 720 }],
  [
    "its end at the anchor's end",
    { ...at(600, 40), align: "end" as const },
    { side: "below", left: 400 },
  ],
  ["not out of the window to the right", at(950, 40), { left: 692 }],
  ["not out of it to the left", { ...at(0, 40), align: "end" as const }, { left: 8 }],
  [
    "above where it does not fit below",
    at(50, 700),
    { side: "above", offset: 104, maxHeight: 688 },
  ],
  ["above where it could not grow", { ...at(50, 560), height: 30 }, { side: "above" }],
  [
    "it stays below for as long as it fits",
    { ...at(50, 560), before: "below" as const, height: 190 },
    { side: "below" },
  ],
  [
    "and goes above when it has grown",
    { ...at(50, 560), before: "below" as const, height: 400 },
    { side: "above" },
  ],
  ["and never back", { ...at(50, 40), before: "above" as const }, { side: "above" }],
  [
    "below where neither side has room",
    { ...at(50, 10), height: 5_000 },
    { side: "below", maxHeight: 750 },
  ],
])("%s", (_, placing, place) => expect(placeBox(placing)).toMatchObject(place));

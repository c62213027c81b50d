import { expect, test } from "vitest";
import { ReadTurns } from "./readTurns.js";

test("between two turns of reading is a turn of the event loop", async () => {
  const turns = new ReadTurns();
  const seen: string[] = [];
  const sender = { client: "a", order: 1 };
  const first = turns.run(sender, () => seen.push("first"));
  const second = turns.run(sender, () => seen.push("second"));
  setImmediate(() => seen.push("event loop"));
  await Promise.all([first, second]);
  expect(seen).toEqual(["first", "event loop", "second"]);
});

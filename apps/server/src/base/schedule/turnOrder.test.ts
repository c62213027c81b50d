import { expect, test } from "vitest";
import { neverStops } from "./steps.js";
import { StopController } from "./stopController.js";
import { TurnOrder } from "./turnOrder.js";

/** Names in the order of their turns: each waits once, after this many turns. */
async function orderOf(
  waiting: readonly (readonly [name: string, turnsHad: number])[],
  aborted = "",
): Promise<string> {
  const order = new TurnOrder();
  const called = new StopController();
  called.abort();
  const names: string[] = [];
  await Promise.all(
    waiting.map(async ([name, turnsHad]) => {
      await order.next(turnsHad, name === aborted ? called.signal : neverStops);
      names.push(name);
    }),
  );
  return names.join("");
}

test("who had the fewest turns is first, then who came first; every fourth turn is the oldest's", async () => {
  const waiting = [
    ["a", 9],
    ["b", 2],
    ["c", 1],
    ["d", 1],
    ["e", 3],
    ["f", 4],
  ] as const;
  expect(await orderOf(waiting)).toBe("cdbaef");
});

test("who is called off is before all", async () => {
  expect(
    await orderOf(
      [
        ["a", 1],
        ["b", 2],
        ["c", 9],
      ],
      "c",
    ),
  ).toBe("cab");
});

test("one has its turn in each round of the event loop", async () => {
  const order = new TurnOrder();
  const seen: string[] = [];
  const work = ["a", "b", "c"].map((name) => order.next(0, neverStops).then(() => seen.push(name)));
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push("|");
  }
  await Promise.all(work);
  expect(seen.join("")).toMatch(/^\|?a\|b\|c\|?$/);
});

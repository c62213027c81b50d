import { describe, expect, test } from "vitest";
import { LeafWindow } from "./leafWindow.js";

const mib = 2 ** 20;
/** Turns of the event loop: as many as anything here takes. */
async function turnsOver(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

describe("the way to a leaf", () => {
  test("delays large batches, lets small ones pass, and sends all elsewhere when a leaf is silent", async () => {
    const window = new LeafWindow();
    const seen: string[] = [];
    const enter = (client: string, order: number, bytes: number, waitMs = 60_000): void => {
      void window.enter({ client, order }, bytes, waitMs).then((isIn) => {
        seen.push(`${client}${order} ${isIn}`);
      });
    };
    enter("a", 1, 5 * mib);
    enter("a", 2, 5 * mib);
    enter("b", 3, 5 * mib);
    enter("c", 4, 100);
    enter("d", 5, mib, 1);
    await turnsOver();
    expect(seen.slice(0, 2)).toEqual(["a1 true", "c4 true"]);
    await expect.poll(() => seen).toContain("d5 false");
    window.leave(100);
    window.leave(5 * mib);
    await turnsOver();
    expect(seen.at(-1)).toBe("b3 true");
    window.turnAway();
    await turnsOver();
    expect(seen.at(-1)).toBe("a2 false");
  });

  test("is open to a large one however many small ones are on it", async () => {
    const window = new LeafWindow();
    const small = { client: "a", order: 1 };
    await window.enter(small, 100, 60_000);
    const large = window.enter({ client: "b", order: 2 }, 5 * mib, 60_000);
    // One comes before the other has been answered, again and again.
    for (let i = 0; i < 20; i++) {
      await window.enter(small, 100, 60_000);
      window.leave(100);
    }
    await turnsOver();
    window.turnAway();
    expect(await large).toBe(true);
  });
});

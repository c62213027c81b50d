import { HadalError } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { ingestLimitsDefault } from "../base/ingestLimits.js";
import { BodyIntake } from "./bodyIntake.js";
import { FairOrder } from "./fairOrder.js";
import { IngestMemory } from "./ingestMemory.js";
import { LeafWindow } from "./leafWindow.js";
import { ReadTurns } from "./readTurns.js";

const mib = 2 ** 20;
/** Turns of the event loop: as many as anything here takes. */
async function turnsOver(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** 128 MiB: 16 for small sends alone, 64 for the oldest, and 48 for all others. */
const limits = { ...ingestLimitsDefault, ingestMemory: 128, sendsWaiting: 2, sendWaitMs: 60_000 };

describe("the memory for sends", () => {
  test("a small send is let in where a large one waits", async () => {
    const memory = new IngestMemory(limits);
    const first = memory.open("a", 60 * mib);
    await memory.take(first, 60 * mib);
    const large = memory.open("b", 60 * mib);
    let isIn = false;
    const waiting = memory.take(large, mib).then(() => {
      isIn = true;
    });
    memory.open("c", 100).close();
    await turnsOver();
    expect([isIn, memory.load.waiting]).toEqual([false, 1]);
    first.close();
    await waiting;
    large.close();
    expect(memory.load).toEqual({ bytesHeld: 0, waiting: 0, refused: 0 });
  });

  test("the oldest that is being read goes on when all others wait", async () => {
    const memory = new IngestMemory(limits);
    const [oldest, other] = [memory.open("a", null), memory.open("a", null)];
    await memory.take(oldest, mib);
    await memory.take(other, 40 * mib);
    let isIn = false;
    void memory.take(other, 20 * mib).then(() => {
      isIn = true;
    });
    await memory.take(oldest, 60 * mib);
    await turnsOver();
    expect(isIn).toBe(false);
    // Read to its end, it leaves its place as the oldest to the next.
    oldest.keep(10 * mib);
    await turnsOver();
    expect(isIn).toBe(true);
  });

  test("clients have their turns one after the other", async () => {
    const memory = new IngestMemory({ ...limits, sendsWaiting: 10 });
    const holder = memory.open("x", 60 * mib);
    await memory.take(holder, 47 * mib);
    const order: string[] = [];
    const ask = async (client: string, name: string): Promise<void> => {
      const room = memory.open(client, 60 * mib);
      await memory.take(room, 20 * mib);
      order.push(name);
    };
    const asked = [ask("a", "a1"), ask("a", "a2"), ask("a", "a3"), ask("b", "b1")];
    const ends = Promise.allSettled(asked);
    holder.close();
    await turnsOver();
    expect(order.slice(0, 2)).toEqual(["a1", "b1"]);
    memory.stop();
    await ends;
  });

  test("too many that wait are refused at once, and one that waits too long", async () => {
    const memory = new IngestMemory({ ...limits, sendWaitMs: 30 });
    const holder = memory.open("x", 60 * mib);
    await memory.take(holder, 60 * mib);
    const asked = Array.from({ length: 3 }, () =>
      memory.take(memory.open("a", null), mib).catch((error: HadalError) => error),
    );
    const told = await Promise.all(asked);
    expect(told.map((error) => error instanceof HadalError && error.code)).toEqual(
      Array(3).fill("overloaded"),
    );
    const texts = told.map((error) => String((error as HadalError).message));
    expect(texts.filter((text) => text.includes("(sendsWaiting)"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("(sendWaitMs)"))).toHaveLength(2);
    expect(texts.every((text) => text.includes("128 MiB") && text.includes("(ingestMemory)"))).toBe(
      true,
    );
    expect(memory.load).toMatchObject({ waiting: 0, refused: 3 });
  });

  test("small sends are refused where there is no room at all", () => {
    const memory = new IngestMemory(limits);
    const rooms = [];
    expect(() => {
      for (let i = 0; i < 2_000; i++) rooms.push(memory.open("a", mib));
    }).toThrow(/ingestMemory/);
    expect(memory.load.bytesHeld).toBeLessThanOrEqual(128 * mib);
    expect(rooms.length).toBeGreaterThan(600);
  });

  test("a stopping server lets nobody in any more", async () => {
    const memory = new IngestMemory(limits);
    const holder = memory.open("x", 60 * mib);
    await memory.take(holder, 60 * mib);
    const waiting = memory.take(memory.open("a", null), mib);
    memory.stop();
    await expect(waiting).rejects.toMatchObject({ code: "unavailable" });
    expect(() => memory.open("a", 1)).toThrow(/stopping/);
  });
});

describe("a body on its way in", () => {
  const blocksOf = async function* (count: number, bytes: number) {
    for (let i = 0; i < count; i++) yield new Uint8Array(bytes);
  };

  test("is counted before it is read on, and by its rows once it is read", async () => {
    const intake = new BodyIntake(limits);
    const held: number[] = [];
    await intake.run("a", null, async (body) => {
      const read = async (blocks: AsyncIterable<Uint8Array>): Promise<number> => {
        let bytes = 0;
        for await (const block of blocks) {
          bytes += block.length;
          held.push(intake.load.bytesHeld - bytes);
        }
        return bytes;
      };
      await body.read(blocksOf(100, 65_536), read, () => 1_000);
      held.push(intake.load.bytesHeld);
    });
    expect(Math.min(...held.slice(0, -2))).toBeGreaterThanOrEqual(65_536);
    expect(held.at(-1)).toBeLessThan(10_000);
    expect(intake.load.bytesHeld).toBe(0);
  });

  test("a small one is read while large ones take turns", async () => {
    const intake = new BodyIntake(limits);
    const order: string[] = [];
    const send = (name: string, count: number): Promise<void> =>
      intake.run(name, null, (body) =>
        body.read(
          blocksOf(count, 60_000),
          async (blocks) => {
            for await (const _ of blocks) order.push(name);
          },
          () => 0,
        ),
      );
    const large = [send("a", 20), send("b", 20)];
    await new Promise((resolve) => setImmediate(resolve));
    await send("small", 1);
    const before = order.length;
    await Promise.all(large);
    expect(before).toBeLessThan(10);
    // Block by block, not one after the other.
    const inTurns = order.filter((name) => name !== "small").slice(4, 20);
    expect(inTurns.filter((name) => name === "a").length).toBe(8);
  });

  test("one that fails gives its turn and its room back", async () => {
    const intake = new BodyIntake(limits);
    const failing = intake.run("a", null, (body) =>
      body.read(
        blocksOf(9, 60_000),
        async (blocks) => {
          let count = 0;
          for await (const _ of blocks) if (++count === 5) throw new Error("broken");
        },
        () => 0,
      ),
    );
    await expect(failing).rejects.toThrow("broken");
    expect(intake.load.bytesHeld).toBe(0);
    expect(await intake.run("b", null, (body) => body.inTurn(() => 7))).toBe(7);
  });
});

test("clients that were never seen again are forgotten, the longest unheard first", () => {
  const order = new FairOrder();
  const sender = (client: string) => ({ sender: { client, order: 1 } });
  for (const client of ["old", "often"]) order.noteTurn(sender(client).sender);
  for (let i = 0; i < 20_000; i++) {
    order.noteTurn({ client: `c${i}`, order: 1 });
    if (i % 5_000 === 0) order.noteTurn({ client: "often", order: 1 });
  }
  expect(order.choose([sender("often"), sender("old")])).toEqual(sender("old"));
  expect(order.choose([sender("often"), sender("c0"), sender("old")])).toEqual(sender("c0"));
});

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

describe("the way to a leaf", () => {
  test("holds large batches back, lets small ones pass, and turns all away from a leaf that is silent", async () => {
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

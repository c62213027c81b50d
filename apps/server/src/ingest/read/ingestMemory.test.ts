import { HadalError } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { ingestLimitsDefault } from "../../base/limit/ingestLimits.js";
import { IngestMemory } from "./ingestMemory.js";

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

  test("the oldest body that is being read continues when all others wait", async () => {
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
    const refusals = await Promise.all(asked);
    expect(refusals.map((error) => error instanceof HadalError && error.code)).toEqual(
      Array(3).fill("overloaded"),
    );
    const texts = refusals.map((error) => String((error as HadalError).message));
    expect(texts.filter((text) => text.includes("(sendsWaiting)"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("(sendWaitMs)"))).toHaveLength(2);
    expect(texts.every((text) => text.includes("128 MiB") && text.includes("(ingestMemory)"))).toBe(
      true,
    );
    expect(memory.load).toMatchObject({ waiting: 0, refused: 3 });
  });

  test("a room that is closed while it waits takes nothing later", async () => {
    const memory = new IngestMemory(limits);
    const holder = memory.open("x", 60 * mib);
    await memory.take(holder, 60 * mib);
    const room = memory.open("a", null);
    const waiting = memory.take(room, mib);
    room.close();
    await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
    holder.close();
    expect(memory.load).toEqual({ bytesHeld: 0, waiting: 0, refused: 0 });
  });

  test("small sends are refused where there is no room at all", () => {
    const memory = new IngestMemory(limits);
    const rooms = [];
    expect(() => {
      for (let i = 0; i < 2_000; i++) rooms.push(memory.open("a", mib));
    }).toThrow(/ingestMemory/);
    expect(memory.load.bytesHeld).toBeLessThanOrEqual(128 * mib);
    expect(rooms.length).toBeGreaterThan(400);
  });

  test("a body whose rows take many times its bytes has as much counted as they take, and the next step too", async () => {
    const memory = new IngestMemory(limits);
    const room = memory.open("a", 60 * mib);
    const covered = await room.coverNext({ bodyBytes: mib, rowBytes: 10 * mib });
    expect(covered).toBeGreaterThan(1.5 * mib);
    expect(memory.load.bytesHeld / mib).toBeCloseTo(20, 1);
    // Nothing more is taken while what was counted is enough.
    await room.coverNext({ bodyBytes: 1.5 * mib, rowBytes: 10 * mib });
    expect(memory.load.bytesHeld / mib).toBeCloseTo(20, 1);
    room.close();
    expect(memory.load.bytesHeld).toBe(0);
  });

  test("a body whose rows never fit is refused at once", async () => {
    const memory = new IngestMemory(limits);
    const room = memory.open("a", 60 * mib);
    const asked = room.coverNext({ bodyBytes: 10 * mib, rowBytes: 110 * mib });
    await expect(asked).rejects.toMatchObject({
      code: "body-too-large",
      message: expect.stringContaining("ingestMemory"),
    });
    room.close();
  });

  test("a stopping server admits no body any more", async () => {
    const memory = new IngestMemory(limits);
    const holder = memory.open("x", 60 * mib);
    await memory.take(holder, 60 * mib);
    const waiting = memory.take(memory.open("a", null), mib);
    memory.stop();
    await expect(waiting).rejects.toMatchObject({ code: "unavailable" });
    expect(() => memory.open("a", 1)).toThrow(/stopping/);
  });
});

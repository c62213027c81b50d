import { HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import { type FencedLeaf, PlacingLease } from "./placingLease.js";

type Word = "done" | "fenced" | "silent" | "older";

/** A lease over leaves that answer so, and its clock. */
function leaseOver(words: Word[]) {
  const clock = { now: 0, epoch: 1 };
  const leafOf = (i: number): FencedLeaf => ({
    state: "alive",
    request: async () => {
      const word = words[i]!;
      if (word === "silent") throw new HadalError("connection-lost", { url: "leaf" });
      if (word === "fenced") throw new HadalError("gateway-fenced", { detail: "test" });
      if (word === "older") throw new HadalError("bad-request", { detail: "test" });
      return { header: { kind: "done", id: 1 } };
    },
  });
  const leaves = words.map((_, i) => leafOf(i));
  const lease = new PlacingLease({
    leaves: () => leaves,
    now: () => clock.now,
    sender: () => ({ gateway: "one", epoch: clock.epoch }),
    senders: () => ({ version: 1, senders: [] }),
  });
  return { lease, clock, mayPlace: () => lease.problem === null };
}

test("a gateway that cannot publish leaves off before others take its place, after 10 s", async () => {
  const { lease, clock, mayPlace } = leaseOver(["silent"]);
  expect(mayPlace()).toBe(false);
  lease.renew(0);
  for (clock.now = 0; clock.now < 7_000; clock.now += 1_000) {
    await lease.askIfLate();
    expect(mayPlace()).toBe(true);
  }
  await lease.askIfLate();
  expect(lease.problem).toMatchObject({ code: "gateway-fenced", status: 503, retry: true });
  expect(lease.problem?.message).toContain("has not reached the registry for 7 s");
  lease.renew(clock.now);
  expect(mayPlace()).toBe(true);
});

test("it goes on while more than half of the leaves know of no other that has taken its place", async () => {
  const words: Word[] = ["done", "older", "silent", "silent"];
  const { lease, clock, mayPlace } = leaseOver(words);
  lease.renew(0);
  clock.now = 20_000;
  await lease.askIfLate();
  // Half of them may be those that others have asked.
  expect(mayPlace()).toBe(false);
  words[2] = "done";
  await lease.askIfLate();
  expect(mayPlace()).toBe(true);
  clock.now += 2_999;
  expect(mayPlace()).toBe(true);
  clock.now += 1;
  expect(mayPlace()).toBe(false);
});

test("one leaf that refuses it is enough, until it is announced again", async () => {
  const { lease, clock, mayPlace } = leaseOver(["done", "done", "fenced"]);
  lease.renew(0);
  clock.now = 4_000;
  await lease.askIfLate();
  expect(mayPlace()).toBe(false);
  lease.renew(clock.now);
  expect(mayPlace()).toBe(false);
  clock.epoch = 2;
  expect(mayPlace()).toBe(true);
});

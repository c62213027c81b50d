import fc from "fast-check";
import { expect, test } from "vitest";
import { PartitionLoads } from "../../tree/copies/partitionLoads.js";
import type { AskedMachines } from "./askedMachines.js";
import { BusyPartitions } from "./busyPartitions.js";

const address = "a:1";
const leafIds = ["a", "b", "c", "d"];

/** Two machines: the first is home to all partitions, the second has copies of the first so many. */
function asked(copied: number): AskedMachines {
  const copies = leafIds.slice(0, copied);
  return {
    machines: [
      { name: "home", address, leafIds },
      { name: "other", address, leafIds: [] },
    ],
    second: new Map(
      copies.map((leafId) => [leafId, { name: "other", address, leafIds: [leafId], isCopy: true }]),
    ),
  };
}

test("I7: each partition is asked at one place, and only those that have a whole copy are moved", () => {
  const loads = fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { minLength: 4, maxLength: 4 });
  fc.assert(
    fc.property(loads, fc.nat(4), fc.nat(4), (given, copied, movedMax) => {
      const known = new PartitionLoads();
      given.forEach(([atHome, atCopy], i) => {
        for (let n = 0; n < atHome; n++) known.noteSent("home", leafIds[i]!);
        for (let n = 0; n < atCopy; n++) known.noteSent("other", leafIds[i]!);
      });
      const { machines, moved } = new BusyPartitions(known).split(asked(copied), movedMax);
      const movedIds = moved.flatMap(({ copy }) => copy.leafIds);
      const kept = machines.flatMap((machine) => machine.leafIds);
      expect([...kept, ...movedIds].sort()).toEqual(leafIds);
      const lighter = leafIds.filter((_, i) => i < copied && given[i]![0] - given[i]![1] >= 2);
      expect(movedIds).toHaveLength(Math.min(movedMax, lighter.length));
      for (const leafId of movedIds) expect(lighter).toContain(leafId);
      for (const { home, copy } of moved) {
        expect([home.name, home.leafIds, copy.name]).toEqual(["home", copy.leafIds, "other"]);
      }
    }),
  );
});

test("C9: queries that are under way at once are shared by a leaf and its copy", () => {
  const busy = new BusyPartitions(new PartitionLoads());
  const movedOf = Array.from({ length: 9 }, () => busy.split(asked(1), 5).moved.length);
  expect(movedOf).toEqual([0, 0, 1, 0, 1, 0, 1, 0, 1]);
  expect(busy.movedCount).toBe(4);
});

test("a place is only asked second that holds no whole copy", () => {
  const loads = new PartitionLoads();
  for (let n = 0; n < 9; n++) loads.noteSent("home", "a");
  const { machines, second } = asked(1);
  const home = new Map([["a", { ...second.get("a")!, isCopy: false }]]);
  expect(new BusyPartitions(loads).split({ machines, second: home }, 5).moved).toEqual([]);
});

test("a copy that lacked rows is not asked first for some seconds", () => {
  const loads = new PartitionLoads(() => 0);
  for (let n = 0; n < 99; n++) loads.noteSent("home", "a");
  let nowMs = 0;
  const busy = new BusyPartitions(loads, () => nowMs);
  const isMoved = (): boolean => busy.split(asked(1), 5).moved.length === 1;
  expect(isMoved()).toBe(true);
  busy.noteShort("a");
  expect(isMoved()).toBe(false);
  nowMs = 4_999;
  expect(isMoved()).toBe(false);
  nowMs = 5_000;
  expect(isMoved()).toBe(true);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Member, MemberCopy } from "../../registry/member/members.js";
import { askedMachines } from "./askedMachines.js";

const states = ["alive", "alive", "suspect", "dead"] as const;

/** Machines of two leaves each; `copies`: which machine says to have which partition whole. */
function members(
  given: readonly { state: Member["state"]; copies: readonly [number, boolean][] }[],
): readonly Member[] {
  const names = given.map((_, i) => `m${i}`);
  const allIds = names.flatMap((name) => [`${name}-1`, `${name}-2`]);
  return given.map(({ state, copies }, i) => ({
    ...{ name: names[i]!, instance: names[i]!, role: "aggregator", protocol: 2, state },
    ...{ version: "0.1.0", drain: null, sendsNoneTo: [], silentMs: 0 },
    ...{ address: `${names[i]}:1`, leafIds: allIds.slice(2 * i, 2 * i + 2) },
    leafFolders: allIds.map((leafId) => ({ leafId, folderId: leafId })),
    copies: copies
      .map(([n, isWhole]) => ({ leafId: allIds[n % allIds.length]!, isWhole }))
      .filter(({ leafId }) => !leafId.startsWith(`m${i}-`))
      .map((copy): MemberCopy => ({ ...copy, folderId: copy.leafId, lagMs: 0 })),
  }));
}

const cluster = fc
  .array(
    fc.record({
      state: fc.constantFrom(...states),
      copies: fc.array(fc.tuple(fc.nat(40), fc.boolean()), { maxLength: 6 }),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map(members);

test("I7: every partition is asked of one machine, and then of one that has all of it", () => {
  fc.assert(
    fc.property(cluster, (all) => {
      const { machines, second } = askedMachines(all);
      const asked = machines.flatMap(({ leafIds }) => leafIds);
      expect([...asked].sort()).toEqual(all.flatMap(({ leafIds }) => leafIds).sort());
      const isWholeAt = (name: string, leafId: string): boolean =>
        all.some(
          (member) =>
            member.name === name &&
            (member.leafIds.includes(leafId) ||
              (member.state === "alive" &&
                member.copies.some((copy) => copy.leafId === leafId && copy.isWhole))),
        );
      for (const { name, leafIds } of machines) {
        for (const leafId of leafIds) {
          expect(isWholeAt(name, leafId)).toBe(true);
          expect(second.get(leafId)?.name).not.toBe(name);
        }
      }
      for (const [leafId, { name, leafIds }] of second) {
        expect(isWholeAt(name, leafId)).toBe(true);
        expect(leafIds).toEqual([leafId]);
      }
    }),
  );
});

const unasked = { isAsked: false, isSecond: false };

test.each([
  { state: "dead", isWhole: false, removals: 3, isAsked: true, isSecond: false },
  { state: "dead", isWhole: false, removals: 2, ...unasked },
  { state: "dead", isWhole: false, removals: null, ...unasked },
  { state: "dead", isWhole: true, removals: 2, ...unasked },
  { state: "suspect", isWhole: true, removals: 2, ...unasked },
  { state: "alive", isWhole: true, removals: 2, ...unasked },
  // Slow is better than old.
  { state: "suspect", isWhole: false, removals: 3, ...unasked },
  { state: "alive", isWhole: true, removals: 3, isAsked: false, isSecond: true },
] as const)(
  "I4: of three removals a copy that knows $removals (whole: $isWhole) is asked for a $state home: $isAsked, then: $isSecond",
  ({ state, isAsked, isSecond, ...given }) => {
    const [home, other] = members([
      { state, copies: [] },
      { state: "alive", copies: [[0, true]] },
    ]);
    const leafFolders = home!.leafFolders.map((one) => ({ ...one, removals: 3 }));
    const copies = other!.copies.map((copy) => ({ ...copy, rows: 5, ...given }));
    const { machines, second } = askedMachines([
      { ...home!, leafFolders },
      { ...other!, copies },
    ]);
    const asked = machines.find(({ leafIds }) => leafIds.includes("m0-1"))?.name;
    expect(asked).toBe(isAsked ? "m1" : "m0");
    expect(second.has("m0-1")).toBe(isSecond);
  },
);

test.each([
  ["alive", "m0", "m1"],
  ["suspect", "m1", "m0"],
  ["dead", "m1", undefined],
] as const)("C9: the home is %s: a partition is asked of %s, then of %s", (state, first, then) => {
  const all = members([
    { state, copies: [] },
    { state: "alive", copies: [[0, true]] },
  ]);
  const { machines, second } = askedMachines(all);
  expect(machines.find(({ leafIds }) => leafIds.includes("m0-1"))?.name).toBe(first);
  expect(second.get("m0-1")?.name).toBe(then);
  // Of the other partition there is no copy.
  expect(machines.find(({ leafIds }) => leafIds.includes("m0-2"))?.name).toBe("m0");
});

test.each([
  ["draining", null, "m0", "m1"],
  ["drained", 7, "m1", "m0"],
] as const)(
  "a machine that is %s is asked first as long as it stays",
  (_, drainedMs, first, then) => {
    const [home, ...others] = members([
      { state: "alive", copies: [] },
      { state: "alive", copies: [[0, true]] },
    ]);
    const drain = { askedMs: 5, drainedMs, isEmpty: false };
    const { machines, second } = askedMachines([{ ...home!, drain }, ...others]);
    expect(machines.find(({ leafIds }) => leafIds.includes("m0-1"))?.name).toBe(first);
    expect(second.get("m0-1")?.name).toBe(then);
  },
);

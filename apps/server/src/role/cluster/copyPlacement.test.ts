import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Member, MemberCopy } from "../../registry/member/members.js";
import {
  copiesToHold,
  copyHolder,
  mayBeCopied,
  partitionsNotWhole,
  restoreSource,
} from "./copyPlacement.js";

const leavesEach = 4;

const idsOf = (name: string): readonly string[] =>
  Array.from({ length: leavesEach }, (_, i) => `${name}-leaf-${i + 1}`);

const folder = (leafId: string): string => `folder of ${leafId}`;

function machine(name: string, given: Partial<Member> = {}): Member {
  const leafIds = idsOf(name);
  return {
    ...{ name, leafIds, role: "aggregator", instance: name, protocol: 2, state: "alive" },
    ...{ address: `${name}:7401`, version: "0.1.0", drain: null, sendsNoneTo: [] },
    silentMs: 0,
    leafFolders: leafIds.map((leafId) => ({ leafId, folderId: folder(leafId) })),
    copies: [],
    ...given,
  };
}

const whole = (leafId: string, given: Partial<MemberCopy> = {}): MemberCopy => ({
  ...{ leafId, folderId: folder(leafId), isWhole: true, lagMs: 0 },
  ...given,
});

const gateway: Member = {
  ...machine("g"),
  ...{ role: "gateway", leafIds: [], leafFolders: [] },
};

/** The machines that hold each partition by the placement, its home left out. */
function holdersByLeaf(
  members: readonly Member[],
  copiesWanted: number,
): ReadonlyMap<string, readonly string[]> {
  const holders = new Map<string, string[]>();
  for (const { name, state } of members) {
    if (state === "dead") continue;
    for (const { leafId } of copiesToHold({ machine: name, members, copiesWanted })) {
      holders.set(leafId, [...(holders.get(leafId) ?? []), name]);
    }
  }
  return holders;
}

/** The cluster after every machine has copied what it is to hold, and dropped the rest. */
const settled = (members: readonly Member[], copiesWanted: number): readonly Member[] =>
  members.map((member) =>
    member.state === "dead"
      ? member
      : {
          ...member,
          copies: copiesToHold({ machine: member.name, members, copiesWanted }).map(
            ({ leafId, folderId }) => whole(leafId, { folderId }),
          ),
        },
  );

const names = fc
  .integer({ min: 1, max: 14 })
  .map((count) => Array.from({ length: count }, (_, i) => `m${i + 1}`));

const withState = (members: readonly Member[], name: string, state: Member["state"]) =>
  members.map((member) => (member.name === name ? { ...member, state } : member));

describe("which machine holds which copy", () => {
  test("C9: each partition is on as many machines as wanted, never twice on one, never at its home", () => {
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 3 }), fc.nat(13), (all, copiesWanted, dead) => {
        const before = settled([gateway, ...all.map((name) => machine(name))], copiesWanted);
        const lost = all[dead % all.length]!;
        for (const members of [before, withState(before, lost, "dead")]) {
          const alive = members.filter(
            ({ role, state }) => role === "aggregator" && state !== "dead",
          );
          const holders = holdersByLeaf(members, copiesWanted);
          for (const home of members.filter(({ role }) => role === "aggregator")) {
            const isThere = home.state !== "dead";
            for (const leafId of home.leafIds) {
              const own = holders.get(leafId) ?? [];
              expect(own).not.toContain(home.name);
              expect(new Set(own).size).toBe(own.length);
              const wanted = Math.min(copiesWanted, alive.length) - (isThere ? 1 : 0);
              // Of a lost machine without a copy nothing is left to copy.
              const isLost = !isThere && copyHolder(members, leafId) === null;
              expect(own.length).toBe(copiesWanted < 2 || isLost ? 0 : wanted);
            }
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test("a machine that joins or is lost moves about its share, and the rest stays", () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 30 }), (count) => {
        const all = Array.from({ length: count }, (_, i) => machine(`m${i + 1}`));
        const before = holdersByLeaf(all, 2);
        const after = holdersByLeaf([...all, machine("new")], 2);
        const moved = [...before].filter(([leafId, own]) => after.get(leafId)![0] !== own[0]);
        for (const [leafId] of moved) expect(after.get(leafId)).toEqual(["new"]);
        const share = (count * leavesEach) / count;
        expect(moved.length).toBeLessThan(4 * share);
        const lost = all[count >> 1]!.name;
        const left = holdersByLeaf(withState(all, lost, "dead"), 2);
        for (const [leafId, [holder]] of before) {
          if (holder !== lost && !leafId.startsWith(`${lost}-`)) {
            expect(left.get(leafId)).toEqual([holder]);
          }
        }
      }),
      { numRuns: 27 },
    );
  });

  test("work is spread: no machine of 20 holds much more than its share", () => {
    const all = Array.from({ length: 20 }, (_, i) => machine(`m${i + 1}`));
    const counts = all.map(
      ({ name }) => copiesToHold({ machine: name, members: all, copiesWanted: 2 }).length,
    );
    expect(counts.reduce((sum, count) => sum + count)).toBe(20 * leavesEach);
    expect(Math.max(...counts)).toBeLessThanOrEqual(3 * leavesEach);
  });
});

describe("while a copy is on its way", () => {
  /** Three machines; `kept` holds the partition's copy, `preferred` is where it should be. */
  function moving() {
    const leafId = "m1-leaf-1";
    const all = ["m1", "m2", "m3"].map((name) => machine(name));
    const [preferred] = holdersByLeaf(all, 2).get(leafId)!;
    const kept = preferred === "m2" ? "m3" : "m2";
    const withCopies = (copies: Readonly<Record<string, readonly MemberCopy[]>>) =>
      all.map((member) => ({ ...member, copies: copies[member.name] ?? [] }));
    const idsHeld = (members: readonly Member[], name: string): readonly string[] =>
      copiesToHold({ machine: name, members, copiesWanted: 2 }).map((copy) => copy.leafId);
    return { leafId, preferred: preferred!, kept, withCopies, idsHeld };
  }

  test("who has a whole one keeps it until the preferred machine has it", () => {
    const { leafId, preferred, kept, withCopies, idsHeld } = moving();
    const copying = { [preferred]: [whole(leafId, { isWhole: false })] };
    const during = withCopies({ ...copying, [kept]: [whole(leafId)] });
    expect(idsHeld(during, kept)).toContain(leafId);
    expect(idsHeld(during, preferred)).toContain(leafId);
    expect(copyHolder(during, leafId)?.name).toBe(kept);
    const after = withCopies({ [preferred]: [whole(leafId)], [kept]: [whole(leafId)] });
    expect(idsHeld(after, kept)).not.toContain(leafId);
    // The preferred one may be gone the next moment.
    expect(idsHeld(withState(after, preferred, "suspect"), kept)).toContain(leafId);
  });

  test("one that is not whole is not kept, nor asked", () => {
    const { leafId, kept, withCopies, idsHeld } = moving();
    const part = withCopies({ [kept]: [whole(leafId, { isWhole: false })] });
    expect(idsHeld(part, kept)).not.toContain(leafId);
    expect(copyHolder(part, leafId)).toBeNull();
  });

  test("of a machine that is lost, the copy is copied; who has it has nothing to copy from", () => {
    const { leafId, preferred, kept, withCopies } = moving();
    const lost = withState(withCopies({ [preferred]: [whole(leafId)] }), "m1", "dead");
    const toHold = (name: string) =>
      copiesToHold({ machine: name, members: lost, copiesWanted: 2 }).find(
        (copy) => copy.leafId === leafId,
      );
    const folderId = folder(leafId);
    expect(toHold(preferred)).toEqual({ leafId, folderId, sourceAddress: null });
    const sourceAddress = `${preferred}:7401/leaf/${leafId}`;
    expect(toHold(kept)).toEqual({ leafId, folderId, sourceAddress });
    expect(copyHolder(lost, leafId)?.name).toBe(preferred);
  });

  test("what is held of a lost machine is kept until another one has all of it, whole or not", () => {
    const leafId = "m1-leaf-1";
    const all = ["m1", "m2", "m3", "m4", "m5"].map((name) => machine(name));
    const dead = withState(all, "m1", "dead");
    const ids = (members: readonly Member[], name: string): readonly string[] =>
      copiesToHold({ machine: name, members, copiesWanted: 2 }).map((copy) => copy.leafId);
    const having = (copies: Readonly<Record<string, boolean>>): readonly Member[] =>
      dead.map((member) => {
        const isWhole = copies[member.name];
        return isWhole === undefined ? member : { ...member, copies: [whole(leafId, { isWhole })] };
      });
    const others = ["m2", "m3", "m4", "m5"];
    // Its process has just ended, and starts again: what it has may be all that is left.
    for (const name of others) expect(ids(having({ [name]: false }), name)).toContain(leafId);
    const preferred = others.filter((name) =>
      ids(having(Object.fromEntries(others.map((other) => [other, true]))), name).includes(leafId),
    );
    expect(preferred).toHaveLength(2);
    const [kept] = others.filter((name) => !preferred.includes(name));
    const [first, second] = preferred;
    const copied = having({ [kept!]: false, [first!]: true, [second!]: true });
    expect(ids(copied, kept!)).not.toContain(leafId);
  });

  test("a copy of another folder is kept, since it may be all that is left, but not asked", () => {
    const { leafId, preferred, kept, withCopies } = moving();
    const older = { folderId: "a disk that is lost" };
    const members = withCopies({ [kept]: [whole(leafId, older)] });
    const toHold = (name: string) => copiesToHold({ machine: name, members, copiesWanted: 2 });
    expect(toHold(kept)).toContainEqual({ leafId, sourceAddress: null, ...older });
    expect(toHold(preferred)).toContainEqual({
      ...{ leafId, folderId: folder(leafId) },
      sourceAddress: `m1:7401/leaf/${leafId}`,
    });
    expect(copyHolder(members, leafId)).toBeNull();
  });
});

test("a home that has not said which folder it has is not copied; what is held stays", () => {
  const silent = machine("m1", { leafFolders: [] });
  const [leafId] = silent.leafIds as [string];
  const holding = machine("m2", { copies: [whole(leafId)] });
  const asked = (members: readonly Member[]) =>
    copiesToHold({ machine: "m2", members, copiesWanted: 2 });
  expect(asked([silent, machine("m2")])).toEqual([]);
  expect(asked([silent, holding])).toEqual([
    { leafId, sourceAddress: null, folderId: folder(leafId) },
  ]);
});

describe("a machine that is being emptied", () => {
  const drain = { askedMs: 1, drainedMs: null, isEmpty: false };
  const names = ["a", "b", "c", "d"];

  test.each([1, 2])(
    "with --copies %i others get all of it, and it gets nothing new",
    (copiesWanted) => {
      const members = names.map((name) => machine(name, name === "a" ? { drain } : {}));
      const holders = holdersByLeaf(members, copiesWanted);
      for (const leafId of idsOf("a")) expect(holders.get(leafId)).toHaveLength(copiesWanted);
      expect(copiesToHold({ machine: "a", members, copiesWanted })).toEqual([]);
      const settledOnce = settled(members, copiesWanted);
      expect(holdersByLeaf(settledOnce, copiesWanted)).toEqual(holders);
    },
  );

  test("keeps copies of others until these are whole elsewhere", () => {
    const before = settled(
      names.map((name) => machine(name)),
      2,
    );
    const held = before[0]!.copies.map(({ leafId }) => leafId);
    expect(held.length).toBeGreaterThan(0);
    const asked = before.map((member) => (member.name === "a" ? { ...member, drain } : member));
    const idsHeld = (members: readonly Member[]) =>
      copiesToHold({ machine: "a", members, copiesWanted: 2 }).map(({ leafId }) => leafId);
    expect(idsHeld(asked)).toEqual(held);
    expect(idsHeld(settled(asked, 2))).toEqual([]);
  });
});

test("other machines may have rows of a leaf that was a member before, once one is alive", () => {
  const [leafId] = idsOf("m1") as [string];
  const home = machine("m1", { state: "dead" });
  expect(mayBeCopied([gateway, home, machine("m2")], leafId)).toBe(true);
  expect(mayBeCopied([gateway, home, machine("m2", { state: "dead" })], leafId)).toBe(false);
  expect(mayBeCopied([gateway, home], leafId)).toBe(false);
  expect(mayBeCopied([gateway, machine("m2")], leafId)).toBe(false);
});

describe("where a leaf that lost its rows reads them", () => {
  const leafId = "m1-leaf-1";
  /** Of a leaf that planned three removals; `null`: the machine has no copy. */
  function source(
    given: Readonly<Record<string, Partial<MemberCopy> & Pick<Member, "state">>>,
    isOldAccepted = false,
  ): string | null {
    const leafFolders = [{ leafId, folderId: folder(leafId), removals: 3 }];
    const home = machine("m1", { state: "dead", leafFolders });
    const others = Object.entries(given).map(([name, { state, ...copy }]) =>
      machine(name, { state, copies: [whole(leafId, { removals: 3, ...copy })] }),
    );
    const { holder, removalsMin } = restoreSource([home, ...others], leafId, isOldAccepted);
    return holder === null ? null : `${holder.name} ${removalsMin}`;
  }
  const behind = { state: "alive", isWhole: false } as const;

  test("one that is whole, or else the one with most rows", () => {
    expect(source({ m2: { ...behind, rows: 9 }, m3: { state: "alive", rows: 5 } })).toBe("m3 3");
    expect(source({ m2: { ...behind, rows: 5 }, m3: { ...behind, rows: 9 } })).toBe("m3 3");
    const old = { ...behind, rows: 9, removals: 2 };
    expect(source({ m2: old, m3: { ...behind, rows: 5 } })).toBe("m3 3");
  });

  test("an old one only where that is asked for: other copies are older then", () => {
    for (const removals of [2, null]) {
      const old = { ...behind, removals, rows: 9 };
      expect(source({ m2: old })).toBeNull();
      expect(source({ m2: old }, true)).toBe("m2 4");
      expect(source({ m2: old, m3: { state: "alive", rows: 5 } }, true)).toBe("m3 3");
      expect(source({ m2: { ...old, folderId: "another" } }, true)).toBeNull();
    }
  });

  test("a machine that is away may have more", () => {
    const members = { m2: { ...behind, rows: 9 }, m3: { state: "dead" } } as const;
    expect(source(members)).toBeNull();
    expect(source(members, true)).toBe("m2 4");
    expect(source({ m2: { state: "alive" }, m3: { state: "dead" } })).toBe("m2 3");
  });
});

test("a machine that believes all dead, itself too, drops no copy: the list is old", () => {
  const drain = { askedMs: 1, drainedMs: null, isEmpty: false };
  const before = settled(
    ["a", "b", "c"].map((name) => machine(name)),
    2,
  );
  for (const own of [{}, { drain }]) {
    const members = before.map((member) => ({ ...member, state: "dead" as const, ...own }));
    const held = copiesToHold({ machine: "a", members, copiesWanted: 2 });
    expect(held.map(({ leafId }) => leafId)).toEqual(before[0]!.copies.map((one) => one.leafId));
  }
});

test("what is not whole is named: with one machine everything, with copies 1 nothing", () => {
  const alone = [gateway, machine("m1")];
  expect(partitionsNotWhole({ members: alone, copiesWanted: 2 })).toEqual(idsOf("m1"));
  expect(partitionsNotWhole({ members: alone, copiesWanted: 1 })).toEqual([]);
  const three = ["m1", "m2", "m3"].map((name) => machine(name));
  expect(partitionsNotWhole({ members: three, copiesWanted: 2 })).toHaveLength(3 * leavesEach);
  const members = settled(three, 2);
  expect(partitionsNotWhole({ members, copiesWanted: 2 })).toEqual([]);
  const lost = partitionsNotWhole({ members: withState(members, "m2", "dead"), copiesWanted: 2 });
  expect(lost).toEqual(expect.arrayContaining([...idsOf("m2")]));
});

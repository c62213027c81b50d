import { expect, test } from "vitest";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import type { Member } from "../../registry/member/members.js";
import { onlyMachineName } from "./machines.js";
import { memberInfos } from "./members.js";

const memory = {
  ...{ storeBytes: 1_000, storeUsedBytes: 400, storeLargestFreeBytes: 600, storeExtents: 3 },
  ...{ queryPoolBytes: 250, queryPoolUsedBytes: 0 },
};

const leaf = {
  id: "leaf-1",
  address: "127.0.0.1:7401",
  state: "alive",
  status: {
    pid: 42,
    rows: 7,
    bytes: 400,
    rowsUnwritten: 3,
    filesDamaged: 2,
    memory,
    tables: [{ name: "events", rows: 7, bytes: 400 }],
  },
  freeBytes: 600,
  lastHeardMs: 1_000,
};

const infosOf = (leaves: readonly object[], listed: readonly Member[] | null = null) =>
  memberInfos({
    ...{ address: "http://127.0.0.1:7400", leaves: leaves as readonly LeafConnection[] },
    cluster: listed === null ? null : { list: () => listed, self: "m9-gateway" },
    nowMs: 1_400,
  });

test("units that stay undecided are named, and left out where there are none", () => {
  const [, some] = infosOf([{ ...leaf, status: { ...leaf.status, unitsUndecided: 2 } }]);
  expect(some).toMatchObject({ unitsUndecided: 2 });
  expect(infosOf([leaf])[1]).not.toHaveProperty("unitsUndecided");
});

test("a leaf is a member with the numbers of its last status", () => {
  const [, info] = infosOf([leaf]);
  expect(info).toEqual({
    ...{ id: "leaf-1", role: "leaf", address: "127.0.0.1:7401", pid: 42, state: "alive" },
    ...{ rows: 7, bytes: 400, freeBytes: 600, rowsUnwritten: 3, memory, lastHeardMs: 1_000 },
    filesDamaged: 2,
    tables: [{ name: "events", rows: 7, bytes: 400 }],
    ...{ machine: onlyMachineName(), parent: "gateway", lagMs: 400, copies: [] },
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
});

test("a leaf that has not reported yet is a member without rows", () => {
  const silent = { ...leaf, address: null, state: "suspect", status: null, freeBytes: 0 };
  expect(infosOf([{ ...silent, lastHeardMs: 0 }])[1]).toMatchObject({
    ...{ address: "", pid: null, state: "suspect", rows: 0, bytes: 0, memory: null, tables: [] },
    lagMs: null,
  });
});

test("the gateway is a member that stores nothing", () => {
  expect(infosOf([])).toMatchObject([
    {
      ...{ id: "gateway", role: "gateway", address: "http://127.0.0.1:7400", pid: process.pid },
      ...{ state: "alive", rows: 0, bytes: 0, memory: null, tables: [], lagMs: 0 },
    },
  ]);
});

test("members of a cluster have their machine, who asks them, and copies", () => {
  const member = (name: string, given: Partial<Member>): Member => ({
    ...{ name, instance: name, role: "aggregator", address: `${name}:1`, protocol: 2 },
    ...{ version: "0.0.9", leafIds: [], leafFolders: [], copies: [], state: "alive" },
    ...{ silentMs: 300, drain: null, sendsNoneTo: [] },
    ...given,
  });
  const folder = { leafId: "leaf-1", folderId: "f1" };
  const copy = { ...folder, isWhole: true, lagMs: 5 };
  const members = [
    member("m1", { leafIds: ["leaf-1"], leafFolders: [folder] }),
    member("m2", { copies: [copy] }),
    member("m3", { copies: [{ ...copy, isWhole: false }], state: "dead" }),
    member("m4", { copies: [{ ...copy, folderId: "f0" }] }),
    ...["m8-gateway", "m9-gateway"].map((name) => member(name, { role: "gateway" })),
  ];
  const infos = infosOf([leaf], members);
  const shown = infos.map(({ id, machine, parent, version }) => [id, machine, parent, version]);
  expect(shown).toEqual([
    ["gateway", "m9", null, infos[0]!.version],
    ...["m1", "m2", "m3", "m4"].map((name) => [name, name, null, "0.0.9"]),
    ["m8-gateway", "m8", null, "0.0.9"],
    ["leaf-1", "m1", "m1", "0.0.9"],
  ]);
  expect(infos.at(-1)!.copies).toEqual([
    { leaf: "leaf-1", machine: "m2", state: "whole", lagMs: 5 },
    { leaf: "leaf-1", machine: "m3", state: "away", lagMs: 5 },
    { leaf: "leaf-1", machine: "m4", state: "old", lagMs: 5 },
  ]);
  expect(infos[2]).toMatchObject({ role: "aggregator", lagMs: 300, lastHeardMs: 1_100 });
  expect(infos[2]!.copies).toHaveLength(1);
});

import { expect, test } from "vitest";
import type { Member } from "../../registry/member/members.js";
import { machinesOf, onlyMachine } from "./machines.js";

const member = (name: string, given: Partial<Member> = {}): Member => ({
  ...{ name, instance: name, role: "aggregator", address: `${name}:1`, protocol: 2 },
  ...{ version: "0.1.0", leafIds: [`${name}-1`], leafFolders: [], copies: [], state: "alive" },
  ...{ silentMs: 300, drain: null, sendsNoneTo: [] },
  ...given,
});
const leaf = (id: string, state: Member["state"], rows: number | null) => ({
  ...{ id, state },
  status: rows === null ? null : ({ rows } as never),
});
const parts = { isRegistryAway: false, leaves: [], showsRows: true };
const drain = { askedMs: 1, drainedMs: null, isEmpty: false };

test.each([
  ["alive", null, "alive"],
  ["dead", null, "dead"],
  ["alive", drain, "draining"],
  ["suspect", drain, "suspect"],
  ["dead", drain, "dead"],
  ["dead", { ...drain, drainedMs: 2 }, "drained"],
] as const)("a machine that is %s, with drain %o, is shown as %s", (state, drain, shown) => {
  const members = [member("m1", { state, drain }), member("g", { role: "gateway" })];
  expect(machinesOf({ ...parts, members })).toMatchObject([{ name: "m1", state: shown }]);
});

test("while the registry is away, connections say who is there", () => {
  const members = ["m1", "m2", "m3"].map((name) => member(name, { state: "alive" }));
  const leaves = [leaf("m1-1", "alive", 1), leaf("m2-1", "suspect", 1), leaf("m3-1", "dead", 1)];
  const away = machinesOf({ ...parts, members, leaves, isRegistryAway: true });
  expect(away.map(({ state }) => state)).toEqual(["alive", "suspect", "dead"]);
  const there = machinesOf({ ...parts, members, leaves });
  expect(there.map(({ state }) => state)).toEqual(["alive", "alive", "alive"]);
});

test("a machine is named as not reached that says it is alive, while no leaf of it answers", () => {
  const members = [member("m1", { leafIds: ["m1-1", "m1-2"], address: "10.0.0.9:7401" })];
  const problemOf = (...states: Member["state"][]) => {
    const leaves = states.map((state, i) => leaf(`m1-${i + 1}`, state, 5));
    return machinesOf({ ...parts, members, leaves })[0]?.problem;
  };
  expect(problemOf("dead", "dead")).toMatch(/^nothing answers at 10\.0\.0\.9:7401; .*--advertise/);
  expect(problemOf("dead", "alive")).toBe(undefined);
  expect(problemOf()).toBe(undefined);
  const dead = [member("m1", { state: "dead" })];
  const leaves = [leaf("m1-1", "dead", null)];
  expect(machinesOf({ ...parts, members: dead, leaves })[0]?.problem).toBe(undefined);
});

test("rows are those that all leaves have said; else, and for who may not see them, none", () => {
  const members = [member("m1", { leafIds: ["m1-1", "m1-2"] })];
  const rowsOf = (second: number | null, showsRows = true) => {
    const leaves = [leaf("m1-1", "alive", 5), leaf("m1-2", "alive", second)];
    return [
      machinesOf({ ...parts, members, leaves, showsRows })[0]?.rows,
      onlyMachine(leaves, { address: "", showsRows }).rows,
    ];
  };
  expect(rowsOf(2)).toEqual([7, 7]);
  expect(rowsOf(null)).toEqual([null, null]);
  expect(rowsOf(2, false)).toEqual([null, null]);
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { setDrain } from "../../registry/member/drains.js";
import {
  type AnnouncedMember,
  announceMember,
  joinCluster,
  listMembers,
  type Member,
} from "../../registry/member/members.js";
import type { Registry } from "../../registry/registry.js";
import { type RegistryFolder, registryFolder } from "../../registry/testing/registryFolder.js";
import { type DrainDeps, type DrainedLeaf, DrainingMachines } from "./drainingMachines.js";

let folder: RegistryFolder;
let registry: Registry;
let members: readonly Member[];
let problem: string | null;
let pending: readonly { leaf: string }[];
let nowMs: number;
/** What each leaf holds; null: it does not answer. */
let held: Record<string, { rows: number; hints: number } | null>;
let copied: Set<string>;
let machines: DrainingMachines;

const announced = (name: string, role: AnnouncedMember["role"]): AnnouncedMember => ({
  ...{ name, instance: name, role, address: `${name}:1`, protocol: 2, version: "0.1.0" },
  leafIds: role === "gateway" ? [] : [`${name}-1`, `${name}-2`],
  ...{ leafFolders: [], copies: [] },
});

const leaf = (id: string): DrainedLeaf => ({
  id,
  async request({ kind }) {
    const own = held[id];
    if (own == null) throw new Error(`${id} is away`);
    const batches = Array.from({ length: own.hints });
    const header = kind === "status" ? { kind, status: { rows: own.rows } } : { kind, batches };
    return { header, body: new Uint8Array() } as never;
  },
});

const refresh = async (): Promise<void> => {
  members = await listMembers(registry);
};

async function round(machine = "a"): Promise<Member["drain"]> {
  await refresh();
  await machines.run();
  await refresh();
  return members.find(({ name }) => name === machine)!.drain;
}

async function drainA(): Promise<void> {
  await setDrain(registry, { machine: "a", drain: true, onChange: async () => undefined });
}

beforeEach(async () => {
  folder = await registryFolder();
  registry = await folder.open();
  const asked = { key: "a key of the tests", fanOut: null, copies: null, tls: null };
  await joinCluster(registry, asked, { fanOut: 5, copies: 2, tls: true });
  for (const name of ["a", "b"]) await announceMember(registry, announced(name, "aggregator"));
  await announceMember(registry, announced("g", "gateway"));
  [problem, pending, nowMs, copied] = [null, [], 0, new Set()];
  held = { "a-1": { rows: 5, hints: 0 }, "a-2": { rows: 0, hints: 0 } };
  const deps: DrainDeps = {
    registry,
    ledger: { pending: () => pending as never },
    members: {
      self: "g",
      notWhole: () => [],
      whenRemovalsKnown: async () => true,
      list: () => members,
      problem: () => problem,
      refresh,
    },
    leaves: () => ["a-1", "a-2", "b-1", "b-2"].map(leaf),
    isCopied: (leafId) => copied.has(leafId),
    warn: (text) => expect.fail(text),
    now: () => nowMs,
  };
  machines = new DrainingMachines(deps);
  await refresh();
});
afterEach(() => folder.remove());

test("leaves of a draining machine take no rows, those of others do", async () => {
  expect(["a-1", "b-1"].map((id) => machines.takesRows(id))).toEqual([true, true]);
  await drainA();
  await refresh();
  expect(["a-1", "a-2", "b-1"].map((id) => machines.takesRows(id))).toEqual([false, false, true]);
});

test("it is drained once no leaf has rows or hints, and no longer when one has again", async () => {
  await drainA();
  await round();
  expect(await round()).toMatchObject({ drainedMs: null, isEmpty: false });
  held["a-1"] = { rows: 0, hints: 1 };
  expect(await round()).toMatchObject({ drainedMs: null });
  held["a-1"] = { rows: 0, hints: 0 };
  expect(await round()).toMatchObject({ drainedMs: expect.any(Number), isEmpty: true });
  // A machine that was stopped says nothing: it holds what it held.
  held = { "a-1": null, "a-2": null };
  expect(await round()).toMatchObject({ drainedMs: expect.any(Number), isEmpty: true });
  held = { "a-1": { rows: 1, hints: 0 }, "a-2": { rows: 0, hints: 0 } };
  expect(await round()).toMatchObject({ drainedMs: null, isEmpty: false });
});

test("a batch on its way, of this gateway or another, keeps it from being drained", async () => {
  held["a-1"] = { rows: 0, hints: 0 };
  pending = [{ leaf: "a-2" }];
  await drainA();
  for (let i = 0; i < 3; i++) expect(await round()).toMatchObject({ drainedMs: null });
  pending = [{ leaf: "b-1" }];
  await announceMember(registry, announced("other", "gateway"));
  for (let i = 0; i < 3; i++) expect(await round()).toMatchObject({ drainedMs: null });
  await registry.write((transaction) =>
    transaction.updateTable("member").set({ sends_none_to: '["a"]' }).execute(),
  );
  expect(await round()).toMatchObject({ drainedMs: expect.any(Number) });
});

test("copies count once they have been compared since the last batch; a leaf without one keeps it", async () => {
  copied = new Set(["a-1"]);
  await drainA();
  // In the first round this gateway says that it sends nothing, in the second it is heard.
  for (let i = 0; i < 2; i++) await round();
  nowMs += 4_999;
  expect(await round()).toMatchObject({ drainedMs: null });
  nowMs += 1_000;
  expect(await round()).toMatchObject({ drainedMs: expect.any(Number), isEmpty: false });
  copied = new Set();
  expect(await round()).toMatchObject({ drainedMs: null });
});

test("a leaf that does not answer proves nothing, unless it has a copy", async () => {
  held = { "a-1": null, "a-2": { rows: 0, hints: 0 } };
  await drainA();
  // In the first round this gateway says that it sends nothing, in the second it is heard.
  for (let i = 0; i < 2; i++) await round();
  nowMs += 6_000;
  expect(await round()).toMatchObject({ drainedMs: null });
  copied = new Set(["a-1"]);
  expect(await round()).toMatchObject({ drainedMs: expect.any(Number), isEmpty: false });
});

test("while the registry is away nothing is said and nothing is found", async () => {
  held["a-1"] = { rows: 0, hints: 0 };
  await drainA();
  problem = "it was replaced";
  expect(await round()).toMatchObject({ drainedMs: null });
  expect(members.find(({ name }) => name === "g")?.sendsNoneTo).toEqual([]);
});

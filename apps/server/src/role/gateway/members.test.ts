import { expect, test } from "vitest";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import { gatewayMember, leafMember } from "./members.js";

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
    memory,
    tables: [{ name: "events", rows: 7, bytes: 400 }],
  },
  freeBytes: 600,
  lastHeardMs: 1_000,
};

test("a leaf is a member with the numbers of its last status", () => {
  expect(leafMember(leaf as unknown as LeafConnection)).toEqual({
    ...{ id: "leaf-1", role: "leaf", address: "127.0.0.1:7401", pid: 42, state: "alive" },
    ...{ rows: 7, bytes: 400, freeBytes: 600, memory, lastHeardMs: 1_000 },
    tables: [{ name: "events", rows: 7, bytes: 400 }],
  });
});

test("a leaf that has not reported yet is a member without rows", () => {
  const silent = { ...leaf, address: null, state: "suspect", status: null, freeBytes: 0 };
  expect(leafMember(silent as unknown as LeafConnection)).toMatchObject({
    ...{ address: "", pid: null, state: "suspect", rows: 0, bytes: 0, memory: null, tables: [] },
  });
});

test("the gateway is a member that stores nothing", () => {
  expect(gatewayMember("http://127.0.0.1:7400")).toMatchObject({
    ...{ id: "gateway", role: "gateway", address: "http://127.0.0.1:7400", pid: process.pid },
    ...{ state: "alive", rows: 0, bytes: 0, memory: null, tables: [] },
  });
});

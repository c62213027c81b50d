import type { StatusInfo } from "@hadal/sdk";
import { expect, test } from "vitest";
import { anyone } from "../../access/person.js";
import { visibleStatus } from "./visibleStatus.js";

const own = { name: "own", rows: 2, bytes: 20 };
const part = { name: "part", rows: 30, bytes: 300 };
const secret = { name: "secret", rows: 400, bytes: 4_000 };
const all = [own, part, secret];
const lost = all.map(({ name }) => ({ leaf: "leaf-1", table: name, rows: 1, reason: name }));
const status: StatusInfo = {
  ledger: {
    ...{ state: "rebuilding", reason: "lacked rows of secret", comparedMs: 1, lostRows: lost },
    lostColumns: [],
    doubts: all.map(({ name }) => ({ table: name, reason: "unknown" })),
  },
  members: [
    {
      ...{ id: "leaf-1", role: "leaf", address: "127.0.0.1:1", pid: 1, state: "alive" },
      ...{ rows: 432, bytes: 4_320, freeBytes: 1, memory: null, tables: all, lastHeardMs: 1 },
      ...{ machine: "m1", parent: "gateway", version: "0.1.0", lagMs: 1, copies: [] },
    },
  ],
  tables: all,
  queries: [],
  admission: { running: 0, waiting: 0, refused: 0, answerBytes: 0 },
  sandbox: { state: "unused", keeps: [] },
  demo: { table: "secret", rows: 1, fraction: 1, problem: null },
  ingest: {
    ...{ rowsAccepted: 432, rowsRejected: 0, batches: 3, bytesHeld: 0, waiting: 0, refused: 0 },
    tables: all.map(({ name, rows }) => ({
      name,
      accepted: rows,
      rejected: 0,
      late: 0,
      future: 0,
    })),
    stages: [{ stage: "open", rows: 432, lagMs: 1 }],
  },
  sources: [
    {
      ...{ id: "k", kind: "kafka", group: "g", state: "reading", reason: null, lagRows: 0 },
      partitions: [
        {
          ...{ topic: "secret", table: "secret", partition: 0, offset: 0, endOffset: 0 },
          ...{ lagRows: 0, gateway: "gateway", atMs: 1 },
        },
      ],
      ...{ accepted: 0, rejected: 0, problems: [] },
    },
  ],
};
const readable = {
  key: "k",
  of: (table: string) =>
    table === "secret" ? null : { rows: table === "part" ? [[]] : null, hiddenColumns: [] },
};

test("who does not operate the server sees tables that may be read, and sizes of whole ones", () => {
  const seen = visibleStatus(status, { permissions: new Set(["query"]), readable });
  expect(JSON.stringify(seen)).not.toContain("secret");
  expect(seen.tables).toEqual([own]);
  expect(seen.members).toMatchObject([{ rows: 2, bytes: 20, tables: [] }]);
  expect(seen.ingest).toMatchObject({ rowsAccepted: 2, tables: [{ name: "own" }], stages: [] });
  expect(seen.ledger.lostRows).toMatchObject([{ table: "own" }]);
  expect(seen.ledger.doubts.map(({ table }) => table)).toEqual(["own", "part"]);
  expect(seen.demo).toBeNull();
});

test("the size of a demo that may be read in part is not shown", () => {
  const ofPart = { ...status, demo: { ...status.demo!, table: "part" } };
  expect(visibleStatus(ofPart, { permissions: new Set(["query"]), readable }).demo).toBeNull();
});

test("who operates it sees its memory, and only tables that may be read", () => {
  const memory = { storeBytes: 7 } as NonNullable<StatusInfo["members"][number]["memory"]>;
  const members = status.members.map((member) => ({ ...member, memory }));
  const seen = visibleStatus(
    { ...status, members },
    { permissions: new Set(["operate"]), readable },
  );
  expect(seen.members).toMatchObject([{ memory, tables: [own] }]);
  expect(JSON.stringify(seen)).not.toContain("secret");
});

test("who operates it and reads every table sees everything", () => {
  expect(visibleStatus(status, anyone)).toBe(status);
});

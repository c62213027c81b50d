import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Registry } from "../registry.js";
import { type PostgresServer, startPostgres } from "../testing/postgresServer.js";
import { type RegistryFolder, registryFolder } from "../testing/registryFolder.js";
import { noteDrained, noteSendsNone, setDrain } from "./drains.js";
import { type AnnouncedMember, announceMember, joinCluster, listMembers } from "./members.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server.remove());

const member = (name: string, role: AnnouncedMember["role"] = "aggregator"): AnnouncedMember => ({
  ...{ name, instance: name, role, address: "127.0.0.2:7401", protocol: 2, version: "0.1.0" },
  ...{ leafIds: [], leafFolders: [], copies: [] },
});

describe.each(["SQLite", "PostgreSQL"])("drains in %s", (kind) => {
  let folder: RegistryFolder;
  let registry: Registry;
  let changes: number;
  beforeAll(async () => {
    folder = await registryFolder(kind === "SQLite" ? null : await server.createDatabase());
    registry = await folder.open();
    const asked = { key: "a key", fanOut: null, copies: null, tls: null };
    await joinCluster(registry, asked, { fanOut: 5, copies: 2, tls: false });
  });
  afterAll(() => folder.remove());
  beforeEach(async () => {
    changes = 0;
    await registry.write(async (transaction) => {
      await transaction.deleteFrom("member").execute();
      await transaction.deleteFrom("machine_drain").execute();
    });
    for (const name of ["a", "b"]) await announceMember(registry, member(name));
    await announceMember(registry, member("g", "gateway"));
  });

  const drain = (machine: string, wanted = true, by = registry): Promise<void> =>
    setDrain(by, {
      ...{ machine, drain: wanted },
      onChange: async () => {
        changes++;
      },
    });
  const drainOf = async (name: string) =>
    (await listMembers(registry)).find((one) => one.name === name)?.drain;

  test("a machine drains, and takes rows again; what is so already changes nothing", async () => {
    expect(await drainOf("a")).toBe(null);
    await drain("a");
    const asked = await drainOf("a");
    expect(asked).toEqual({ askedMs: expect.any(Number), drainedMs: null, isEmpty: false });
    await drain("a");
    expect(await drainOf("a")).toEqual(asked);
    expect(changes).toBe(1);
    await drain("a", false);
    await drain("a", false);
    expect(await drainOf("a")).toBe(null);
    expect(changes).toBe(2);
  });

  test("a process that starts again finds its machine still draining", async () => {
    await drain("a");
    await announceMember(registry, member("a"));
    expect(await drainOf("a")).not.toBe(null);
  });

  test("the last machine that takes rows stays; a dead one takes none", async () => {
    await drain("a");
    await expect(drain("b")).rejects.toMatchObject({ code: "last-machine", status: 409 });
    await drain("a", false);
    await registry.write((transaction) =>
      transaction.updateTable("member").set({ heartbeat_ms: 0 }).where("name", "=", "a").execute(),
    );
    await expect(drain("b")).rejects.toMatchObject({ code: "last-machine" });
    expect([await drainOf("a"), await drainOf("b"), changes]).toEqual([null, null, 2]);
  });

  test("of two requests at once for the last two machines one is refused", async () => {
    const other = await folder.open();
    for (let round = 0; round < 10; round++) {
      const both = [drain("a"), drain("b", true, other)];
      const outcomes = await Promise.allSettled(both);
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      await Promise.all([drain("a", false), drain("b", false, other)]);
    }
  });

  test("who is no machine is unknown, a gateway too, and the machines are named", async () => {
    for (const name of ["c", "g", "A"]) {
      await expect(drain(name)).rejects.toMatchObject({
        code: "unknown-machine",
        message: `No machine is called ${name}. There are: a, b.`,
      });
    }
    expect(changes).toBe(0);
  });

  test("it is found drained as long as the same request stands", async () => {
    await drain("a");
    const { askedMs } = (await drainOf("a"))!;
    const found = { machine: "a", isDrained: true, isEmpty: true };
    await noteDrained(registry, { ...found, askedMs: askedMs - 1 });
    expect(await drainOf("a")).toMatchObject({ drainedMs: null, isEmpty: false });
    await noteDrained(registry, { ...found, askedMs });
    expect(await drainOf("a")).toMatchObject({ drainedMs: expect.any(Number), isEmpty: true });
    await noteDrained(registry, { ...found, askedMs, isDrained: false, isEmpty: false });
    expect(await drainOf("a")).toMatchObject({ drainedMs: null, isEmpty: false });
  });

  test("a gateway says where it sends nothing; one that starts again has to say so again", async () => {
    const said = async () =>
      (await listMembers(registry)).find(({ name }) => name === "g")?.sendsNoneTo;
    await noteSendsNone(registry, "g", ["a"]);
    expect(await said()).toEqual(["a"]);
    await announceMember(registry, member("g", "gateway"));
    expect(await said()).toEqual([]);
  });
});

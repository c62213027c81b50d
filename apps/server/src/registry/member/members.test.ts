import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Registry } from "../registry.js";
import { type PostgresServer, startPostgres } from "../testing/postgresServer.js";
import { type RegistryFolder, registryFolder } from "../testing/registryFolder.js";
import {
  type AnnouncedMember,
  announceMember,
  beatMember,
  joinCluster,
  listMembers,
  removeMember,
} from "./members.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

const member = (name: string, instance = `${name}-1`): AnnouncedMember => ({
  ...{ name, instance, role: "aggregator", address: "127.0.0.2:7401", protocol: 2 },
  leafIds: [`${name}-leaf-1`],
});

describe.each(["SQLite", "PostgreSQL"])("members in %s", (kind) => {
  let folder: RegistryFolder;
  let registry: Registry;
  beforeAll(async () => {
    folder = await registryFolder(kind === "SQLite" ? null : await server.createDatabase());
    registry = await folder.open();
  });
  afterAll(() => folder.remove());

  test("the first member makes the cluster; others need its key and fan-out", async () => {
    const first = await joinCluster(registry, { key: "secret", fanOut: null }, 5);
    expect(first.fanOut).toBe(5);
    expect(await joinCluster(registry, { key: "secret", fanOut: 5 }, 5)).toEqual(first);
    await expect(joinCluster(registry, { key: "other", fanOut: null }, 5)).rejects.toThrow(
      "The key is not that of the cluster",
    );
    await expect(joinCluster(registry, { key: "secret", fanOut: 3 }, 5)).rejects.toThrow(
      "--fan-out is 3; the cluster's is 5.",
    );
  });

  test("a member is alive while it is heard from", async () => {
    await announceMember(registry, member("a"));
    await announceMember(registry, member("b"));
    const states = async (): Promise<object> =>
      Object.fromEntries((await listMembers(registry)).map(({ name, state }) => [name, state]));
    expect(await states()).toEqual({ a: "alive", b: "alive" });
    await silence("a", 4_000);
    await silence("b", 11_000);
    expect(await states()).toEqual({ a: "suspect", b: "dead" });
    expect(await beatMember(registry, member("a"))).toBe(true);
    expect(await states()).toEqual({ a: "alive", b: "dead" });
    await removeMember(registry, member("b"));
    expect(await states()).toEqual({ a: "alive" });
  });

  test("a name is one member's; a dead one's place can be taken", async () => {
    await announceMember(registry, member("c"));
    await expect(announceMember(registry, member("c", "c-2"))).rejects.toThrow(
      "The machine name c is in use at 127.0.0.2:7401; choose another with --machine.",
    );
    await silence("c", 11_000);
    await announceMember(registry, member("c", "c-2"));
    expect(await beatMember(registry, member("c"))).toBe(false);
    expect(await beatMember(registry, member("c", "c-2"))).toBe(true);
  });

  const silence = (name: string, ms: number) =>
    registry.write((transaction) =>
      transaction
        .updateTable("member")
        .set((eb) => ({ heartbeat_ms: eb("heartbeat_ms", "-", ms) }))
        .where("name", "=", name)
        .execute(),
    );
});

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Registry } from "../registry.js";
import { type PostgresServer, startPostgres } from "../testing/postgresServer.js";
import { type RegistryFolder, registryFolder } from "../testing/registryFolder.js";
import {
  type AnnouncedMember,
  type AskedSettings,
  announceMember,
  beatMember,
  joinCluster,
  leaveCluster,
  listMembers,
} from "./members.js";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.remove());

const member = (name: string, instance = `${name}-1`): AnnouncedMember => ({
  ...{ name, instance, role: "aggregator", address: "127.0.0.2:7401", protocol: 2 },
  version: "0.1.0",
  leafIds: [`${name}-leaf-1`],
  ...{ leafFolders: [], copies: [] },
});

describe.each(["SQLite", "PostgreSQL"])("members in %s", (kind) => {
  let folder: RegistryFolder;
  let registry: Registry;
  beforeAll(async () => {
    folder = await registryFolder(kind === "SQLite" ? null : await server.createDatabase());
    registry = await folder.open();
  });
  afterAll(() => folder.remove());

  test("the first member makes the cluster; others need its key and settings", async () => {
    const join = (key: string, asked: Partial<AskedSettings> = {}) =>
      joinCluster(
        registry,
        { fanOut: null, copies: null, tls: null, key, ...asked },
        { fanOut: 5, copies: 2, tls: true },
      );
    const first = await join("secret");
    expect(first).toMatchObject({ fanOut: 5, copies: 2, tls: true });
    expect(await join("secret", { fanOut: 5, copies: 2, tls: true })).toEqual(first);
    await expect(join("other")).rejects.toThrow("The key is not that of the cluster");
    await expect(join("secret", { fanOut: 3 })).rejects.toThrow(
      "--fan-out is 3; the cluster's is 5.",
    );
    await expect(join("secret", { copies: 1 })).rejects.toThrow(
      "--copies is 1; the cluster's is 2.",
    );
    await expect(join("secret", { tls: false })).rejects.toThrow(
      "--cluster-tls is off; in the cluster it is on.",
    );
  });

  test("a heartbeat says which folders and copies a member has", async () => {
    const leafFolders = [{ leafId: "d-leaf-1", folderId: "f1" }];
    await announceMember(registry, { ...member("d"), leafFolders });
    const held = async () => (await listMembers(registry)).find(({ name }) => name === "d");
    expect(await held()).toMatchObject({ leafFolders, copies: [] });
    const copies = [{ leafId: "a-leaf-1", folderId: "f2", isWhole: true, lagMs: null }];
    await beatMember(registry, { ...member("d"), leafFolders, copies });
    expect(await held()).toMatchObject({ leafFolders, copies });
    await leaveCluster(registry, { ...member("d"), leafIds: [] });
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
    // A gateway has nothing that would be missed.
    await leaveCluster(registry, { ...member("b"), leafIds: [] });
    expect(await states()).toEqual({ a: "alive" });
    await leaveCluster(registry, member("a"));
    expect(await states()).toEqual({ a: "dead" });
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

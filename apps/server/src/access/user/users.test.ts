import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type PostgresServer, startPostgres } from "../../registry/testing/postgresServer.js";
import { type RegistryFolder, registryFolder } from "../../registry/testing/registryFolder.js";
import { Access } from "../access.js";

let server: PostgresServer;
let folder: RegistryFolder;
let access: Access;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server?.remove());
afterEach(async () => {
  await access.close();
  await folder.remove();
});

const actor = { who: "root", address: "10.0.0.1" };
const address = "127.0.0.1";
const password = "correct horse";
const refused = { code: "bad-request", status: 400 };
const invalid = { code: "invalid-query", status: 400 };

async function start(databaseUrl: string | null = null): Promise<void> {
  folder = await registryFolder(databaseUrl);
  access = await Access.open(await folder.open(), {
    ...{ auth: "users", signIn: { password: true, oidc: null }, roleGroups: [] },
    warn: (text) => expect.fail(text),
  });
}

const names = async (): Promise<string[]> =>
  (await access.users.list()).map(({ name, role }) => `${name} ${role}`);

describe.each(["SQLite", "PostgreSQL"])("users in %s", (kind) => {
  const begin = async () => start(kind === "SQLite" ? null : await server.createDatabase());

  test("are changed and removed, with what was theirs; the log has it all", async () => {
    await begin();
    const { id } = await access.users.createWithPassword(
      { name: "Ann", role: "editor" },
      password,
      actor,
    );
    await access.grants.replace(
      {
        grants: [
          { user: "ANN", table: "a" },
          { user: id, table: "b" },
          { group: "g", table: "c" },
        ],
      },
      actor,
    );
    const { person } = await access.signIn({ name: "ann", password, address });
    expect(["a", "b", "c"].map((table) => person.readable.of(table) !== null)).toEqual([
      true,
      true,
      false,
    ]);
    const changed = { name: "Anne", role: "operator", groups: ["g"] };
    expect(await access.users.change(id, changed, actor)).toMatchObject({ id, ...changed });
    expect(access.isStillValid(person)).toBe(false);
    const disabled = await access.users.change(id, { ...changed, disabled: true }, actor);
    expect(disabled).toMatchObject({ state: "disabled", groups: ["g"] });
    await expect(access.signIn({ name: "anne", password, address })).rejects.toMatchObject({
      code: "unauthenticated",
    });
    await access.users.remove(id, actor);
    expect(await access.users.list()).toEqual([]);
    expect(await access.grants.list()).toEqual([
      { user: "ANN", table: "a" },
      { group: "g", table: "c" },
    ]);
    await expect(access.users.remove(id, actor)).rejects.toMatchObject({ code: "unknown-user" });
    const log = (await access.audit.list({})).map(
      ({ action, target, who }) => `${who}: ${action} ${target}`,
    );
    expect(log).toEqual([
      ...["root: user.delete Anne", "null: sign-in.failed anne", "root: user.change Anne"],
      ...["root: user.change Anne", "Ann: sign-in Ann", "root: grants.change 3 grants"],
      "root: user.create Ann",
    ]);
  });

  test("the name is unique, whatever its case or composition", async () => {
    await begin();
    await access.users.create({ name: "Zoë", role: "viewer" }, actor);
    const other = await access.users.create({ name: "other", role: "viewer" }, actor);
    await expect(
      access.users.create({ name: "ZOE\u0308", role: "admin" }, actor),
    ).rejects.toMatchObject(refused);
    await expect(
      access.users.change(other.id, { name: "zoë", role: "viewer" }, actor),
    ).rejects.toMatchObject(refused);
    expect(await names()).toEqual(["other viewer", "Zoë viewer"]);
    const created = Array.from({ length: 8 }, () =>
      access.users.create({ name: "same", role: "viewer" }, actor),
    );
    const outcomes = await Promise.allSettled(created);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

test("the only admin who can sign in stays one, but at the command line", async () => {
  await start();
  const draft = { name: "root", role: "admin" };
  const { id } = await access.users.createWithPassword(draft, password, actor);
  await access.users.create({ name: "invited", role: "admin" }, actor);
  for (const change of [
    { ...draft, role: "viewer" },
    { ...draft, disabled: true },
  ])
    await expect(access.users.change(id, change, actor)).rejects.toMatchObject(refused);
  await expect(access.users.remove(id, actor)).rejects.toMatchObject(refused);
  await access.users.createWithPassword({ name: "second", role: "admin" }, password, actor);
  await access.users.change(id, { ...draft, role: "viewer" }, actor);
  const second = (await access.users.findByName("SECOND")).id;
  await access.users.remove(second, actor, "any");
  expect(await names()).toEqual(["invited admin", "root viewer"]);
});

describe("the link of the first admin", () => {
  const signIn = (setup: string | null) =>
    access.signInBySetup({ code: setup?.slice("/setup#".length) ?? "", password, address });

  test("is new at each start, until it is used", async () => {
    await start();
    const first = await access.users.firstSetup(actor);
    const second = await access.users.firstSetup(actor);
    await expect(signIn(first)).rejects.toMatchObject({ code: "unauthenticated" });
    expect((await signIn(second)).person).toMatchObject({ name: "admin", role: "admin" });
    expect(await access.users.firstSetup(actor)).toBeNull();
    await expect(
      access.users.create({ name: "admin", role: "viewer" }, actor),
    ).rejects.toMatchObject(refused);
  });

  test("ends when an admin is added otherwise, also by its name", async () => {
    await start();
    const setup = await access.users.firstSetup(actor);
    await access.users.create({ name: "viewer", role: "viewer" }, actor);
    await access.users.createWithPassword({ name: "Admin", role: "admin" }, password, actor);
    await expect(signIn(setup)).rejects.toMatchObject({ code: "unauthenticated" });
    expect(await names()).toEqual(["Admin admin", "viewer viewer"]);
    expect(await access.users.firstSetup(actor)).toBeNull();
  });
});

test.each([
  [{ name: "a\u0000b", role: "viewer" }, "name"],
  [{ name: "a\u202eb", role: "viewer" }, "name"],
  [{ name: " a", role: "viewer" }, "name"],
  [{ name: "x".repeat(101), role: "viewer" }, "name"],
  [{ name: "\ud800", role: "viewer" }, "name"],
  [{ name: 7, role: "viewer" }, "name"],
  [{ role: "viewer" }, "name"],
  [{ name: "a", role: "root" }, "role"],
  [{ name: "a" }, "role"],
  [{ name: "a", role: "viewer", groups: ["\n"] }, "groups[0]"],
  [{ name: "a", role: "viewer", groups: "g" }, "groups"],
  [{ name: "a", role: "viewer", disabled: "yes" }, "disabled"],
  [{ name: "a", role: "viewer", password: "x" }, "password"],
])("%j is refused, naming the place", async (draft, path) => {
  await start();
  const error = await Promise.resolve()
    .then(() => access.users.create(draft, actor))
    .catch((e) => e);
  expect(error).toMatchObject({ ...invalid, errors: [expect.objectContaining({ path })] });
});

test.each(["", "1234567", "x".repeat(1_025), "é".repeat(513)])(
  "the password %j is refused",
  async (wrong) => {
    await start();
    const creating = access.users.createWithPassword({ name: "a", role: "viewer" }, wrong, actor);
    await expect(creating).rejects.toMatchObject(refused);
    expect(await access.users.list()).toEqual([]);
  },
);

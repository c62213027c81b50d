import { mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HadalError } from "@hadal/sdk";
import Database from "libsql";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { openRegistry } from "../registry/openRegistry.js";
import { type PostgresServer, startPostgres } from "../registry/testing/postgresServer.js";
import { type RegistryFolder, registryFolder } from "../registry/testing/registryFolder.js";
import { Access, type AccessOptions } from "./access.js";
import type { Credentials } from "./credentials.js";

let server: PostgresServer;
let folder: RegistryFolder;
const opened: Access[] = [];
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server?.remove());
afterEach(async () => {
  for (const access of opened.splice(0)) await access.close();
  await folder.remove();
});

const admin = { who: "root", address: "10.0.0.1" };
const address = "127.0.0.1";
const password = "correct horse";
const noCredentials: Credentials = { token: null, session: null, external: null, address };
const unauthenticated = { code: "unauthenticated", status: 401 };
const refusal = expect.objectContaining(unauthenticated);
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The time of the test, which it moves. */
let nowMs = Date.UTC(2026, 0, 1);

async function open(options: Partial<AccessOptions> = {}): Promise<Access> {
  const access = await Access.open(await folder.open(), {
    ...{ auth: "users", signIn: { password: true, oidc: null }, roleGroups: [] },
    ...{ warn: (text) => expect.fail(text), nowMs: () => nowMs, ...options },
  });
  opened.push(access);
  return access;
}

const codeOf = (setup: string): string => setup.slice("/setup#".length);

/** A user with the password of the tests. */
async function addUser(access: Access, name: string, role = "viewer", groups: string[] = []) {
  return access.users.createWithPassword({ name, role, groups }, password, admin);
}

async function signIn(access: Access, name: string) {
  const { secret, person } = await access.signIn({ name, password, address });
  return { session: { ...noCredentials, session: secret }, secret, person };
}

describe.each(["SQLite", "PostgreSQL"])("people in %s", (kind) => {
  const start = async (options: Partial<AccessOptions> = {}): Promise<Access> => {
    folder = await registryFolder(kind === "SQLite" ? null : await server.createDatabase());
    return open(options);
  };

  test("a user signs in by name in any case, and is recognised by the session", async () => {
    const access = await start();
    const user = await addUser(access, "Zoë", "editor", ["web"]);
    const { session, person } = await signIn(access, "ZOE\u0308");
    expect(await access.identify(session)).toBe(person);
    expect(person).toMatchObject({
      key: `user:${user.id}`,
      kind: "user",
      id: user.id,
      name: "Zoë",
    });
    expect(person).toMatchObject({ role: "editor", groups: ["web"], auth: "users" });
    expect([...person.permissions]).toEqual(["query", "save", "embed"]);
    expect((await access.users.list())[0]).toMatchObject({ lastSignInMs: nowMs, state: "active" });
  });

  test("wrong passwords and names that do not exist get the same answer", async () => {
    const access = await start();
    await addUser(access, "anna");
    await access.users.create({ name: "invited", role: "admin" }, admin);
    const answers = [];
    for (const name of ["anna", "invited", "unknown", "a\0b", "x".repeat(100_000), ""]) {
      const error = await access.signIn({ name, password: "wrong one", address }).catch((e) => e);
      answers.push(JSON.stringify(error.toProblem()));
    }
    expect(new Set(answers).size).toBe(1);
    const long = { name: "anna", password: "x".repeat(10_000_000), address };
    await expect(access.signIn(long)).rejects.toMatchObject(unauthenticated);
    const failed = await access.audit.list({});
    expect(failed.filter(({ action }) => action === "sign-in.failed")).toHaveLength(7);
    expect(failed.every(({ target }) => target.length <= 200)).toBe(true);
  });

  test("a setup link is used once, within three days", async () => {
    const access = await start();
    const { id, setup, state } = await access.users.create({ name: "bob", role: "viewer" }, admin);
    expect(state).toBe("invited");
    const code = codeOf(setup);
    await expect(access.signInBySetup({ code, password: "short", address })).rejects.toMatchObject({
      code: "bad-request",
    });
    const { person } = await access.signInBySetup({ code, password, address });
    expect(person.id).toBe(id);
    await expect(access.signInBySetup({ code, password, address })).rejects.toMatchObject(
      unauthenticated,
    );
    await signIn(access, "bob");
    const again = await access.users.invite(id, admin);
    expect(access.isStillValid(person)).toBe(false);
    await expect(access.signIn({ name: "bob", password, address })).rejects.toMatchObject(
      unauthenticated,
    );
    nowMs += 3 * dayMs;
    const late = { code: codeOf(again.setup), password, address };
    await expect(access.signInBySetup(late)).rejects.toMatchObject(unauthenticated);
  });

  test("sessions end by sign-out, by sign-out everywhere, when idle and after 30 days", async () => {
    const access = await start();
    const { id } = await addUser(access, "anna");
    const sessions = [];
    for (let i = 0; i < 3; i++) sessions.push(await signIn(access, "anna"));
    const [first, second, third] = sessions as [
      (typeof sessions)[0],
      (typeof sessions)[0],
      (typeof sessions)[0],
    ];
    await access.signOut(first.secret, address);
    expect(() => access.identify(first.session)).toThrow(refusal);
    expect(access.isStillValid(first.person)).toBe(false);
    expect(access.isStillValid(second.person)).toBe(true);
    nowMs += 11 * hourMs;
    await access.identify(second.session);
    nowMs += 2 * hourMs;
    expect(access.isStillValid(second.person)).toBe(true);
    expect(() => access.identify(third.session)).toThrow(refusal);
    await access.signOutEverywhere(id, admin);
    expect(access.isStillValid(second.person)).toBe(false);
    const last = await signIn(access, "anna");
    for (let i = 0; i < 80; i++) {
      nowMs += 9 * hourMs;
      if (i < 79) await access.identify(last.session);
    }
    expect(() => access.identify(last.session)).toThrow(refusal);
  });

  test("a token is judged by its scopes, until it expires or is revoked", async () => {
    const access = await start({ auth: "none" });
    const scopes = ["query:requests", "ingest", "save"];
    const made = await access.tokens.create({ name: "ci", scopes, expires: "1h" }, admin);
    const { id, token, ...shown } = made;
    expect(shown).toMatchObject({ name: "ci", scopes, createdBy: "root", lastUsed: null });
    const person = await access.identify({ ...noCredentials, token });
    expect(person).toMatchObject({ key: `token:${id}`, kind: "token", id, name: "ci", role: null });
    expect([...person.permissions]).toEqual(["query", "ingest", "save"]);
    expect(person.readable.of("requests")).toEqual({ rows: null, hiddenColumns: [] });
    expect(person.readable.of("others")).toBeNull();
    expect(person.mayIngest("any")).toBe(true);
    await vi.waitUntil(async () => (await access.tokens.list())[0]?.lastUsed === nowMs, 5_000);
    nowMs += hourMs;
    expect(() => access.identify({ ...noCredentials, token })).toThrow(refusal);
    expect(access.isStillValid(person)).toBe(false);
    const endless = await access.tokens.create({ scopes: ["admin"] }, admin);
    const sent = { ...noCredentials, token: endless.token };
    expect([...(await access.identify(sent)).permissions]).toEqual(["admin"]);
    await access.tokens.revoke(endless.id, admin);
    expect(() => access.identify(sent)).toThrow(refusal);
    await expect(access.tokens.revoke(endless.id, admin)).rejects.toMatchObject({
      code: "unknown-token",
    });
    expect((await access.tokens.list()).map((one) => one.id)).toEqual([id]);
  });

  test("grants decide what users below admin read and send", async () => {
    const access = await start();
    for (const [name, role, groups] of [
      ["boss", "admin", []],
      ["ann", "operator", ["eu"]],
      ["tom", "operator", []],
    ] as const)
      await addUser(access, name, role, [...groups]);
    const filter = [{ column: "region", op: "=", value: "eu" }];
    const grants = [
      { group: "eu", table: "requests", filter, hiddenColumns: ["ip"] },
      { user: "TOM", table: "logs" },
      { group: "everyone", table: "public" },
    ];
    await access.grants.replace({ grants }, admin);
    expect(await access.grants.list()).toEqual(grants);
    const tables = ["requests", "logs", "public", "others"];
    const rights = async (name: string) => {
      const { person } = await signIn(access, name);
      return tables.map((table) => [
        person.readable.of(table) === null ? "–" : "reads",
        person.mayIngest(table),
      ]);
    };
    expect(await rights("boss")).toEqual(tables.map(() => ["reads", true]));
    expect(await rights("ann")).toEqual([
      ["reads", false],
      ["–", false],
      ["reads", true],
      ["–", false],
    ]);
    expect(await rights("tom")).toEqual([
      ["–", false],
      ["reads", true],
      ["reads", true],
      ["–", false],
    ]);
    const { person } = await signIn(access, "ann");
    expect(person.readable.of("requests")).toEqual({ rows: [filter], hiddenColumns: ["ip"] });
    const { id, token } = await access.tokens.create({ scopes: ["query"], name: "ci" }, admin);
    const asToken = async () => (await access.identify({ ...noCredentials, token })).readable;
    expect((await asToken()).of("logs")).not.toBeNull();
    for (const name of [id, "ci"]) {
      await access.grants.replace({ grants: [{ token: name, table: "requests" }] }, admin);
      expect((await asToken()).of("logs")).toBeNull();
      expect((await asToken()).of("requests")).not.toBeNull();
    }
    expect(access.isStillValid(person)).toBe(false);
  });

  test("another process follows within five seconds", async () => {
    const [here, there] = [await start(), await open()];
    let changes = 0;
    const stop = there.onChange(() => changes++);
    const user = await addUser(here, "anna", "admin");
    const { id, token } = await here.tokens.create({ scopes: ["query"] }, admin);
    const sent = { ...noCredentials, token };
    const isKnown = (credentials: Credentials): boolean => {
      try {
        return there.identify(credentials) !== null;
      } catch {
        return false;
      }
    };
    await vi.waitUntil(() => isKnown(sent), 5_000);
    const { session } = await signIn(here, "anna");
    await vi.waitUntil(() => isKnown(session), 5_000);
    const persons = [await there.identify(sent), await there.identify(session)];
    await here.tokens.revoke(id, admin);
    await here.signOutEverywhere(user.id, admin);
    await vi.waitUntil(() => !isKnown(sent) && !isKnown(session), 5_000);
    expect(persons.map((person) => there.isStillValid(person))).toEqual([false, false]);
    expect(changes).toBeGreaterThan(0);
    stop();
  });

  test("the audit log is listed by time and name, the newest first, and kept for a time", async () => {
    const access = await start({ auditDays: 30 });
    const fromMs = nowMs;
    for (let i = 0; i < 5; i++) {
      await access.audit.record({ who: i % 2 ? "a" : "b", address }, "table.delete", `t${i}\u0000`);
      nowMs += dayMs;
    }
    const listed = async (query: object) =>
      (await access.audit.list(query)).map(({ target }) => target);
    expect(await listed({})).toEqual(["t4�", "t3�", "t2�", "t1�", "t0�"]);
    expect(await listed({ who: "a" })).toEqual(["t3�", "t1�"]);
    expect(await listed({ fromMs: fromMs + dayMs, toMs: fromMs + 3 * dayMs })).toEqual([
      "t2�",
      "t1�",
    ]);
    expect(await access.audit.list({}, 2)).toHaveLength(2);
    nowMs = fromMs + 31.5 * dayMs;
    await access.audit.prune();
    expect(await listed({})).toEqual(["t4�", "t3�", "t2�"]);
  });

  test("who signed in at the proxy is created as a viewer, and has the role of the groups", async () => {
    const access = await start({ auth: "header" });
    const sent = (name: string, groups: string[]) => ({
      ...noCredentials,
      external: { name, groups },
    });
    const first = await Promise.all([1, 2, 3].map(() => access.identify(sent("ann", ["b", "a"]))));
    expect(new Set(first).size).toBe(1);
    expect(first[0]).toMatchObject({
      name: "ann",
      role: "viewer",
      groups: ["a", "b"],
      auth: "header",
    });
    expect(access.identify(sent("ANN", ["a", "b", "a"]))).toBe(first[0]);
    expect(() => access.identify(noCredentials)).toThrow(refusal);
    const [user] = await access.users.list();
    await access.users.change(user?.id ?? "", { name: "ann", role: "editor" }, admin);
    expect(await access.identify(sent("ann", ["a"]))).toMatchObject({ role: "editor" });
    await access.users.change(
      user?.id ?? "",
      { name: "ann", role: "editor", disabled: true },
      admin,
    );
    expect(() => access.identify(sent("ann", ["a"]))).toThrow(refusal);
    const roleGroups = [
      { role: "admin", group: "ops" },
      { role: "editor", group: "dev" },
    ] as const;
    const mapped = await open({ auth: "header", roleGroups });
    const roleOf = async (groups: string[]) => (await mapped.identify(sent("tom", groups))).role;
    expect(await roleOf(["dev"])).toBe("editor");
    expect(await roleOf(["dev", "ops"])).toBe("admin");
    expect(await roleOf(["others"])).toBe("viewer");
  });
});

describe("while the registry is away", () => {
  test("who was known is recognised; what was never read is refused, never allowed", async () => {
    folder = await registryFolder();
    const access = await open();
    await addUser(access, "anna");
    const { session } = await signIn(access, "anna");
    const { token } = await access.tokens.create({ scopes: ["query"] }, admin);
    const path = join(folder.path, "registry.db");
    await rename(path, `${path}.away`);
    await vi.waitUntil(() => folder.warnings.length > 0, 5_000);
    expect(await access.identify(session)).toMatchObject({ name: "anna" });
    expect(await access.identify({ ...noCredentials, token })).toMatchObject({ kind: "token" });
    const unavailable = { code: "registry-unavailable" };
    await expect(access.signIn({ name: "anna", password, address })).rejects.toMatchObject(
      unavailable,
    );

    const elsewhere = await mkdtemp(join(tmpdir(), "hadal-access-"));
    const registry = await openRegistry({
      ...{ dataDir: elsewhere, databaseUrl: "postgres://x:x@127.0.0.1:1/x", warn: () => undefined },
    });
    const blind = await Access.open(registry, {
      ...{ auth: "users", signIn: { password: true, oidc: null }, roleGroups: [] },
      warn: () => undefined,
    });
    const away = expect.objectContaining(unavailable);
    expect(() => blind.identify(session)).toThrow(away);
    expect(() => blind.identify({ ...noCredentials, token })).toThrow(away);
    expect(() => blind.identify(noCredentials)).toThrow(refusal);
    await blind.close();
    await registry.close();
    await rm(elsewhere, { recursive: true });
  });
});

describe("credentials that are none", () => {
  test("are refused with one answer for all reasons", async () => {
    folder = await registryFolder();
    const access = await open();
    const { token } = await access.tokens.create({ scopes: ["query"] }, admin);
    const flipped = token.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    const wrong: Partial<Credentials>[] = [
      {},
      ...["", "hdl_", flipped, token.slice(4), `${token} `, token.toUpperCase()].map((one) => ({
        token: one,
      })),
      ...["", "x", "x".repeat(100_000), "\0"].map((session) => ({ session })),
      { external: { name: "root", groups: [] } },
    ];
    const answers = wrong.map((one) => {
      try {
        return access.identify({ ...noCredentials, ...one });
      } catch (error) {
        return JSON.stringify((error as HadalError).toProblem());
      }
    });
    expect(new Set(answers).size).toBe(1);
    expect(answers[0]).toContain('"signIn":{"password":true,"oidc":null}');
  });

  test("rows that are damaged are not used", async () => {
    folder = await registryFolder();
    const access = await open();
    await addUser(access, "anna", "viewer");
    await addUser(access, "boss", "admin");
    const anna = await signIn(access, "anna");
    const boss = await signIn(access, "boss");
    const { token } = await access.tokens.create({ scopes: ["query:a"] }, admin);
    await access.grants.replace(
      { grants: [{ group: "everyone", table: "a", hiddenColumns: ["x"] }] },
      admin,
    );
    const database = new Database(join(folder.path, "registry.db"));
    const damage = async (sql: string, area: string): Promise<void> => {
      database.exec(sql);
      database.exec(`update area set revision = revision + 1 where name = '${area}'`);
      const seen = folder.warnings.length;
      await vi.waitUntil(() => folder.warnings.length > seen, 5_000);
    };
    await damage(`update table_grant set body = replace(body, '"x"', '"y"')`, "grants");
    expect((await access.identify(anna.session)).readable.of("a")).toBeNull();
    expect((await access.identify({ ...noCredentials, token })).readable.of("a")).toBeNull();
    expect((await access.identify(boss.session)).readable.of("a")).not.toBeNull();
    await damage(`update token set scopes = '["admin"]'`, "tokens");
    expect(() => access.identify({ ...noCredentials, token })).toThrow(refusal);
    await damage(`update user_account set role = 'admin' where name = 'anna'`, "people");
    expect(() => access.identify(anna.session)).toThrow(refusal);
    await expect(access.signIn({ name: "anna", password, address })).rejects.toMatchObject(
      unauthenticated,
    );
    const other = (await access.users.list()).find(({ name }) => name === "boss");
    await damage(`update session set user_id = '${other?.id}', created_ms = 1`, "sessions");
    expect(() => access.identify(boss.session)).toThrow(refusal);
    database.close();
  });

  test("no hash of a password is in a copy, and no secret anywhere", async () => {
    folder = await registryFolder();
    const access = await open();
    await addUser(access, "anna");
    const { secret } = await signIn(access, "anna");
    const { token } = await access.tokens.create({ scopes: ["query"] }, admin);
    const { setup } = await access.users.create({ name: "bob", role: "viewer" }, admin);
    await access.close();
    await folder.close();
    const files = await readdir(folder.path, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(
      files
        .filter((file) => file.isFile())
        .map(async (file) => [
          file.name,
          await readFile(join(file.parentPath, file.name), "latin1"),
        ]),
    );
    for (const [name, text] of texts) {
      for (const value of [secret, token, setup.slice(7), password])
        expect(text).not.toContain(value);
      if (name !== "registry.db") expect(text).not.toContain("argon2");
    }
    expect(texts.map(([name]) => name)).toContain("people.json");
  });
});

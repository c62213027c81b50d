import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Access } from "../../access/access.js";
import { openRegistry } from "../../registry/openRegistry.js";
import type { Registry } from "../../registry/registry.js";
import { runProgram } from "../program.js";

let folder: string;
let registry: Registry | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-people-"));
});
afterEach(async () => {
  await registry?.close();
  registry = undefined;
  await rm(folder, { recursive: true });
});

async function hadal(...words: string[]): Promise<{ code: number; out: string; error: string }> {
  const printed = { out: "", error: "" };
  const write = (stream: "out" | "error") => async (text: string | Uint8Array) => {
    printed[stream] += text;
    return true;
  };
  const code = await runProgram([...words, "--data-dir", folder], {
    ...{ write: write("out"), writeError: write("error") },
    ...{ outIsTerminal: false, errorIsTerminal: false },
  });
  return { code, ...printed };
}

/** What a server on the same registry knows. */
async function openAccess(): Promise<Access> {
  registry = await openRegistry({ dataDir: folder, databaseUrl: null, warn: () => undefined });
  return Access.open(registry, {
    ...{ auth: "users", signIn: { password: true, oidc: null }, roleGroups: [] },
    warn: () => undefined,
  });
}

const credentials = { session: null, external: null, address: "127.0.0.1" };

describe("user", () => {
  test("add prints a setup link, with which the user signs in", async () => {
    const words = ["user", "add", "anna", "--role", "editor", "--groups", "web, ops"];
    const { code, out } = await hadal(...words, "--url", "https://hadal.example/");
    expect(code).toBe(0);
    const link = /^anna \(editor\) was added\.\nhttps:\/\/hadal\.example\/setup#(\S{43})\n$/.exec(
      out,
    );
    const access = await openAccess();
    const setup = { code: link?.[1] ?? "", password: "correct horse", address: "127.0.0.1" };
    const { person } = await access.signInBySetup(setup);
    expect(person).toMatchObject({ name: "anna", role: "editor", groups: ["web", "ops"] });
    await access.close();
  });

  test("list, password and remove, by the name in any case", async () => {
    expect((await hadal("user", "list")).out).toContain("No users yet");
    await hadal("user", "add", "anna", "--role", "admin");
    expect((await hadal("user", "list")).out).toMatch(/anna\s+admin\s+invited\s+password/);
    const [user] = JSON.parse((await hadal("user", "list", "--json")).out);
    expect(user).toMatchObject({ name: "anna", role: "admin", state: "invited", groups: [] });
    expect((await hadal("user", "password", "ANNA")).out).toMatch(/^http:\S+\/setup#\S{43}\n$/);
    expect(await hadal("user", "remove", "Anna")).toMatchObject({ out: "anna was removed.\n" });
    expect((await hadal("user", "list", "--json")).out).toBe("[]\n");
  });

  test.each([
    [
      ["user", "add", "anna", "--role", "boss"],
      /^hadal: .*--role.*viewer, editor, operator, admin/,
      2,
    ],
    [["user", "add", "anna"], /^hadal: required option '--role/, 2],
    [
      ["user", "add", "an\u0007na", "--role", "viewer"],
      /^hadal: name.*invisible characters\.\n$/,
      1,
    ],
    [["user", "add", "", "--role", "viewer"], /^hadal: name.*it is empty\.\n$/, 1],
    [["user", "remove", "nobody\u001b[31m"], /^hadal: No user has the id nobody\\x1b\[31m\.\n$/, 1],
    [["user", "password", "nobody"], /^hadal: No user has the id nobody\.\n$/, 1],
  ])("%j is refused in one line", async (words, expected, code) => {
    const refused = await hadal(...words);
    expect(refused.error).toMatch(expected);
    expect(refused).toMatchObject({ out: "", code });
  });

  test("the same name in another case is refused", async () => {
    await hadal("user", "add", "Zoë", "--role", "viewer");
    const { code, error } = await hadal("user", "add", "ZOE\u0308", "--role", "viewer");
    expect(error).toBe("hadal: There is a user named Zoë already.\n");
    expect(code).toBe(1);
  });
});

describe("token", () => {
  test("create --json prints id and token, which is valid and stored nowhere", async () => {
    const { out } = await hadal(
      "token",
      "create",
      "--scope",
      "query:a,ingest",
      "--name",
      "ci",
      "--json",
    );
    const { id, token, ...more } = JSON.parse(out);
    expect(token).toMatch(/^hdl_[\w-]{43}$/);
    expect(more).toEqual({});
    const access = await openAccess();
    const person = await access.identify({ ...credentials, token });
    expect(person).toMatchObject({ kind: "token", id, name: "ci" });
    await access.close();
    const listed = await hadal("token", "list", "--json");
    expect(JSON.parse(listed.out)).toMatchObject([
      { id, scopes: ["query:a", "ingest"], expires: null },
    ]);
    expect(listed.out).not.toContain(token);
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    for (const file of files.filter((one) => one.isFile()))
      expect(await readFile(join(file.parentPath, file.name), "latin1")).not.toContain(token);
  });

  test("without --json the token alone is on standard output", async () => {
    const { out, error } = await hadal("token", "create", "--scope", "save", "--expires", "90d");
    expect(out).toMatch(/^hdl_[\w-]{43}\n$/);
    expect(error).toMatch(/^The token [\w-]{36}; it is shown only now:\n$/);
  });

  test("revoke ends it once", async () => {
    const { id } = JSON.parse((await hadal("token", "create", "--scope", "admin", "--json")).out);
    expect(await hadal("token", "revoke", id)).toMatchObject({
      code: 0,
      out: `${id} was revoked.\n`,
    });
    expect((await hadal("token", "list", "--json")).out).toBe("[]\n");
    const again = await hadal("token", "revoke", id);
    expect(again).toMatchObject({ code: 1, error: `hadal: No token has the id ${id}.\n` });
  });

  test.each([
    [["--scope", "querry:a"], /"querry:a" is no scope; scopes are query:TABLE/],
    [["--scope", "save:a"], /"save:a" is no scope/],
    [["--scope", "query:"], /A name must not be empty/],
    [["--scope", ""], /"" is no scope/],
    [["--scope", "query:*", "--expires", "soon"], /expires is a duration .* found "soon"/],
    [["--scope", "query:*", "--expires", "0s"], /expires is a duration/],
    [["--scope", "query:*", "--expires", "99999d"], /at most ten years/],
  ])("%j is refused in one line", async (flags, expected) => {
    const { code, out, error } = await hadal("token", "create", ...flags);
    expect(error).toMatch(expected);
    expect({ code, out, lines: error.split("\n").length }).toEqual({ code: 1, out: "", lines: 2 });
  });
});

import { join } from "node:path";
import Database from "libsql";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type RegistryFolder, registryFolder } from "../../registry/testing/registryFolder.js";
import { Access } from "../access.js";

let folder: RegistryFolder;
let access: Access;
beforeEach(async () => {
  folder = await registryFolder();
  access = await Access.open(await folder.open(), {
    ...{ auth: "none", signIn: { password: false, oidc: null }, roleGroups: [] },
    warn: (text) => expect.fail(text),
  });
});
afterEach(async () => {
  await access.close();
  await folder.remove();
});

const actor = { who: "root", address: null };

test("the last use is written, and no process reads the tokens again for it", async () => {
  const { token } = await access.tokens.create({ scopes: ["query"] }, actor);
  const database = new Database(join(folder.path, "registry.db"));
  const revisions = () => database.prepare("select * from area order by name").all();
  const before = revisions();
  await access.identify({ token, session: null, external: null, address: "::1" });
  await vi.waitUntil(async () => (await access.tokens.list())[0]?.lastUsed !== null, 5_000);
  expect(revisions()).toEqual(before);
  expect(before).not.toEqual([]);
  database.close();
});

test.each([
  [{ scopes: ["querry:a"] }, "scopes[0]"],
  [{ scopes: ["query:a", "save:a"] }, "scopes[1]"],
  [{ scopes: ["query:"] }, "scopes[0]"],
  [{ scopes: ["query:a\u0000"] }, "scopes[0]"],
  [{ scopes: [7] }, "scopes[0]"],
  [{ scopes: [] }, "scopes"],
  [{ scopes: "query" }, "scopes"],
  [{}, "scopes"],
  [{ scopes: ["query"], expires: "-1d" }, "expires"],
  [{ scopes: ["query"], expires: 90 }, "expires"],
  [{ scopes: ["query"], name: "\u0007" }, "name"],
  [{ scopes: ["query"], token: "hdl_mine" }, "token"],
])("%j is refused, naming the place", async (draft, path) => {
  const creating = Promise.resolve().then(() => access.tokens.create(draft, actor));
  await expect(creating).rejects.toMatchObject({
    code: "invalid-query",
    errors: [expect.objectContaining({ path })],
  });
  expect(await access.tokens.list()).toEqual([]);
});

import { afterEach, beforeEach, expect, test } from "vitest";
import { type RegistryFolder, registryFolder } from "../../registry/testing/registryFolder.js";
import { Access } from "../access.js";
import type { ExternalUser } from "./users.js";

let folder: RegistryFolder;
let access: Access;
beforeEach(async () => {
  folder = await registryFolder();
  access = await Access.open(await folder.open(), {
    ...{ auth: "users", signIn: { password: true, oidc: "id.example" }, warn: () => undefined },
    roleGroups: [{ role: "editor", group: "dev" }],
  });
});
afterEach(async () => {
  await access.close();
  await folder.remove();
});

const commandLine = { who: null, address: null };
const fromHere = { address: "::1" };
const ann: ExternalUser = {
  ...{ source: "oidc", subject: "https://id.example 1", name: "ann", groups: ["dev"] },
  role: "editor",
};
const refused = { code: "unauthenticated" };

test("a person of a provider stays the same user under another name, with the groups of now", async () => {
  const first = await access.signInExternally(ann, fromHere);
  expect(first.person).toMatchObject({ name: "ann", role: "editor", groups: ["dev"] });
  const renamed = { ...ann, name: "ann.lee", groups: ["other"], role: "viewer" } as const;
  const second = await access.signInExternally(renamed, fromHere);
  expect(second.person.id).toBe(first.person.id);
  expect(second.person).toMatchObject({ name: "ann", role: "viewer", groups: ["other"] });
  expect(await access.users.list()).toHaveLength(1);
});

test("a name that another person of the provider has here gives no access to that account", async () => {
  await access.signInExternally(ann, fromHere);
  const other = { ...ann, subject: "https://id.example 2" };
  await expect(access.signInExternally(other, fromHere)).rejects.toMatchObject(refused);
});

test("nor does that of a user with a password, or with a link to set one", async () => {
  const draft = { name: "ann", role: "admin" } as const;
  await access.users.createWithPassword(draft, "a password of ann", commandLine);
  await access.users.create({ ...draft, name: "bob" }, commandLine);
  for (const person of [ann, { ...ann, subject: "https://id.example 2", name: "bob" }])
    await expect(access.signInExternally(person, fromHere)).rejects.toMatchObject(refused);
  expect(await access.users.list()).toMatchObject([
    { role: "admin", source: "password" },
    { role: "admin", source: "password", state: "invited" },
  ]);
});

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { waitUntil } from "../../../test/support/waitUntil.js";
import { listMembers, type Member, type MemberCopy } from "../../registry/member/members.js";
import type { Registry } from "../../registry/registry.js";
import { type RegistryFolder, registryFolder } from "../../registry/testing/registryFolder.js";
import { Membership } from "./membership.js";

let folder: RegistryFolder;
let registry: Registry;
let member: Membership;
beforeEach(async () => {
  folder = await registryFolder();
  registry = await folder.open();
  member = await Membership.open({
    settings: {
      dataDir: folder.path,
      join: null,
      fanOut: null,
      copies: null,
      clusterTls: null,
      machine: "m1",
    },
    key: "a key of the tests",
    warn: (text) => expect.fail(text),
    onReplaced: () => expect.fail("it was replaced"),
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await folder.remove();
});

const announced = {
  role: "aggregator",
  address: "127.0.0.2:7401",
  leafIds: ["m1-leaf-1"],
} as const;
const listed = async (): Promise<Member | undefined> => (await listMembers(registry))[0];
const untilListed = (copy: MemberCopy): Promise<void> =>
  waitUntil("the copy is listed", async () =>
    JSON.stringify((await listed())?.copies) === JSON.stringify([copy]) ? true : null,
  ).then(() => undefined);
const copy = (isWhole: boolean, lagMs: number): MemberCopy => ({
  ...{ leafId: "m2-leaf-1", folderId: "f2", isWhole, lagMs },
});

test("others hear which folders and copies it has, and of a whole copy before the next heartbeat", async () => {
  const leafFolders = [{ leafId: "m1-leaf-1", folderId: "f1" }];
  member.setLeafFolders(leafFolders);
  // No heartbeat comes by itself.
  vi.useFakeTimers({ toFake: ["setInterval"] });
  await member.announce(announced);
  expect(await listed()).toMatchObject({ leafFolders, copies: [] });
  member.setCopies([copy(true, 7)]);
  await untilListed(copy(true, 7));
  member.setCopies([copy(true, 9)]);
  vi.advanceTimersByTime(1_000);
  await untilListed(copy(true, 9));
  await member.close();
  expect(await listed()).toMatchObject({ state: "dead", copies: [copy(true, 9)] });
});

test("a cluster has 2 copies of everything unless its first member says otherwise", async () => {
  expect(member.cluster).toMatchObject({ copies: 2, fanOut: 5 });
  await member.close();
});

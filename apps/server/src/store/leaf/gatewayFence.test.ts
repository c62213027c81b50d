import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { GatewayFence } from "./gatewayFence.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-fence-"));
});
afterEach(() => rm(folder, { recursive: true }));

const open = (warn: (text: string) => void = () => undefined) =>
  GatewayFence.open(join(folder, "gateways.json"), warn);
const one = { gateway: "one", epoch: 3 };
const two = { gateway: "two", epoch: 5 };
const fenced = { code: "gateway-fenced" };
const store = async () => "stored";

test("until there is a list all may place rows, and a sender that is the only one always may", async () => {
  const fence = await open();
  for (const sender of [one, two, undefined]) expect(await fence.run(sender, store)).toBe("stored");
  await fence.use({ version: 9, senders: [] });
  expect(await fence.run(undefined, store)).toBe("stored");
});

test("gateways that are not listed are refused, also after a restart; ones announced later are not", async () => {
  const fence = await open();
  await fence.use({ version: 7, senders: [two] });
  for (const again of [fence, await open()]) {
    await expect(again.run(one, store)).rejects.toMatchObject(fenced);
    // Another epoch of a listed one.
    await expect(again.run({ ...two, epoch: 4 }, store)).rejects.toMatchObject(fenced);
    expect(await again.run(two, store)).toBe("stored");
    expect(await again.run({ gateway: "one", epoch: 8 }, store)).toBe("stored");
  }
});

test("an older list changes nothing, whenever it comes", async () => {
  const fence = await open();
  await Promise.all([
    fence.use({ version: 7, senders: [two] }),
    fence.use({ version: 6, senders: [one, two] }),
  ]);
  await expect(fence.run(one, store)).rejects.toMatchObject(fenced);
  await expect((await open()).run(one, store)).rejects.toMatchObject(fenced);
});

test("a list is in use when nothing of others is under way any more", async () => {
  const fence = await open();
  const done: string[] = [];
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const running = [one, two].map((sender) =>
    fence.run(sender, async () => {
      await (sender === one ? finished : new Promise(() => undefined));
      done.push("rows");
    }),
  );
  const using = fence.use({ version: 7, senders: [two] }).then(() => done.push("list"));
  // On the disk already, and not in use.
  while ((await readdir(folder)).join() !== "gateways.json") await new Promise(setImmediate);
  await expect(fence.run(one, store)).rejects.toMatchObject(fenced);
  finish();
  await using;
  await running[0];
  expect(done).toEqual(["rows", "list"]);
});

test("a list that cannot be saved refuses at once, and is not in use; the next call saves it", async () => {
  const fence = await open();
  await rm(folder, { recursive: true });
  const list = { version: 7, senders: [two] };
  await expect(fence.use(list)).rejects.toMatchObject({ code: "not-saved" });
  await expect(fence.run(one, store)).rejects.toMatchObject(fenced);
  await mkdir(folder);
  await fence.use(list);
  await expect((await open()).run(one, store)).rejects.toMatchObject(fenced);
});

test("a damaged list is reported", async () => {
  await (await open()).use({ version: 7, senders: [two] });
  const path = join(folder, "gateways.json");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replace("two", "owt"));
  const warnings: string[] = [];
  await open((text) => warnings.push(text));
  expect(warnings).toEqual([expect.stringContaining("gateways that may place rows")]);
});

import { expect, test } from "vitest";
import type { LeafHandlers } from "../cluster/leafHandlers.js";
import { folderHandlers } from "./folderHandlers.js";

/** A leaf that notes what it is asked, and checks of its folder that take a while. */
function checkedLeaf() {
  const asked: string[] = [];
  const note = (name: string) => async () => void asked.push(name);
  const names = ["append", "holds", "drop", "takeHint", "dropHint", "fence"];
  const handlers = Object.fromEntries(names.map((name) => [name, note(name)]));
  const checks: ((isThere: boolean) => void)[] = [];
  const isFolderThere = () => new Promise<boolean>((resolve) => checks.push(resolve));
  const checked = folderHandlers("leaf-1", handlers as unknown as LeafHandlers, isFolderThere);
  return { asked, checks, handlers: checked as unknown as Record<string, () => Promise<void>> };
}

test("what is asked behind an append waits until the folder is checked", async () => {
  const { asked, checks, handlers } = checkedLeaf();
  const order = ["append", "holds", "takeHint", "dropHint", "append", "drop", "fence"];
  const answers = order.map((name) => handlers[name]!());
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toEqual([]);
  // The checks do not end in their order.
  for (const end of checks.reverse()) end(true);
  await Promise.all(answers);
  expect(asked).toEqual(order);
});

test("an append that is refused lets nothing pass those before it", async () => {
  const { asked, checks, handlers } = checkedLeaf();
  const [first, refused, holds] = ["append", "append", "holds"].map((name) => handlers[name]!());
  checks[1]!(false);
  await expect(refused).rejects.toMatchObject({ code: "storage-full" });
  checks[0]!(true);
  await Promise.all([first, holds]);
  expect(asked).toEqual(["append", "holds"]);
});

test("a leaf whose folder is gone refuses rows, and answers questions", async () => {
  const { asked, checks, handlers } = checkedLeaf();
  const append = handlers.append!();
  const holds = handlers.holds!();
  checks[0]!(false);
  await expect(append).rejects.toMatchObject({ code: "storage-full" });
  await holds;
  expect(asked).toEqual(["holds"]);
});

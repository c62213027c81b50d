import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ColumnOrder } from "./columnOrder.js";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-order-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const fail = (text: string): never => {
  throw new Error(text);
};

test("names keep the order in which they came, over a restart too; a forgotten table starts again", async () => {
  const path = join(folder, "columns.json");
  const order = await ColumnOrder.open(path, fail);
  await Promise.all([
    order.see("t", ["zeta", "alpha"]),
    order.see("t", ["alpha", "mid"]),
    order.see("__proto__", ["x"]),
  ]);
  await order.see("t", ["alpha"]);
  const again = await ColumnOrder.open(path, fail);
  for (const one of [order, again]) {
    expect([...one.of("t")]).toEqual(["zeta", "alpha", "mid"]);
    expect([...one.of("__proto__")]).toEqual(["x"]);
    expect([...one.of("none")]).toEqual([]);
  }
  await again.forget("t");
  await again.see("t", ["mid"]);
  expect([...(await ColumnOrder.open(path, fail)).of("t")]).toEqual(["mid"]);
});

test("what cannot be saved holds until the end, with a warning", async () => {
  const warned: string[] = [];
  const order = await ColumnOrder.open(join(folder, "columns.json"), (text) => warned.push(text));
  await rm(folder, { recursive: true });
  await order.see("t", ["a"]);
  expect([...order.of("t")]).toEqual(["a"]);
  expect(warned).toEqual([expect.stringContaining("the order of columns is not saved")]);
});

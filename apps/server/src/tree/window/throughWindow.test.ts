import { HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import { StopController } from "../../base/schedule/stopController.js";
import type { NodeStreamOptions } from "../queriedNode.js";
import { RequestWindow } from "./requestWindow.js";
import { throughWindow } from "./throughWindow.js";

const small = { floor: 1, max: 1 };

const options = (budgetMs: number, signal = new StopController().signal): NodeStreamOptions => ({
  ...{ budgetMs, signal, onPartial: () => undefined },
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks, and returns how the window is afterwards. */
async function sizeAfter(
  ask: (given: NodeStreamOptions) => Promise<void>,
  budgetMs = 1_000,
): Promise<number> {
  const window = new RequestWindow({ floor: 1, max: 64 });
  await throughWindow(window, options(budgetMs), ask).catch(() => undefined);
  expect(window.counts.held).toBe(0);
  return window.size;
}

const lost = new HadalError("connection-lost", { url: "m1" });

test.each<[string, number, (given: NodeStreamOptions) => Promise<void>]>([
  ["an answer", 64, async () => undefined],
  ["a link that is known to be dead", 64, async () => Promise.reject(lost)],
  ["a link that breaks", 32, () => pause(10).then(() => Promise.reject(lost))],
  ["an overloaded child", 32, async () => Promise.reject(new HadalError("overloaded"))],
  ["a problem of the query", 64, async () => Promise.reject(new HadalError("sum-overflow"))],
  [
    "a query that is cancelled soon",
    64,
    () => pause(10).then(() => Promise.reject(new HadalError("cancelled"))),
  ],
])("M14: after %s the window is %i", async (_, size, ask) => {
  expect(await sizeAfter(ask)).toBe(size);
});

test("M14: a child that has not answered when its time is up is a loss", async () => {
  const late = ({ budgetMs }: NodeStreamOptions): Promise<void> =>
    pause(budgetMs).then(() => Promise.reject(new HadalError("cancelled")));
  expect(await sizeAfter(late, 30)).toBe(32);
});

test("a request that waits keeps its deadline, and is not sent when that has passed", async () => {
  const window = new RequestWindow(small);
  const slot = window.tryEnter()!;
  const budgets: number[] = [];
  const ask = async ({ budgetMs }: NodeStreamOptions): Promise<void> => void budgets.push(budgetMs);
  const waiting = throughWindow(window, options(1_000), ask);
  const late = throughWindow(window, options(20), ask);
  await expect(late).rejects.toMatchObject({ code: "cancelled" });
  slot.end("answered");
  await waiting;
  expect(budgets).toHaveLength(1);
  expect(budgets[0]).toBeLessThanOrEqual(980);
  expect(window.counts).toEqual({ held: 0, waiting: 0, lost: 0 });
});

test("a request that is cancelled while it waits is never sent", async () => {
  const window = new RequestWindow(small);
  const slot = window.tryEnter()!;
  const controller = new StopController();
  let sent = 0;
  const ask = async (): Promise<void> => void sent++;
  const waiting = throughWindow(window, options(1_000, controller.signal), ask);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: "cancelled" });
  slot.end("answered");
  await expect(throughWindow(window, options(9, controller.signal), ask)).resolves.toBeUndefined();
  expect(sent).toBe(1);
});

test("a child that says nothing does not keep the others from being asked", async () => {
  const window = new RequestWindow(small);
  let answer: () => void = () => undefined;
  const silent = throughWindow(
    window,
    options(60_000),
    () =>
      new Promise((resolve) => {
        answer = resolve;
      }),
  );
  let isAsked = false;
  await throughWindow(window, options(60_000), async () => {
    isAsked = true;
  });
  expect(isAsked).toBe(true);
  answer();
  await silent;
  expect(window.counts.held).toBe(0);
});

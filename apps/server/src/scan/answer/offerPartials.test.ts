import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Steps } from "../../base/schedule/steps.js";
import { StopController } from "../../base/schedule/stopController.js";
import { type Offer, offerPartials } from "./offerPartials.js";

/** Of several turns, at whose end it is sent. */
function* slowly(send: () => void): Steps<void> {
  for (let i = 0; i < 3; i++) {
    const endMs = performance.now() + 6;
    while (performance.now() < endMs);
    yield;
  }
  send();
}

function* atOnce(send: () => void): Steps<void> {
  yield;
  send();
}

/** Gives up the thread until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + 10_000;
  while (!isSo() && performance.now() < endMs) await setImmediate();
  expect(isSo()).toBe(true);
}

const runs = (work: (offer: Offer) => Promise<void>): Promise<void> =>
  offerPartials(new StopController().signal, work);

test("an answer that is made fast is sent at once, in the turn in which it is offered", async () => {
  await runs(async (offer) => {
    let wasOffered = false;
    offer(() =>
      atOnce(() => {
        wasOffered = true;
      }),
    );
    expect(wasOffered).toBe(true);
  });
});

test("one is sent at a time, and then none for four times as long as it took", async () => {
  const sent: string[] = [];
  await runs(async (offer) => {
    offer(() => slowly(() => sent.push("first")));
    offer(() => atOnce(() => sent.push("meanwhile")));
    await until(() => sent.length > 0);
    offer(() => atOnce(() => sent.push("too soon")));
    await until(() => {
      offer(() => atOnce(() => sent.push("later")));
      return sent.length > 1;
    });
  });
  expect(sent).toEqual(["first", "later"]);
});

test("nothing is sent once the work is done or cancelled", async () => {
  const sent: string[] = [];
  await runs(async (offer) => offer(() => slowly(() => sent.push("late"))));
  const controller = new StopController();
  await offerPartials(controller.signal, async (offer) => {
    offer(() => slowly(() => sent.push("cancelled")));
    controller.abort();
    await setImmediate();
    offer(() => atOnce(() => sent.push("after")));
  });
  for (let turn = 0; turn < 20; turn++) await setImmediate();
  expect(sent).toEqual([]);
});

test("a failed send fails the work, at the next offer or at its end", async () => {
  function* failing(): Steps<void> {
    yield;
    throw new Error("no room");
  }
  let isStopped = false;
  const offered = runs(async (offer) => {
    offer(failing);
    await setImmediate();
    try {
      offer(() => slowly(() => undefined));
    } catch (error) {
      isStopped = true;
      throw error;
    }
  });
  await expect(offered).rejects.toThrow("no room");
  expect(isStopped).toBe(true);
  const last = runs(async (offer) => {
    offer(failing);
    await setImmediate();
  });
  await expect(last).rejects.toThrow("no room");
});

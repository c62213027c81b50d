import { expect, test } from "vitest";
import { AnswerSession } from "./answerSession.js";

const signal = new AbortController().signal;

test("what is asked after an answer is no older, though the clock of the wall goes back", async () => {
  const session = new AnswerSession();
  const partials: number[] = [];
  expect(await session.ask({ signal }, async () => ({ asOf: 100 }))).toEqual({ asOf: 100 });
  const second = await session.ask(
    { signal, onPartial: ({ asOf }) => partials.push(asOf) },
    async ({ onPartial }) => {
      onPartial?.({ asOf: 90 });
      return { asOf: 90 };
    },
  );
  expect([partials, second]).toEqual([[100], { asOf: 100 }]);
  expect(session.newestAsOf).toBe(100);
});

test("a partial answer is an answer", async () => {
  const session = new AnswerSession();
  const asked = session.ask({ signal, onPartial: () => undefined }, async ({ onPartial }) => {
    onPartial?.({ asOf: 50 });
    return await new Promise<{ asOf: number }>(() => undefined);
  });
  void asked;
  await Promise.resolve();
  expect(session.newestAsOf).toBe(50);
});

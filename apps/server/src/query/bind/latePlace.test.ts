import { expect, test, vi } from "vitest";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import { LatePlace } from "./latePlace.js";

const answers = (...done: boolean[]) =>
  ({ answers: done.map((one) => ({ done: one })) }) as unknown as TreeAnswers;

test("is given back some time after the first leaf is done, unless all is over", async () => {
  const late = vi.fn();
  const over = vi.fn();
  const none = vi.fn();
  const last = vi.fn();
  const startedAt = performance.now();
  const places = [late, over, none, last].map(
    (giveBack) => new LatePlace(giveBack, startedAt, () => performance.now()),
  );
  for (const place of places) place.see(answers(false, false));
  places[0]!.see(answers(true, false));
  places[1]!.see(answers(true, false));
  places[1]!.stop();
  // Its time ends after that of all others.
  places[3]!.keepFor(600);
  await vi.waitFor(() => expect(last).toHaveBeenCalledTimes(1), { timeout: 5_000 });
  expect(late).toHaveBeenCalledTimes(1);
  expect(over).not.toHaveBeenCalled();
  expect(none).not.toHaveBeenCalled();
  for (const place of places) place.stop();
});

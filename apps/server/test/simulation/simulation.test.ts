import { expect, test } from "vitest";
import { trials } from "../oracle/seed/seed.js";
import { runSimulation } from "./runSimulation.js";

/** `npm run simulate` runs more. */
const seeds = trials(500, 2_000);

test(`${seeds} random histories of a cluster keep every invariant (I1-I7)`, {
  timeout: 1_200_000,
}, async () => {
  const { failed, broken } = await runSimulation(["--seeds", String(seeds)]);
  expect({ failed, broken }).toEqual({ failed: 0, broken: [] });
});

import { expect, test } from "vitest";
import { afterMs } from "./deadlines.js";

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test("each comes in its time, also the early one that was asked for late", async () => {
  const startedMs = performance.now();
  const came: [string, number][] = [];
  const note = (name: string) => () => void came.push([name, performance.now() - startedMs]);
  afterMs(60, note("late"));
  afterMs(20, note("early"));
  afterMs(60, note("late too"));
  await sleep(30);
  afterMs(10, note("between"));
  await sleep(60);
  expect(came.map(([name]) => name)).toEqual(["early", "between", "late", "late too"]);
  expect(came[0]?.[1]).toBeGreaterThanOrEqual(20);
  expect(came[2]?.[1]).toBeGreaterThanOrEqual(60);
});

test("what was called off never comes, and holds up nothing", async () => {
  const came: string[] = [];
  const callOff = afterMs(10, () => void came.push("called off"));
  afterMs(30, () => void came.push("kept"));
  callOff();
  await sleep(60);
  callOff();
  expect(came).toEqual(["kept"]);
});

test("one may set the next, and call off another that is due with it", async () => {
  const came: string[] = [];
  let callOff: () => void = () => {};
  afterMs(10, () => {
    came.push("first");
    callOff();
    afterMs(10, () => void came.push("next"));
  });
  callOff = afterMs(10, () => void came.push("called off"));
  await sleep(80);
  expect(came).toEqual(["first", "next"]);
});

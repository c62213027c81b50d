import { expect, it } from "vitest";
import { runTasks } from "./lib/schedule.mjs";

const tasks = [
  { name: "first" },
  { name: "second", after: ["first"] },
  { name: "third" },
  { name: "fourth", after: ["second", "third"] },
];

it("starts each task when those before it have ended, never more than there are slots", async () => {
  const log = [];
  let running = 0;
  const results = await runTasks(tasks, 2, async ({ name }) => {
    log.push(`+${name}`);
    expect(++running).toBeLessThanOrEqual(2);
    await Promise.resolve();
    running--;
    log.push(`-${name}`);
    return name.toUpperCase();
  });
  expect(results).toEqual(["FIRST", "SECOND", "THIRD", "FOURTH"]);
  expect(log.slice(0, 2)).toEqual(["+first", "+third"]);
  for (const { name, after = [] } of tasks) {
    for (const other of after)
      expect(log.indexOf(`-${other}`)).toBeLessThan(log.indexOf(`+${name}`));
  }
});

it("fails when a task throws, and when tasks wait for each other", async () => {
  const failing = runTasks(tasks, 2, () => Promise.reject(new Error("broken")));
  await expect(failing).rejects.toThrow("broken");
  const circle = [
    { name: "a", after: ["b"] },
    { name: "b", after: ["a"] },
  ];
  await expect(runTasks(circle, 2, () => Promise.resolve())).rejects.toThrow("a, b");
});

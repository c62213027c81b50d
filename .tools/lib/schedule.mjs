/**
 * Runs tasks `{ name, after: [names] }`, at most `slots` at a time: always the first of the list
 * whose predecessors have ended, passed or failed. Resolves with what `run(task)` gave, in the
 * order of the list.
 */
export function runTasks(tasks, slots, run) {
  const results = new Map();
  const waiting = [...tasks];
  let running = 0;
  return new Promise((resolve, reject) => {
    const start = () => {
      if (results.size === tasks.length) resolve(tasks.map(({ name }) => results.get(name)));
      while (running < slots) {
        const index = waiting.findIndex(({ after = [] }) =>
          after.every((name) => results.has(name)),
        );
        if (index < 0) break;
        const [task] = waiting.splice(index, 1);
        running++;
        run(task).then((result) => {
          running--;
          results.set(task.name, result);
          start();
        }, reject);
      }
      if (running === 0 && waiting.length > 0) {
        reject(new Error(`nothing can start of ${waiting.map(({ name }) => name).join(", ")}`));
      }
    };
    start();
  });
}

import { spawnSync } from "node:child_process";

const standstillMs = 10 * 60_000;

/**
 * Ends a run in which nothing has ended for ten minutes, and names what was running: a loop without
 * end blocks its worker, so that no timeout of a test can fire, and CI ends such a run without a
 * word.
 */
export default class StandstillReporter {
  #running = new Map();
  #lastMs = 0;
  #timer;
  #endRun;

  constructor({ endRun = killWorkersAndExit } = {}) {
    this.#endRun = endRun;
  }

  onTestRunStart() {
    this.#lastMs = Date.now();
    this.#timer = setInterval(() => this.#look(), 5_000);
  }

  onTestModuleQueued(module) {
    this.#running.set(module.relativeModuleId, "no test has ended yet");
  }

  onTestCaseReady(test) {
    this.#running.set(test.module.relativeModuleId, test.fullName);
  }

  onTestCaseResult() {
    this.#lastMs = Date.now();
  }

  onTestModuleEnd(module) {
    this.#lastMs = Date.now();
    this.#running.delete(module.relativeModuleId);
  }

  onTestRunEnd() {
    clearInterval(this.#timer);
  }

  #look() {
    if (Date.now() - this.#lastMs < standstillMs) return;
    clearInterval(this.#timer);
    const places = [...this.#running].map(([file, test]) => `\n  ${file} > ${test}`);
    this.#endRun(`Nothing has ended for ten minutes. Still running:${places.join("")}`);
  }
}

function killWorkersAndExit(reason) {
  console.error(`✗ ${reason}`);
  // A worker that is blocked does not notice that its parent has gone.
  spawnSync("pkill", ["-KILL", "-P", String(process.pid)]);
  process.exit(1);
}

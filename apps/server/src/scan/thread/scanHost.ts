import type { StopSignal } from "../../base/schedule/stopController.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import type { ScanTask } from "../task/scanTask.js";

/** A thread that scans, as the leaf's main thread sees it. */
export interface ScanHost {
  /** Tasks that it has now. */
  readonly running: number;
  /** Rows of all tasks so far, cancelled ones included. */
  readonly rowsScanned: number;
  /**
   * Runs a task. `onAnswer` gets partial answers, the promise the whole one. An abort rejects once
   * the host has stopped: the task's memory must stay until its promise settles.
   */
  run(
    task: ScanTask,
    signal: StopSignal,
    onAnswer: (answer: ScanAnswer) => void,
  ): Promise<ScanAnswer>;
  close(): Promise<void>;
}

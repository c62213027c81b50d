import { PlainDecoder, PlainEncoder } from "../../base/plainCodec.js";
import type { ScanRun } from "../scanRun.js";
import type { ScanAnswer, ScanTask } from "../scanTask.js";

/** A task as it reaches another thread. */
export function carriedTask(task: ScanTask): ScanTask {
  return new PlainDecoder().decode(new PlainEncoder().encode(task)) as ScanTask;
}

/** The answer as it comes back from there. */
export function carriedAnswer(run: ScanRun): ScanAnswer {
  return structuredClone(run.answer());
}

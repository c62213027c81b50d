import { PlainDecoder, PlainEncoder } from "../../base/bytes/plainCodec.js";
import type { ScanRun } from "../run/scanRun.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import type { ScanTask } from "../task/scanTask.js";

/**
 * A task as another thread receives it. Nothing may write into it, because it is shared on the
 * leaf's own thread; except the addresses of decoded values, which lowering does not know.
 */
export function carriedTask(task: ScanTask): ScanTask {
  return frozen(new PlainDecoder().decode(new PlainEncoder().encode(task))) as ScanTask;
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return "address" in value && "width" in value ? value : Object.freeze(value);
}

/** The answer as it comes back from there. */
export function carriedAnswer(run: ScanRun): ScanAnswer {
  return structuredClone(run.answer());
}

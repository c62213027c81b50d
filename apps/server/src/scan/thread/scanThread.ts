import { parentPort, workerData } from "node:worker_threads";
import { createKernel } from "@hadal/kernel-wasm";
import { HadalError } from "@hadal/sdk";
import { PlainDecoder } from "../../base/bytes/plainCodec.js";
import type { Steps } from "../../base/schedule/steps.js";
import { PartialResultSchedule } from "../run/partialResultSchedule.js";
import { ScanRun } from "../run/scanRun.js";
import { takeTurn } from "../run/scanTurn.js";
import type { ScanAnswer } from "../task/scanAnswer.js";
import type { ScanTask } from "../task/scanTask.js";
import {
  movedBytesMin,
  type ScanReply,
  type ScanRequest,
  type ScanThreadStart,
} from "./scanMessages.js";

/** How long a task keeps the thread before the next one gets its turn and messages are read. */
const turnMs = 4;
/**
 * While others run, a background task gets its turn in every eighth round only: it waits, but does
 * not starve.
 */
const backgroundEvery = 8;

interface Running {
  readonly run: ScanRun;
  readonly pace: PartialResultSchedule;
  /** Of a run that is done: its answer on the way. Of many groups it takes many turns. */
  answering: Steps<ScanAnswer> | null;
}

const port = parentPort;
if (port === null) throw new Error("scanThread runs as a worker only");
const { memory, module, scratch } = workerData as ScanThreadStart;
const kernel = createKernel(memory, module);
const decoder = new PlainDecoder();
const running = new Map<number, Running>();
let turning = false;
let round = 0;

port.on("message", (request: ScanRequest) => {
  if (request.kind === "cancel") {
    const found = running.get(request.id);
    running.delete(request.id);
    // Also when it is unknown: the answer may have crossed the cancel, and the sender waits for one
    // of them.
    send({ kind: "cancelled", id: request.id, rowsScanned: found?.run.rowsScanned ?? 0 });
    return;
  }
  const task = decoder.decode(request.task) as ScanTask;
  try {
    const run = new ScanRun({ memory, kernel, scratch }, task);
    running.set(task.id, {
      run,
      pace: new PartialResultSchedule(performance.now()),
      answering: null,
    });
    if (!turning) takeTurns();
  } catch (error) {
    fail(task.id, error);
  }
});
send({ kind: "ready" });

/** One turn for every task, then the event loop, so that cancels and new tasks get through. */
function takeTurns(): void {
  turning = true;
  round++;
  const isBusy = [...running.values()].some(({ run }) => !run.task.background);
  for (const [id, task] of [...running]) {
    if (isBusy && task.run.task.background && round % backgroundEvery !== 0) continue;
    try {
      const answer = takeTurnOf(task);
      if (answer === null) continue;
      running.delete(id);
      sendAnswer(answer);
    } catch (error) {
      running.delete(id);
      fail(id, error);
    }
  }
  if (running.size > 0) setImmediate(takeTurns);
  else turning = false;
}

/** The whole answer once there is one. */
function takeTurnOf(task: Running): ScanAnswer | null {
  const endMs = performance.now() + turnMs;
  if (!task.run.done) takeTurn(task.run, task.pace, turnMs, sendAnswer);
  if (!task.run.done) return null;
  task.answering ??= task.run.answerSteps();
  for (;;) {
    const step = task.answering.next();
    if (step.done === true) return step.value;
    if (performance.now() >= endMs) return null;
  }
}

function fail(id: number, error: unknown): void {
  if (error instanceof HadalError) send({ kind: "problem", id, problem: error.toProblem() });
  else
    send({
      kind: "failure",
      id,
      text: error instanceof Error ? String(error.stack) : String(error),
    });
}

function send(reply: ScanReply): void {
  port?.postMessage(reply);
}

/** Moves large arrays instead of copying them. */
function sendAnswer(answer: ScanAnswer): void {
  const buffers = new Set<ArrayBuffer>();
  for (const side of [answer.sides, ...answer.branches.filter((one) => one !== null)].flat()) {
    for (const part of [...side.keys, ...side.states]) {
      for (const value of Object.values(part)) {
        if (ArrayBuffer.isView(value) && value.buffer.byteLength >= movedBytesMin) {
          buffers.add(value.buffer as ArrayBuffer);
        }
      }
    }
  }
  const reply: ScanReply = { kind: "answer", answer };
  port?.postMessage(reply, [...buffers]);
}

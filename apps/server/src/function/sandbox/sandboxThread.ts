import { readlinkSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { createCpuClock } from "./cpuClock.js";
import { ProgramRun, problemOf } from "./programRun.js";
import { startQuickJs } from "./quickJs.js";
import { Realm } from "./realm.js";
import type { SandboxAnswer, SandboxReply, SandboxRequest } from "./sandboxMessages.js";
import type { SandboxThreadData } from "./sandboxThreads.js";

/** Entry of a thread that runs one function of one query, and then ends: nothing of it meets another. */
const port = parentPort;
if (port === null) throw new Error("sandboxThread runs as a worker only");
/** Counts starts and ends of calls into the realm (odd: a call is running), and gives the thread's id. */
const given = workerData as SandboxThreadData;
const shared = new Int32Array(given.shared);
Atomics.store(shared, 1, threadNumber());
const wasm = await startQuickJs(given.quickJs);
const clock = createCpuClock();
let program: ProgramRun | null = null;

port.on("message", (request: SandboxRequest) => {
  const { run } = request;
  try {
    if (request.kind === "open") {
      const realm = new Realm(wasm, request.limits, clock, () => Atomics.add(shared, 0, 1));
      program = new ProgramRun(realm, request.program);
      send({ kind: "opened", run });
    } else if (request.kind === "call" && program !== null) {
      send({ kind: "answer", run, answer: program.answer(request.call) });
    }
  } catch (error) {
    program = null;
    send({ kind: "failed", run, problem: problemOf(error).toProblem() });
  }
});
send({ kind: "ready" });

/** As Linux counts threads; 0 elsewhere. */
function threadNumber(): number {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return 0;
  }
}

function send(reply: SandboxReply): void {
  port?.postMessage(reply, reply.kind === "answer" ? ownBuffers(reply.answer) : []);
}

/** Values need no copy on their way: nothing else has them. */
function ownBuffers(answer: SandboxAnswer): ArrayBuffer[] {
  if (answer.kind === "numbers") return [answer.values.buffer as ArrayBuffer];
  return answer.kind === "strings" ? [answer.codes.buffer as ArrayBuffer] : [];
}

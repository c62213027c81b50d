import { sendToParent } from "../../base/process/sendToParent.js";
import { compileQuickJs } from "./quickJs.js";
import type { SandboxReply, SandboxRequest } from "./sandboxMessages.js";
import { SandboxThreads } from "./sandboxThreads.js";
import { warmUp } from "./warmUp.js";

/** Entry of the sandbox process: passes requests to the threads of their runs, and answers back. It ends with the process that started it. */
const send = (reply: SandboxReply): void => sendToParent(reply);
const script = new URL("./sandboxThread.js", import.meta.url);
const quickJs = await compileQuickJs();
const threads = new SandboxThreads(script, quickJs, send);

process.on("message", (request: SandboxRequest) => threads.take(request));
process.once("disconnect", () => process.exit(0));
await Promise.all([threads.prepare(), warmUp(quickJs)]);
send({ kind: "ready" });

import { endOnUnexpectedError } from "../base/process/endOnUnexpectedError.js";
import { parentGone } from "../base/process/parentGone.js";
import { sendToParent } from "../base/process/sendToParent.js";
import { tuneEngine } from "../base/process/tuneEngine.js";
import { type LocalGateway, startLocalGateway } from "./localGateway.js";
import type {
  GatewayMessage,
  GatewayStart,
  LeafAddress,
  MessageToGateway,
  StartError,
} from "./processMessages.js";

/** Entry of the gateway process: its supervisor says how to start and where leaves listen, and ends it by closing the channel. */
let running: LocalGateway | null = null;
const addresses = new Map<string, LeafAddress["address"]>();
let isEnding = false;

tuneEngine();
process.on("message", (message: MessageToGateway) => {
  if (message.kind === "start") void start(message);
  else setAddress(message);
});
process.once("SIGTERM", end);
void parentGone().then(end);

async function start(given: GatewayStart): Promise<void> {
  for (const { id, address } of given.leaves) addresses.set(id, address);
  try {
    running = await startLocalGateway(given, addresses);
  } catch (error) {
    const failed: GatewayMessage = { kind: "gateway-failed", error: startErrorOf(error) };
    sendToParent(failed, () => process.exit(1));
    return;
  }
  endOnUnexpectedError("gateway", running.flush);
  sendToParent({ kind: "gateway-ready", url: running.url } satisfies GatewayMessage);
}

function setAddress({ id, address }: LeafAddress): void {
  addresses.set(id, address);
  if (address !== null) running?.reconnect(id);
}

/** Before it is ready there is nothing to write. */
function end(): void {
  if (isEnding) return;
  isEnding = true;
  void (running?.close() ?? Promise.resolve()).finally(() => process.exit(0));
}

function startErrorOf(error: unknown): StartError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, code, path, address, port } = error as Error & StartError;
  return { message, code, path, address, port };
}

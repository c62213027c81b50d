import { setMaxListeners } from "node:events";
import { constants, setPriority } from "node:os";
import { type HostileTarget, hostileClients } from "./hostileClients.js";

/**
 * Runs hostile clients until it is killed: `hostileProcess FIELD NAMES`, both JSON. They would be on machines of their
 * own: what they take of this machine's processors comes after what the server and its normal clients need.
 */
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const field = JSON.parse(process.argv[2]!) as Omit<HostileTarget, "signal">;
const names = JSON.parse(process.argv[3]!) as readonly string[];
const stop = new AbortController();
setMaxListeners(0, stop.signal);
process.once("SIGTERM", () => process.exit());
await Promise.all(names.map((name) => hostileClients[name]!({ ...field, signal: stop.signal })));

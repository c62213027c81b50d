import { execFile } from "node:child_process";
import { connect, createServer } from "node:net";
import { promisify } from "node:util";
import { Egress } from "../../src/access/egress/egress.js";
import { hostileNames, hostileUrls } from "../../src/access/egress/testing/hostileUrls.js";
import {
  endWithParent,
  isInNamespaces,
  lackingForNetwork,
  runInNamespaces,
} from "./machines/machineNetwork.js";

type Say = (line: string) => void;

const port = 8_080;
/** What this machine is beside 127.0.0.1 and ::1, so that whatever is dialled answers. */
const own = [
  ...["10.0.0.5/32", "172.16.0.5/32", "192.168.0.5/32", "100.64.0.5/32", "169.254.169.254/32"],
  ...["93.184.216.34/32", "198.51.100.9/32"],
  ...["fd00::5/128", "fec0::5/128", "2002:7f00:1::/128"],
  ...["64:ff9b::7f00:1/128", "64:ff9b:1::a00:5/128"],
] as const;

/**
 * C9: hostile addresses of webhooks, in a network namespace whose loopback has all of them. Throws where one of them
 * is dialled, or where none of them could be.
 */
export async function egressFaults(say: Say): Promise<void> {
  if (!isInNamespaces()) {
    const lacking = await lackingForNetwork(["unshare", "ip", "mount"]);
    if (lacking.length > 0)
      throw new Error(`addresses of webhooks need ${lacking.join(", ")}, missing here`);
    const code = await runInNamespaces(["egress"]);
    if (code !== 0) throw new Error(`addresses of webhooks ended with ${code}`);
    return;
  }
  endWithParent();
  await prepareLoopback();
  let dialled = 0;
  const server = createServer((socket) => {
    dialled += 1;
    socket.on("error", () => undefined).end();
  });
  await new Promise<void>((resolve) => server.listen(port, "::", resolve));
  // Otherwise nothing would be proved.
  const reachable = ["127.0.0.1", "::1", "::ffff:127.0.0.1", ...addresses()];
  for (const address of reachable) await dial(address);
  if (dialled !== reachable.length)
    throw new Error(`${dialled} of ${reachable.length} addresses answer`);
  dialled = 0;
  const egress = new Egress({ allowed: [], lookup: async (name) => hostileNames[name] ?? [] });
  for (const text of hostileUrls) {
    const url = text.replace("PORT", String(port));
    for (const work of [egress.check(url), egress.post({ url, headers: {}, body: "" })])
      if (!(await isRefused(work))) throw new Error(`${JSON.stringify(url)} was not refused`);
  }
  server.close();
  if (dialled > 0) throw new Error(`${dialled} connections were opened`);
  say(
    `C9 ${hostileUrls.length} addresses of webhooks: all refused at save and sending, 0 dialled; ${reachable.length} addresses of this namespace answer`,
  );
}

const addresses = (): readonly string[] => own.map((one) => one.replace(/\/\d+$/, ""));

async function prepareLoopback(): Promise<void> {
  const ip = (words: string) => promisify(execFile)("ip", words.split(" "));
  await ip("link set lo up");
  for (const one of own) await ip(`addr add ${one} dev lo`);
}

function dial(host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port });
    socket.once("error", reject);
    socket.once("close", () => resolve());
    socket.resume();
  });
}

const isRefused = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => (error as { readonly code?: string }).code === "egress-refused",
  );

import { execFile, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { connect, createServer, type Server } from "node:net";
import { promisify } from "node:util";
import { program } from "../../../test/support/startCluster.js";
import type { MachineRun } from "../../../test/support/startMachines.js";

const run = promisify(execFile);
const insideVariable = "HADAL_BENCH_NETWORK";
const gatewayAddress = "10.77.0.1";
const registryAddress = "10.77.0.2";
const addressOf = (number: number): string => `10.77.0.${10 + number}`;
const nameOf = (number: number): string => `m${number}`;

export type Peer = "gateway" | "registry" | "all" | number;
/** `in`: what comes to the machine is lost; `out`: what it sends. */
export type Way = "in" | "out" | "both";

/**
 * Machines with an interface of their own each, on one bridge; each is a network namespace. Gateway
 * and registry have other addresses, so that a machine can lose one and keep the other.
 */
export class MachineNetwork {
  #servers: Server[] = [];

  private constructor() {}

  /** Only in a process that {@link runInNamespaces} started: no packet leaves its namespace. */
  static async create(machineCount: number): Promise<MachineNetwork> {
    if (process.env[insideVariable] !== "1") throw new Error("there is no namespace to be in");
    await run("mount", ["-t", "tmpfs", "none", "/run"]);
    await mkdir("/run/netns");
    const ip = (words: string) => run("ip", words.split(" "));
    await ip("link set lo up");
    await ip("link add hadal0 type bridge");
    for (const address of [gatewayAddress, registryAddress])
      await ip(`addr add ${address}/24 dev hadal0`);
    await ip("link set hadal0 up");
    for (let number = 1; number <= machineCount; number++) {
      const name = nameOf(number);
      await ip(`netns add ${name}`);
      await ip(`link add v${number} type veth peer name eth0 netns ${name}`);
      await ip(`link set v${number} master hadal0 up`);
      await ip(`-n ${name} addr add ${addressOf(number)}/24 dev eth0`);
      await ip(`-n ${name} link set eth0 up`);
      await ip(`-n ${name} link set lo up`);
    }
    return new MachineNetwork();
  }

  runOf(number: number): Pick<MachineRun, "host" | "command"> {
    const command = ["ip", "netns", "exec", nameOf(number), process.execPath, program];
    return { host: addressOf(number), command };
  }

  /** Passes connections to a database on loopback on, from an address that machines reach. */
  async reachDatabase(text: string): Promise<string> {
    const url = new URL(text);
    const port = Number(url.port);
    const server = createServer((near) => {
      const far = connect(port, "127.0.0.1");
      near.pipe(far);
      far.pipe(near);
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const)
        one.on("error", () => other.destroy()).on("close", () => other.destroy());
    });
    await new Promise<void>((resolve) => server.listen(port, registryAddress, resolve));
    this.#servers.push(server);
    url.hostname = registryAddress;
    return url.href;
  }

  /** Drops packets between a machine and a peer, until it heals. */
  async cut(number: number, peer: Peer, way: Way): Promise<void> {
    if (way !== "out") await this.#drop(number, "INPUT", peerWords(peer, "-s"));
    if (way !== "in") await this.#drop(number, "OUTPUT", peerWords(peer, "-d"));
  }

  /** Drops a share of the packets that come to a machine. */
  lose(number: number, share: number): Promise<void> {
    const words = ["-m", "statistic", "--mode", "random", "--probability", String(share)];
    return this.#drop(number, "INPUT", ["-i", "eth0", ...words]);
  }

  async heal(number: number): Promise<void> {
    await run("ip", ["netns", "exec", nameOf(number), "iptables", "-w", "-F"]);
  }

  close(): void {
    for (const server of this.#servers) server.close();
  }

  async #drop(number: number, chain: string, words: readonly string[]): Promise<void> {
    const rule = ["iptables", "-w", "-A", chain, ...words, "-j", "DROP"];
    await run("ip", ["netns", "exec", nameOf(number), ...rule]);
  }
}

function peerWords(peer: Peer, side: "-s" | "-d"): readonly string[] {
  // Processes of one machine go on talking to each other.
  if (peer === "all") return [side === "-s" ? "-i" : "-o", "eth0"];
  if (peer === "gateway") return [side, gatewayAddress];
  return [side, peer === "registry" ? registryAddress : addressOf(peer)];
}

const needed = ["unshare", "ip", "iptables", "mount"] as const;

/** What lacks here of what namespaces need; empty: nothing. */
export async function lackingForNetwork(
  programs: readonly string[] = needed,
): Promise<readonly string[]> {
  const lacking = process.getuid?.() === 0 ? [] : ["root"];
  for (const name of programs) {
    const found = await run("sh", ["-c", `command -v ${name}`]).catch(() => null);
    if (found === null) lacking.push(name);
  }
  return lacking;
}

export const isInNamespaces = (): boolean => process.env[insideVariable] === "1";

/**
 * Runs this program again with namespaces of its own for network, mounts and processes. When it ends, the
 * kernel ends all that it started and removes the namespaces; it ends when this process does.
 */
export async function runInNamespaces(args: readonly string[]): Promise<number> {
  const flags = ["--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const [, script = ""] = process.argv;
  const child = spawn(needed[0], [...flags, process.execPath, script, ...args], {
    env: { ...process.env, [insideVariable]: "1" },
    stdio: ["pipe", "inherit", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
}

/** In the process that {@link runInNamespaces} started. */
export function endWithParent(): void {
  process.stdin.on("end", () => process.exit(1)).resume();
}

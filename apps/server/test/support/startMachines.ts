import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type HadalClient } from "@hadal/sdk";
import { WebSocket } from "ws";
import { type PostgresServer, startPostgres } from "../../src/registry/testing/postgresServer.js";
import { program, type RunningHadal, spawnHadal, stopProcess, untilReady } from "./startCluster.js";

/** A cluster of machines, which are processes on addresses of loopback, and the PostgreSQL that they share. */
export interface Machines {
  readonly folder: string;
  readonly database: string;
  readonly postgres: PostgresServer;
  /** Starts machine `number`, at 127.0.0.(number + 1); resolves when it is a member. */
  startAggregator(number: number, flags?: readonly string[]): Promise<RunningHadal>;
  /** Starts the gateway of machine `number`; a later flag takes the place of an earlier one. */
  startGateway(number?: number, flags?: readonly string[]): Promise<ClusterGateway>;
  /** Starts a member that may be refused. */
  spawn(number: number, flags: readonly string[]): RunningHadal;
  remove(): Promise<void>;
}

export interface ClusterGateway {
  readonly url: string;
  readonly client: HadalClient;
  readonly process: RunningHadal;
}

/** How the processes of a machine are run. */
export interface MachineRun {
  /** The address that it listens on. */
  readonly host: string;
  /** What runs, before the arguments of the program. */
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface MachinesOptions {
  /** What differs for a machine, or for the gateway of that number, that starts now. */
  readonly runOf?: (number: number) => Partial<MachineRun>;
  /** The address by which machines reach a database. */
  readonly reachDatabase?: (url: string) => Promise<string>;
}

const key = "a key of the tests that all members have";

export async function startMachines({
  runOf = () => ({}),
  reachDatabase = async (url) => url,
}: MachinesOptions = {}): Promise<Machines> {
  const folder = await mkdtemp(join(tmpdir(), "hadal-machines-"));
  const postgres = await startPostgres();
  const database = await reachDatabase(await postgres.createDatabase());
  const keyFile = join(folder, "key");
  await writeFile(keyFile, key);
  const running: RunningHadal[] = [];
  const clients: HadalClient[] = [];
  const spawn = (number: number, flags: readonly string[]): RunningHadal => {
    const name = `m${number}`;
    const place = ["--machine", name, "--data-dir", join(folder, name), "--port", "0"];
    const member = ["--join", database, "--cluster-key-file", keyFile];
    const { environment = {}, command = [process.execPath, program] } = runOf(number);
    const args = ["serve", ...place, ...member, ...flags];
    const started = spawnHadal(args, environment, undefined, command);
    running.push(started);
    return started;
  };
  return {
    ...{ folder, database, postgres, spawn },
    async startAggregator(number, flags = []) {
      const host = ["--host", runOf(number).host ?? `127.0.0.${number + 1}`];
      const leaves = ["--leaves", "2", "--leaf-memory", "128"];
      const started = spawn(number, ["--role", "aggregator", ...host, ...leaves, ...flags]);
      await untilReady(started);
      return started;
    },
    async startGateway(number = 99, flags = []) {
      const process = spawn(number, ["--role", "gateway", ...flags]);
      const url = await untilReady(process);
      const client = createClient({ url, webSocket: WebSocket as never });
      clients.push(client);
      return { url, client, process };
    },
    async remove() {
      for (const client of clients) client.close();
      const left = running.filter(
        ({ child }) => child.exitCode === null && child.signalCode === null,
      );
      await Promise.all(left.map((one) => stopProcess(one)));
      await postgres.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

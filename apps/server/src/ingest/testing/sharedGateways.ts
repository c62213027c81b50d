import { join } from "node:path";
import { HadalError } from "@hadal/sdk";
import { sql } from "kysely";
import type { Registry } from "../../registry/registry.js";
import { type RegistryFolder, registryFolder } from "../../registry/testing/registryFolder.js";
import { LedgerAudit } from "../ledger/ledgerAudit.js";
import { SharedLedger } from "../ledger/shared/sharedLedger.js";
import type { AuditedLeaf } from "./auditedLeaf.js";
import { startGateway, type TestGateway } from "./gateway.js";

export interface SharedGateway extends Omit<TestGateway, "ledger"> {
  readonly name: string;
  readonly ledger: SharedLedger;
  readonly audit: LedgerAudit;
  /** Publishes and reads. */
  turn(): Promise<void>;
  /** Ends it without a word to the others. */
  kill(): Promise<void>;
}

/** Several gateways over the same leaves and one registry. */
export class SharedGateways {
  readonly warnings: string[] = [];
  readonly leaves: readonly AuditedLeaf[];
  /** Added to the monotonic clocks, and to that of the registry. */
  aheadMs = 0;
  /** Of leaves that are away. */
  copies: readonly AuditedLeaf[] = [];
  /** Names of those that do not reach the registry now. */
  readonly cutOff = new Set<string>();
  readonly #running = new Set<SharedGateway>();
  #folder!: RegistryFolder;
  #registry!: Registry;

  private constructor(leaves: readonly AuditedLeaf[]) {
    this.leaves = leaves;
  }

  static async open(leaves: readonly AuditedLeaf[]): Promise<SharedGateways> {
    const gateways = new SharedGateways(leaves);
    gateways.#folder = await registryFolder();
    gateways.#registry = await gateways.#folder.open();
    return gateways;
  }

  /** `leaves`: those that it knows. */
  async start(name: string, leaves = this.leaves): Promise<SharedGateway> {
    const registry = await this.#folder.open();
    const now = (): number => performance.now() + this.aheadMs;
    // While one waits the others go on.
    const sleep = async (ms: number): Promise<void> => {
      this.aheadMs += ms;
      for (const other of this.#running)
        if (other.name !== name && !this.cutOff.has(other.name)) await other.turn();
    };
    const warn = (text: string): void => void this.warnings.push(`${name}: ${text}`);
    const ledger = await SharedLedger.open({
      ...{ gateway: { id: name, name }, now, sleep, warn, wallMs: Date.now },
      registry: this.#whileReached(name, registry),
      folder: this.folderOf(name),
      leaves: () => leaves,
    });
    const placing = await startGateway("", leaves, Math.random, {
      ...{ ledger: ledger.own, others: ledger, isCompared: false },
      copies: () => this.copies,
      startMs: Date.now(),
    });
    const audit = new LedgerAudit({
      ...{ leaves: () => leaves, leavesLeftOut: [], ledger, warn, sleep },
      settlePending: () => placing.ingest.resolvePending(),
      areHintsKnown: () => placing.ingest.areHintsKnown(),
      nowMs: Date.now,
    });
    const end = (): void => {
      this.#running.delete(gateway);
      placing.ingest.close();
    };
    const gateway: SharedGateway = {
      ...{ name, ledger, audit, ingest: placing.ingest, send: placing.send },
      turn: () => ledger.turn(),
      async kill() {
        end();
        await registry.close();
        await ledger.close();
      },
      async stop() {
        end();
        await ledger.close();
        await registry.close();
      },
    };
    this.#running.add(gateway);
    return gateway;
  }

  /** The registry as a gateway has it, as long as it reaches it. */
  #whileReached(name: string, registry: Registry): Registry {
    const reached = (): Registry => {
      if (!this.cutOff.has(name)) return registry;
      throw new HadalError("registry-unavailable", { detail: "it is cut off" });
    };
    const nowMs = (): Registry["nowMs"] => sql<number>`(${registry.nowMs} + ${this.aheadMs})`;
    const used: Pick<Registry, "read" | "write" | "nowMs"> = {
      read: async (work) => reached().read(work),
      write: async (work) => reached().write(work),
      // All clocks go at the same pace.
      get nowMs() {
        return nowMs();
      },
    };
    return used as Registry;
  }

  folderOf(name: string): string {
    return join(this.#folder.path, `ledger-${name}`);
  }

  /** As if a gateway had not been heard from for longer than a living one. */
  async silence(name: string): Promise<void> {
    await this.#registry.write(async (transaction) => {
      await transaction
        .updateTable("ledger_gateway")
        .set((eb) => ({ published_ms: eb("published_ms", "-", 20_000) }))
        .where("id", "=", name)
        .execute();
      await transaction
        .updateTable("ledger_state")
        .set({ lease_until_ms: 0 })
        .where("lease_holder", "=", name)
        .execute();
    });
  }

  /** Of no gateway. */
  get registry(): Registry {
    return this.#registry;
  }

  remove(): Promise<void> {
    return this.#folder.remove();
  }
}

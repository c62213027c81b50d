import { HadalError } from "@hadal/sdk";
import type { RegistryTransaction } from "../database/database.js";
import type { Registry } from "../registry.js";
import { readMembers } from "./members.js";

/** What becomes of a machine: it is emptied, or takes rows. */
export interface WantedDrain {
  readonly machine: string;
  readonly drain: boolean;
  /** Called in the transaction where something changes. */
  readonly onChange: (transaction: RegistryTransaction) => Promise<void>;
}

/**
 * Notes that a machine takes no new rows, or takes them again; what is so already stays. Rejects with
 * `unknown-machine`, with `last-machine` where no other one would take rows, and with
 * `registry-unavailable`.
 */
export async function setDrain(
  registry: Registry,
  { machine, drain, onChange }: WantedDrain,
): Promise<void> {
  await registry.write(async (transaction) => {
    // Locks the row of the cluster: two requests at once could drain the last two machines.
    await transaction
      .updateTable("cluster")
      .set(({ ref }) => ({ fan_out: ref("fan_out") }))
      .execute();
    const members = await readMembers(transaction, registry.nowMs);
    const machines = members.filter(({ role }) => role === "aggregator");
    const known = machines.find(({ name }) => name === machine);
    if (known === undefined) {
      throw new HadalError("unknown-machine", {
        machine,
        known: machines.map(({ name }) => name).join(", ") || "none",
      });
    }
    if (drain === (known.drain !== null)) return;
    if (drain) {
      const isOther = machines.some(
        (other) => other !== known && other.drain === null && other.state !== "dead",
      );
      if (!isOther) throw new HadalError("last-machine", { machine });
      const asked = { name: machine, asked_ms: registry.nowMs, drained_ms: null, is_empty: 0 };
      await transaction.insertInto("machine_drain").values(asked).execute();
    } else {
      await transaction.deleteFrom("machine_drain").where("name", "=", machine).execute();
    }
    await onChange(transaction);
  });
}

/** What was found out of a machine that is being emptied. */
export interface FoundDrain {
  readonly machine: string;
  /** Which request it answers. */
  readonly askedMs: number;
  readonly isDrained: boolean;
  readonly isEmpty: boolean;
}

/** Notes whether a draining machine may be stopped; not where it was asked for again since. */
export async function noteDrained(
  registry: Registry,
  { machine, askedMs, isDrained, isEmpty }: FoundDrain,
): Promise<void> {
  await registry.write((transaction) =>
    transaction
      .updateTable("machine_drain")
      .set({ drained_ms: isDrained ? registry.nowMs : null, is_empty: isEmpty ? 1 : 0 })
      .where("name", "=", machine)
      .where("asked_ms", "=", askedMs)
      .execute(),
  );
}

/** Says of a gateway to which draining machines it sends nothing any more. */
export async function noteSendsNone(
  registry: Registry,
  gateway: string,
  machines: readonly string[],
): Promise<void> {
  await registry.write((transaction) =>
    transaction
      .updateTable("member")
      .set({ sends_none_to: JSON.stringify(machines) })
      .where("name", "=", gateway)
      .execute(),
  );
}

import { HadalError } from "@hadal/sdk";
import { sql } from "kysely";
import type { RegistryTransaction } from "../../../registry/database/database.js";
import type { Registry } from "../../../registry/registry.js";

/** The way of one gateway to the registry that all share. */
export interface RegistryWay {
  /** On the clock of the database. */
  nowMs(): number;
  /** So much time goes by, or the gateway is killed before. */
  pass(ms: number): Promise<void>;
  delayMs(): number;
  isAway(): boolean;
  /** Whether it never learns that its change was made. */
  losesAnswer(): boolean;
  /** How a change is made; the test of a planted fault makes it otherwise. */
  readonly write: Registry["write"];
}

/** A transaction takes no time of its own: a gateway that is killed in it has not begun it. */
export function simulatedRegistry(registry: Registry, way: RegistryWay): Registry {
  const away = () => new HadalError("registry-unavailable", { detail: "it is away" });
  const own: Pick<Registry, "read" | "write"> = {
    async read(work) {
      await way.pass(way.delayMs());
      if (way.isAway()) throw away();
      const value = await registry.read(work);
      await way.pass(way.delayMs());
      return value;
    },
    async write(work) {
      await way.pass(way.delayMs());
      if (way.isAway()) throw away();
      const value = await way.write(work);
      await way.pass(way.delayMs());
      if (way.losesAnswer()) throw away();
      return value;
    },
  };
  return new Proxy(registry, {
    get(target, name) {
      if (name === "read" || name === "write") return own[name];
      if (name === "nowMs") return sql<number>`cast(${sql.lit(way.nowMs())} as integer)`;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** The lease as it is within a transaction. */
export const leaseIn = (transaction: RegistryTransaction) =>
  transaction.selectFrom("alert_lease").select(["holder", "version"]).executeTakeFirst();

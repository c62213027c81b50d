import type { Grant } from "@hadal/sdk";
import { HadalError } from "@hadal/sdk";
import { checkGrants } from "@hadal/sdk/checks";
import type { Registry } from "../../registry/registry.js";
import type { Actor, AuditLog } from "../audit/auditLog.js";
import { readGrants, replaceGrants } from "./grantRows.js";

/** Who may read which tables, as admins change it. */
export class Grants {
  readonly #registry: Registry;
  readonly #audit: AuditLog;

  constructor(registry: Registry, audit: AuditLog) {
    this.#registry = registry;
    this.#audit = audit;
  }

  async list(): Promise<readonly Grant[]> {
    const grants = await this.#registry.read(readGrants);
    if (grants !== null) return grants;
    const detail = "The grants are damaged: write all of them again.";
    throw new HadalError("registry-unavailable", { detail });
  }

  /** `body` is what was sent; it takes the place of all grants. */
  replace(body: unknown, actor: Actor): Promise<readonly Grant[]> {
    const grants = checkGrants(body);
    return this.#registry.change("grants", async (transaction) => {
      await replaceGrants(transaction, grants);
      const entry = this.#audit.entry(
        actor,
        "grants.change",
        grants.length === 1 ? "1 grant" : `${grants.length} grants`,
      );
      await this.#audit.write(transaction, entry);
      return grants;
    });
  }
}

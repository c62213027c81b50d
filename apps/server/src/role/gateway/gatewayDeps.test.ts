import { type AuditAction, type AuditEntry, HadalError, type TableSettings } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import type { Actor } from "../../access/audit/auditLog.js";
import { everything } from "../../base/access/readable.js";
import { Canaries } from "../../ingest/canary/canaries.js";
import { createApiDeps, type GatewayParts } from "./gatewayDeps.js";

const kept: TableSettings = {
  retention: { maxAgeMs: 3_600_000, maxBytes: null },
  thinning: [],
  columns: [{ name: "price", type: "int", decimals: 2 }],
};

interface Overrides {
  readonly leafStates?: readonly string[];
  /** Thrown when the table is deleted, before it is removed. */
  readonly deleteError?: Error;
}

/** Fakes of the parts, with the calls that they got, in order. */
function createFakes({ leafStates = ["alive"], deleteError }: Overrides = {}) {
  const calls: string[] = [];
  const warnings: string[] = [];
  const settings = new Map<string, TableSettings>([["events", kept]]);
  const parts = {
    settings: {
      leaves: () => leafStates.map((state, i) => ({ id: `leaf-${i}`, state, status: null })),
      warn: (text: string) => warnings.push(text),
    },
    ingest: { checkTables: (names: readonly string[]) => calls.push(`check ${names}`) },
    tableSettings: {
      tables: [],
      of: (name: string) => settings.get(name),
      async set(name: string, value: TableSettings, entry?: AuditEntry) {
        calls.push(`set ${name}`, ...noted(entry));
        settings.set(name, value);
      },
      async remove(name: string, entry?: AuditEntry) {
        calls.push(`remove ${name}`, ...noted(entry));
        settings.delete(name);
      },
    },
    retention: {
      run: async () => calls.push("run retention"),
      async deleteTable(name: string, onBooked: () => Promise<void>) {
        calls.push(`delete ${name}`);
        if (deleteError !== undefined) throw deleteError;
        await onBooked();
      },
    },
    ledger: { all: null, onDeleted: () => undefined },
    canaries: new Canaries({ nowMs: () => 0, random: () => 0, sleep: async () => undefined }),
    order: { forget: async (name: string) => calls.push(`forget ${name}`) },
    catalogue: {
      tables: async () => [{ name: "events", rows: 1 }],
      table: async (name: string) => ({ name, rows: 1, columns: [{ name: "price" }] }),
      refresh: async () => calls.push("refresh"),
    },
    people: {
      audit: {
        entry: ({ who, address }: Actor, action: AuditAction, target: string) => ({
          ...{ time: 0, who, action, target, address },
        }),
      },
    },
    alerts: { service: null },
    address: () => "http://127.0.0.1:7400",
    now: () => 0,
  };
  const deps = createApiDeps(parts as unknown as GatewayParts);
  return { deps, calls, warnings, settings };
}

const actor: Actor = { who: "ann", address: "127.0.0.1" };
const noted = (entry?: AuditEntry): string[] =>
  entry === undefined ? [] : [`${entry.who} ${entry.action} ${entry.target}`];

describe("deleting a table", () => {
  it("removes its settings and its column order, then reads the tables again", async () => {
    const { deps, calls, settings } = createFakes();
    await deps.deleteTable("events", actor);
    expect(calls).toEqual([
      ...["remove events", "ann table.delete events", "delete events", "forget events", "refresh"],
    ]);
    expect(settings.has("events")).toBe(false);
  });

  it("restores the settings when it fails, and passes the error on", async () => {
    const deleteError = new HadalError("unavailable", { detail: "leaf-0 cannot be reached." });
    const { deps, calls, settings } = createFakes({ deleteError });
    await expect(deps.deleteTable("events", actor)).rejects.toBe(deleteError);
    expect(calls).toEqual([
      ...["remove events", "ann table.delete events", "delete events", "set events"],
    ]);
    expect(settings.get("events")).toEqual(kept);
  });
});

describe("tables", () => {
  it("are listed with their retention", async () => {
    const { deps } = createFakes();
    expect(await deps.tables(everything)).toEqual([
      { name: "events", rows: 1, retention: kept.retention },
    ]);
  });

  it("have the settings of columns beside the stored columns", async () => {
    const { deps } = createFakes();
    expect(await deps.table("events", everything)).toEqual({
      ...{ name: "events", rows: 1, columns: [{ name: "price" }] },
      ...{ retention: kept.retention, thinning: [], columnSettings: kept.columns },
    });
  });

  it("start a round of retention when their settings change", async () => {
    const { deps, calls } = createFakes();
    const wanted = { ...kept, retention: { maxAgeMs: 60_000, maxBytes: null } };
    await deps.setTable("events", wanted, actor);
    expect(calls).toEqual([
      ...["check events", "set events", "ann retention.change events", "run retention"],
    ]);
  });
});

describe("the gateway", () => {
  it.each([
    [["dead", "suspect"], "no leaf can be reached yet"],
    [["dead", "alive"], null],
  ] as const)("with leaves %j is unready for this reason: %s", (leafStates, reason) => {
    expect(createFakes({ leafStates }).deps.unready()).toBe(reason);
  });

  it("lists itself before its leaves", async () => {
    const members = await createFakes({ leafStates: ["alive", "dead"] }).deps.members();
    expect(members.map(({ id, state }) => `${id} ${state}`)).toEqual([
      "gateway alive",
      "leaf-0 alive",
      "leaf-1 dead",
    ]);
    expect(members[0]?.address).toBe("http://127.0.0.1:7400");
  });

  it("has no demo unless it is given one", () => {
    expect(createFakes().deps.demo()).toBeNull();
  });

  it("logs an error with its stack, and other values as text", () => {
    const { deps, warnings } = createFakes();
    deps.logError("query failed", new Error("broken"));
    deps.logError("query failed", "broken");
    expect(warnings[0]).toMatch(/^query failed: Error: broken\n\s+at /);
    expect(warnings[1]).toBe("query failed: broken");
  });
});

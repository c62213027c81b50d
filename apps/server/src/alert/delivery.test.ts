import type { AlertMessage } from "@hadal/sdk";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Registry } from "../registry/registry.js";
import { type PostgresServer, startPostgres } from "../registry/testing/postgresServer.js";
import { type RegistryFolder, registryFolder } from "../registry/testing/registryFolder.js";
import { deliveryOf, newDeliveryRow } from "./delivery.js";

const message: AlertMessage = {
  ...{ state: "firing", ruleId: "r", title: "Errors", text: "count is above 5" },
  ...{ value: 7, interval: [6, 8], group: ["é", null], groupColumns: ["page", "user"] },
  ...{ groups: [], groupCount: 1, since: 5, completeness: 0.999, fromMs: 0, toMs: 5 },
  ...{ query: { table: "t", from: 0, to: 5 }, link: "/alerts/r", repetition: 0 },
};

let server: PostgresServer;
let folder: RegistryFolder;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(() => server?.remove());
afterEach(() => folder.remove());

test.each(["SQLite", "PostgreSQL"])(
  "a delivery comes back from %s as it was, once",
  async (kind) => {
    folder = await registryFolder(kind === "SQLite" ? null : await server.createDatabase());
    const registry: Registry = await folder.open();
    const one = { key: "f/0/firing/0", id: "f", ruleId: "r", channel: 0, message, to: "whom" };
    const insert = () =>
      registry.write((transaction) =>
        transaction.insertInto("alert_deliveries").values(newDeliveryRow(one, 9)).execute(),
      );
    await insert();
    await expect(insert()).rejects.toThrow();
    const rows = await registry.read((database) =>
      database.selectFrom("alert_deliveries").selectAll().execute(),
    );
    expect(rows.map(deliveryOf)).toEqual([
      {
        ...one,
        ...{ state: "firing", attempts: 0, nextAt: 9, doneAt: null, deadAt: null, error: null },
      },
    ]);
  },
);

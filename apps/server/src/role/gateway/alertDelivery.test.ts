import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { newDeliveryRow } from "../../alert/delivery.js";
import { alertMessage } from "../../alert/testing/messages.js";
import { startMailReceiver, startWebReceiver } from "../../alert/testing/receivers.js";
import { alertSettingsDefault } from "../../base/limit/alertSettings.js";
import { type RegistryFolder, registryFolder } from "../../registry/testing/registryFolder.js";
import { alertSendingOf, createAlertDelivery, printDeliveryMetrics } from "./alertDelivery.js";

let folder: RegistryFolder;
beforeEach(async () => {
  folder = await registryFolder();
});
afterEach(() => folder.remove());

test("flags decide where messages go, and what their links are", async () => {
  const [web, mail] = [await startWebReceiver(), await startMailReceiver()];
  const registry = await folder.open();
  const channels = [
    { kind: "webhook", url: web.url },
    { kind: "email", to: ["ann@example.com"] },
  ] as const;
  const rows = channels.map((_, channel) =>
    newDeliveryRow(
      { key: `f/${channel}`, id: "f", ruleId: "r", channel, message: alertMessage() },
      0,
    ),
  );
  const insert = () =>
    registry.write((transaction) =>
      transaction.insertInto("alert_deliveries").values(rows).execute(),
    );
  const options = {
    ...{ registry, warn: () => undefined },
    channelOf: async (_rule: string, place: number) => channels[place] ?? null,
    illustrate: async () => ({ image: null, finds: [] }),
  };
  const address = () => "http://127.0.0.1:7400";
  await insert();
  const closed = createAlertDelivery({
    ...{ ...options, ...alertSendingOf(alertSettingsDefault, address) },
  });
  closed.start();
  await vi.waitFor(() => expect(closed.counts).toMatchObject({ dead: 2, running: 0 }), 10_000);
  await closed.stop();
  expect([web.received, mail.mails]).toEqual([[], []]);
  await registry.write((transaction) => transaction.deleteFrom("alert_deliveries").execute());
  await insert();
  const settings = {
    ...{ webhooksAllow: ["127.0.0.0/8"], smtpUrl: `smtp://127.0.0.1:${mail.port}` },
    publicUrl: "https://hadal.example.com",
  };
  const open = createAlertDelivery({ ...options, ...alertSendingOf(settings, address) });
  open.start();
  await vi.waitFor(() => expect(open.counts).toMatchObject({ sent: 2, running: 0 }), 10_000);
  await open.stop();
  expect(JSON.parse(web.received[0]?.body ?? "").link).toBe(
    "https://hadal.example.com/explore?q=1",
  );
  expect(mail.mails).toHaveLength(1);
  expect(printDeliveryMetrics(open)).toContain('hadal_alert_messages_total{outcome="sent"} 2\n');
  web.close();
  await mail.close();
});

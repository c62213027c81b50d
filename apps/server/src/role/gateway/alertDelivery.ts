import { type AddressRange, parseAddressRange } from "../../access/egress/addressRanges.js";
import { Egress } from "../../access/egress/egress.js";
import type { ChannelMeans } from "../../alert/channel/channelKind.js";
import { Mailer } from "../../alert/channel/mailer.js";
import { Deliverer, type FindChannel } from "../../alert/deliver/deliverer.js";
import { DeliveryRows } from "../../alert/deliver/deliveryRows.js";
import type { Illustrate } from "../../alert/deliver/illustration.js";
import type { AlertSettings } from "../../base/limit/alertSettings.js";
import type { Registry } from "../../registry/registry.js";

/** By what, and with which addresses, messages are sent. */
export interface AlertSending {
  readonly means: ChannelMeans;
  /** The whole address of a path of the web app. */
  readonly linkTo: (path: string) => string;
}

export interface AlertDeliveryOptions extends AlertSending {
  readonly registry: Registry;
  readonly channelOf: FindChannel;
  readonly illustrate: Illustrate;
  readonly warn: (text: string) => void;
}

/** As the server's flags say; `address`: where the server listens. */
export const alertSendingOf = (settings: AlertSettings, address: () => string): AlertSending => ({
  means: channelMeansOf(settings),
  linkTo: (path) => `${settings.publicUrl ?? address()}${path}`,
});

function channelMeansOf({ webhooksAllow, smtpUrl }: AlertSettings): ChannelMeans {
  return {
    egress: new Egress({ allowed: webhooksAllow.map(rangeOf) }),
    mailer: smtpUrl === null ? null : new Mailer(smtpUrl),
    nowMs: Date.now,
  };
}

/** Sends the messages of rules; it looks for them from `start` on. */
export const createAlertDelivery = ({ registry, ...options }: AlertDeliveryOptions): Deliverer =>
  new Deliverer({ ...options, rows: new DeliveryRows(registry), random: Math.random });

/** In Prometheus text. */
export function printDeliveryMetrics({ counts }: Pick<Deliverer, "counts">): string {
  const { sent, failed, dead, running } = counts;
  return [
    "# HELP hadal_alert_messages_total Messages of alerts: sent, attempts that failed, given up.",
    "# TYPE hadal_alert_messages_total counter",
    ...Object.entries({ sent, failed, dead }).map(
      ([outcome, count]) => `hadal_alert_messages_total{outcome="${outcome}"} ${count}`,
    ),
    "# HELP hadal_alert_messages_running Messages of alerts that are on their way.",
    "# TYPE hadal_alert_messages_running gauge",
    `hadal_alert_messages_running ${running}`,
    "",
  ].join("\n");
}

function rangeOf(text: string): AddressRange {
  const range = parseAddressRange(text);
  if (range === null) throw new Error(`${text} was checked as a range`);
  return range;
}

import type { AlertMessage } from "@hadal/sdk";
import type { OutgoingMessage } from "../channel/channelKind.js";

export const alertMessage = (parts: Partial<AlertMessage> = {}): AlertMessage => ({
  ...{ state: "firing", ruleId: "rule-1", title: "Errors", text: "count is above 500" },
  ...{ value: 812, interval: [790, 834], group: null, groupColumns: [], groups: [] },
  ...{ groupCount: 1, since: 1_750_000_000_000, completeness: 0.999_99 },
  ...{ fromMs: 1_749_999_700_000, toMs: 1_750_000_000_000 },
  query: {
    table: "requests",
    from: 1_749_999_700_000,
    to: 1_750_000_000_000,
    aggregates: [{ fn: "count" }],
  },
  ...{ link: "/explore?q=1", repetition: 0 },
  ...parts,
});

export const outgoing = (
  message: Partial<AlertMessage> = {},
  parts: Partial<OutgoingMessage> = {},
): OutgoingMessage => ({
  ...{ key: "firing-1/0/firing/0", id: "firing-1", message: alertMessage(message) },
  ...{ link: "https://hadal.example.com/explore?q=1&v=2", image: null, finds: [] },
  ...parts,
});

/** Means something in every format that a channel writes, and in no format it may. */
export const hostileText =
  "<script>alert(1)</script> <!channel> <https://evil.example|here> *bold* [x](https://evil.example) {{DATE(2020-01-01)}} \"q' &amp;\r\nBcc: eve@evil.example";

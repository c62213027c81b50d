import { createHmac } from "node:crypto";
import type { AlertChannel } from "@hadal/sdk";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { alertMessage, hostileText, outgoing } from "../testing/messages.js";
import {
  egressToTests,
  type MailReceiver,
  startMailReceiver,
  startWebReceiver,
  type WebReceiver,
} from "../testing/receivers.js";
import type { ChannelMeans } from "./channelKind.js";
import { checkChannel, receiverOf, sendToChannel } from "./channelKinds.js";
import { Mailer } from "./mailer.js";

const nowMs = 1_750_000_000_999;
const image = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 1, 2, 3);
let web: WebReceiver;
let mail: MailReceiver;
let means: ChannelMeans;

beforeAll(async () => {
  [web, mail] = [await startWebReceiver(), await startMailReceiver()];
  const mailer = new Mailer(`smtp://127.0.0.1:${mail.port}?from=alerts@example.com`);
  means = { egress: egressToTests(), mailer, nowMs: () => nowMs, pagerDutyUrl: web.url };
});
afterAll(async () => {
  web.close();
  await mail.close();
});
beforeEach(() => {
  web.received.length = 0;
  mail.mails.length = 0;
  web.answer = () => ({ status: 202 });
});

const channels = (): readonly AlertChannel[] => [
  { kind: "webhook", url: web.url, secret: "s3cret" },
  { kind: "slack", url: web.url },
  { kind: "teams", url: web.url },
  { kind: "pagerduty", routingKey: "R0UTE" },
];

const bodyOf = (): unknown => JSON.parse(web.received[0]?.body ?? "null");

/** All texts within a body. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

describe("a webhook", () => {
  test("gets the message, and a signature that its receiver can check", async () => {
    const groups = [{ group: ["checkout", null], value: null, interval: null }];
    const message = outgoing(
      { groups, groupColumns: ["service", "host"] },
      { image, finds: ["a"] },
    );
    await sendToChannel(message, { kind: "webhook", url: web.url, secret: "s3cret" }, means);
    const [{ headers, body } = expect.unreachable()] = web.received;
    // As a receiver does it, with what INTERFACE says and nothing of ours.
    const [, seconds, sum] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-hadal-signature"])) ?? [];
    expect(createHmac("sha256", "s3cret").update(`${seconds}.`).update(body).digest("hex")).toBe(
      sum,
    );
    expect(Number(seconds)).toBe(1_750_000_000);
    expect(headers).toMatchObject({
      ...{ "content-type": "application/json", "x-hadal-delivery": "firing-1/0/firing/0" },
    });
    expect(JSON.parse(body)).toMatchObject({
      ...{ id: "firing-1", state: "firing", title: "Errors", value: 812, interval: [790, 834] },
      ...{ completeness: 0.999_99, link: message.link, finds: ["a"], groups },
      image: `data:image/png;base64,${Buffer.from(image).toString("base64")}`,
    });
    expect(body).not.toContain("s3cret");
  });

  test("without a secret has no signature, and without a picture says so", async () => {
    await sendToChannel(outgoing(), { kind: "webhook", url: web.url }, means);
    expect(web.received[0]?.headers["x-hadal-signature"]).toBeUndefined();
    expect(bodyOf()).toMatchObject({ image: null });
  });
});

describe("chats", () => {
  test("Slack gets blocks in which people's texts are plain text", async () => {
    await sendToChannel(outgoing({ title: hostileText }), { kind: "slack", url: web.url }, means);
    const body = bodyOf() as { text: string; blocks: { type: string; fields?: unknown[] }[] };
    // The only text that is read as mrkdwn beside the link.
    expect(body.text).toContain("&lt;!channel&gt;");
    expect(body.text).not.toMatch(/[<>]/);
    const mrkdwn = JSON.stringify(body.blocks).match(/"type":"mrkdwn","text":"[^"]*"/g);
    expect(mrkdwn).toEqual([
      `"type":"mrkdwn","text":"${[
        "<https://hadal.example.com/explore?q=1&amp;v=2|Open in Hadal>",
        "<https://hadal.example.com/explore?q=1&amp;v=2&amp;act=acknowledge|Acknowledge>",
        "<https://hadal.example.com/explore?q=1&amp;v=2&amp;act=mute|Mute>",
      ].join(" · ")}"`,
    ]);
    expect(body.blocks[0]).toMatchObject({ type: "header", text: { type: "plain_text" } });
    for (const { fields = [] } of body.blocks) expect(fields.length).toBeLessThanOrEqual(10);
  });

  test("what is over is neither acknowledged nor muted, and what is not known is muted", async () => {
    for (const state of ["ok", "unknown"] as const)
      await sendToChannel(outgoing({ state }), { kind: "webhook", url: web.url }, means);
    const actions = web.received.map(({ body }) => JSON.parse(body).actions);
    const url = "https://hadal.example.com/explore?q=1&v=2&act=mute";
    expect(actions).toEqual([[], [{ text: "Mute", url }]]);
  });

  test("a link cannot end early", async () => {
    const message = outgoing({}, { link: "https://h/x?q=a|b>c d" });
    await sendToChannel(message, { kind: "slack", url: web.url }, means);
    expect(web.received[0]?.body).toContain("<https://h/x?q=a%7Cb%3Ec%20d|Open in Hadal>");
  });

  test("Teams gets a card that reads no Markdown", async () => {
    await sendToChannel(outgoing({ title: hostileText }), { kind: "teams", url: web.url }, means);
    const body = bodyOf() as {
      attachments: { contentType: string; content: { body: unknown[] } }[];
    };
    const [card = expect.unreachable()] = body.attachments;
    expect(card.contentType).toBe("application/vnd.microsoft.card.adaptive");
    const types = new Set(card.content.body.map((line) => (line as { type: string }).type));
    expect([...types]).toEqual(["RichTextBlock"]);
    expect(card.content).toMatchObject({
      ...{ type: "AdaptiveCard", version: "1.4" },
      actions: [
        { type: "Action.OpenUrl", url: "https://hadal.example.com/explore?q=1&v=2" },
        ...[{ title: "Acknowledge" }, { title: "Mute" }],
      ],
    });
  });

  test.each(["slack", "teams"] as const)(
    "%s gets the first of a thousand groups and their number",
    async (kind) => {
      const groups = Array.from({ length: 10 }, (_, i) => ({
        ...{ group: [`service-${i}`], value: i === 0 ? null : i * 1_000.5, interval: null },
        ...(i === 1 && { interval: [1, 2] as const, compared: 7 }),
      }));
      await sendToChannel(
        outgoing({ groups, groupCount: 1_000, groupColumns: ["service"] }),
        { kind, url: web.url },
        means,
      );
      const text = textsOf(bodyOf()).join("\n");
      for (const part of [
        "1000",
        "990",
        "service service-0",
        "no value",
        "9,004.5",
        "between 1 and 2, before 7",
      ])
        expect(text).toContain(part);
      // Of the limit of Teams, and far below that of Slack.
      expect(web.received[0]?.body.length).toBeLessThan(28_000);
    },
  );

  test("what is not all rows is not called so", async () => {
    for (const [share, shown] of [
      [1, "100 %"],
      [0.999_999, "99.99 %"],
      [0.995, "99.5 %"],
    ] as const) {
      web.received.length = 0;
      await sendToChannel(
        outgoing({ completeness: share }),
        { kind: "slack", url: web.url },
        means,
      );
      expect(web.received[0]?.body).toContain(`${shown} of the rows`);
    }
  });
});

describe("PagerDuty", () => {
  test.each([
    ["firing", "trigger", "error"],
    ["unknown", "trigger", "warning"],
    ["ok", "resolve", "error"],
  ] as const)("%s is %s, with the firing's id", async (state, action, severity) => {
    await sendToChannel(outgoing({ state }), { kind: "pagerduty", routingKey: "R0UTE" }, means);
    expect(bodyOf()).toMatchObject({
      ...{ routing_key: "R0UTE", event_action: action, dedup_key: "firing-1" },
      payload: { severity, source: "hadal", timestamp: "2025-06-15T15:06:40.000Z" },
    });
  });
});

describe("mail", () => {
  const to = ["ann@example.com", "bob@example.com"];

  test("has text, HTML and the chart; nothing of people is markup or a header", async () => {
    await sendToChannel(outgoing({ title: hostileText }, { image }), { kind: "email", to }, means);
    const [{ to: got, text } = expect.unreachable()] = mail.mails;
    expect(got).toEqual(to);
    const [head = "", ...rest] = text.split("\r\n\r\n");
    const decoded = rest
      .join("\n")
      .replace(/=\r?\n/g, "")
      .replace(/=3D/g, "=");
    expect(head).toMatch(/^From: alerts@example\.com$/m);
    expect(head).toMatch(/^Message-ID: <[\w-]+@hadal>$/m);
    expect(head).not.toMatch(/^Bcc:/im);
    expect(decoded).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(decoded.split("text/html")[1]).not.toContain("<script");
    expect(decoded).toContain('<img src="cid:chart@hadal"');
    expect(text).toContain(Buffer.from(image).toString("base64"));
  });

  test("has the same id in each attempt, and another one when it is over", async () => {
    const idOf = ({ text }: { readonly text: string }) => /^Message-ID: (.*)$/m.exec(text)?.[1];
    const channel = { kind: "email", to } as const;
    await sendToChannel(outgoing(), channel, means);
    await sendToChannel(outgoing(), channel, means);
    await sendToChannel(outgoing({ state: "ok" }, { key: "firing-1/0/ok/0" }), channel, means);
    const [first, again, over] = mail.mails.map(idOf);
    expect(again).toBe(first);
    expect(over).not.toBe(first);
    expect(new Set(mail.mails.map(({ text }) => /^References: (.*)$/m.exec(text)?.[1])).size).toBe(
      1,
    );
  });

  test.each([[["refused@example.com"]], [["ann@example.com", "refused@example.com"]]])(
    "to %j is not tried again: those who have it would get it twice",
    async (to) => {
      const sent = sendToChannel(outgoing(), { kind: "email", to }, means);
      await expect(sent).rejects.toMatchObject({
        isFinal: true,
        message: /refused|no such mailbox/,
      });
    },
  );

  test("without a mail server says what is missing; with one that is away it is tried again", async () => {
    const channel = { kind: "email", to } as const;
    await expect(
      sendToChannel(outgoing(), channel, { ...means, mailer: null }),
    ).rejects.toMatchObject({
      ...{ isFinal: true, message: expect.stringContaining("--smtp-url") },
    });
    const other = await startMailReceiver();
    const mailer = new Mailer(`smtp://127.0.0.1:${other.port}`);
    await other.close();
    await expect(sendToChannel(outgoing(), channel, { ...means, mailer })).rejects.toMatchObject({
      isFinal: false,
    });
    const back = await startMailReceiver(other.port);
    await sendToChannel(outgoing(), channel, { ...means, mailer });
    expect(back.mails).toHaveLength(1);
    await back.close();
  });
});

describe("every channel of the web", () => {
  test.each([
    [
      { status: 500, text: "oh\u0000\n  no" },
      { isFinal: false, message: "it answered 500: oh no" },
    ],
    [{ status: 404 }, { isFinal: false, message: "it answered 404" }],
    [
      { status: 400, text: "bad" },
      { isFinal: true, message: "it answered 400: bad" },
    ],
    [
      { status: 302, headers: { location: "/" } },
      { isFinal: false, message: /redirects are not followed/ },
    ],
    [{ status: 429, headers: { "retry-after": "7" } }, { retryAfterMs: 7_000 }],
    [
      { status: 503, headers: { "retry-after": "Sun, 15 Jun 2025 15:07:40 GMT" } },
      { retryAfterMs: 59_001 },
    ],
    [{ status: 503, headers: { "retry-after": "soon" } }, { retryAfterMs: null }],
  ])("%j is a failure with its reason", async (answer, expected) => {
    web.answer = () => answer;
    for (const channel of channels()) {
      const failure = await sendToChannel(outgoing(), channel, means).catch(
        (error: unknown) => error,
      );
      expect(failure).toMatchObject(
        "message" in expected && expected.message instanceof RegExp
          ? { ...expected, message: expect.stringMatching(expected.message) }
          : expected,
      );
    }
  });

  test("an address that may not be sent to is a failure for good, without its path", async () => {
    const closed = { ...means, egress: egressToTests({ allowed: [] }) };
    for (const channel of channels()) {
      await expect(checkChannel(channel, closed)).rejects.toMatchObject({ code: "egress-refused" });
      const failure = await sendToChannel(outgoing(), channel, closed).catch((e: unknown) => e);
      expect(failure).toMatchObject({
        isFinal: true,
        message: expect.stringMatching(/^egress-refused: /),
      });
      expect(String(failure)).not.toContain("/hook");
      await expect(checkChannel(channel, means)).resolves.toBeUndefined();
    }
    expect(web.received).toEqual([]);
  });

  test("receivers are kept apart by host, and mail is one", () => {
    const names = [...channels(), { kind: "email", to: ["a@b"] } as const].map(receiverOf);
    const { host } = new URL(web.url);
    expect(names).toEqual([host, host, host, "events.pagerduty.com R0UTE", "mail"]);
  });

  test("a message of a clock that jumped is sent all the same", async () => {
    const message = { ...outgoing(), message: alertMessage({ fromMs: 9e15, toMs: Number.NaN }) };
    for (const channel of channels()) await sendToChannel(message, channel, means);
    expect(web.received).toHaveLength(4);
  });
});

import type { AlertChannel } from "@hadal/sdk";
import { expect, test } from "vitest";
import { splitSecrets, withSecret } from "./channelSecrets.js";

const channels: readonly AlertChannel[] = [
  { kind: "webhook", url: "https://a.example/hook", secret: "one" },
  { kind: "slack", url: "https://hooks.example/T/two" },
  { kind: "pagerduty", routingKey: "three" },
  { kind: "email", to: ["ann@example.com"] },
];
const none = { channels: [], secrets: {} };

test("what is kept and shown has no secret; what is sent has them all", () => {
  const kept = splitSecrets(channels, none);
  expect(JSON.stringify(kept.channels)).not.toMatch(/one|two|three/);
  expect(kept.channels[1]).toEqual({ kind: "slack", url: "https://hooks.example/********" });
  expect(kept.channels.map((one, i) => withSecret(one, i, kept.secrets))).toEqual(channels);
});

test("a save of what was shown, in another order or without the secrets, keeps them", () => {
  const kept = splitSecrets(channels, none);
  expect(splitSecrets(kept.channels, kept)).toEqual(kept);
  const turned = splitSecrets(kept.channels.toReversed(), kept);
  expect(turned.channels.map((one, i) => withSecret(one, i, turned.secrets))).toEqual(
    channels.toReversed(),
  );
  const bare = [{ kind: "webhook", url: "https://a.example/hook" }] as const;
  expect(splitSecrets(bare, kept).secrets).toEqual({ 0: "one" });
  const other = [{ kind: "webhook", url: "https://a.example/hook", secret: "new" }] as const;
  expect(splitSecrets(other, kept).secrets).toEqual({ 0: "new" });
});

test("where none is kept it has to be given", () => {
  const fault = (given: unknown): unknown => {
    try {
      return splitSecrets([given as AlertChannel], none).secrets;
    } catch (error) {
      return (error as { readonly errors: readonly { path: string }[] }).errors[0]?.path;
    }
  };
  expect(fault({ kind: "webhook", url: "https://a.example" })).toEqual({});
  expect(fault({ kind: "webhook", url: "https://a.example", secret: "********" })).toBe(
    "body.channels[0].secret",
  );
  expect(fault({ kind: "slack", url: "https://a.example/********" })).toBe("body.channels[0].url");
  expect(fault({ kind: "pagerduty" })).toBe("body.channels[0].routingKey");
});

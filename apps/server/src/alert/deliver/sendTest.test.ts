import { expect, test } from "vitest";
import { alertMessage } from "../testing/messages.js";
import { egressToTests, startWebReceiver } from "../testing/receivers.js";
import { sendTest } from "./sendTest.js";

test("a test says that it is one, and its failure is that of the channel", async () => {
  const web = await startWebReceiver();
  const means = { egress: egressToTests(), mailer: null, nowMs: () => 5 };
  const { query } = alertMessage();
  const options = { ruleId: "r", title: "Errors", query, link: "https://h/alerts/r", means };
  await sendTest({ kind: "webhook", url: web.url }, options);
  expect(JSON.parse(web.received[0]?.body ?? "")).toMatchObject({
    ...{ id: expect.stringMatching(/^test-/), title: "Test of Errors", text: "This is a test." },
    ...{ link: "https://h/alerts/r", value: null },
  });
  web.answer = () => ({ status: 500 });
  const failed = sendTest({ kind: "slack", url: web.url }, options);
  await expect(failed).rejects.toThrow("it answered 500");
  web.close();
});

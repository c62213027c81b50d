import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { axeFile, faultsOf } from "../fixtures/axe.js";
import { startHadal } from "../fixtures/startHadal.js";
import { expect, test } from "../fixtures/test.js";

const minuteMs = 60_000;
const dayMs = 86_400_000;

test("an alert is made from a chart, shows when it would have fired, fires and is muted", async ({
  page,
}) => {
  const flags = ["--webhooks-allow", "127.0.0.0/8"];
  const hadal = await startHadal({ leaves: 1, demoRows: 0, flags });
  const receiver = createServer((request, response) => {
    request.resume();
    response.end();
  }).listen(0, "127.0.0.1");
  const nowMs = Date.now();
  const row = (time: number) => JSON.stringify({ time, status: 500 });
  const quiet = Array.from({ length: 2_000 }, (_, i) =>
    row(nowMs - 2 * minuteMs - i * 5 * minuteMs),
  );
  // An hour two days ago, and now.
  const loud = Array.from({ length: 600 }, (_, i) => row(nowMs - 2 * dayMs - i * 5_000));
  try {
    await hadal.client.ingestBody("visits", [...quiet, ...loud].join("\n"), {
      contentType: "application/x-ndjson",
    });
    await page.addInitScript({ path: axeFile });
    await page.goto(`${hadal.url}/explore?v=1&table=visits&view=timeseries`);

    await test.step("three clicks: Share, Alert me, Create", async () => {
      await page.getByTestId("share").click();
      await page.getByTestId("share-alert").click();
      await expect(page.getByTestId("alert-sheet")).toBeVisible();
      await page.getByTestId("alert-value").fill("20");
      await expect(page.getByTestId("alert-words")).toHaveText(
        "Fires when count is above 20 in 5 minutes.",
      );
      await expect(page.getByTestId("replay-words")).toContainText(/It would have fired once/);
      await expect(page.getByTestId("replay-firing")).toHaveCount(1);
      expect(await faultsOf(page)).toEqual([]);
    });

    await test.step("the line is moved by the keyboard, and its value follows", async () => {
      await page.getByTestId("alert-bound").focus();
      await page.keyboard.press("PageUp");
      await expect(page.getByTestId("alert-value")).not.toHaveValue("20");
      await page.getByTestId("alert-value").fill("20");
    });

    await test.step("a channel is tested before the alert is saved", async () => {
      const { port } = receiver.address() as AddressInfo;
      await page.getByTestId("add-channel").click();
      await page.getByTestId("channel-url").fill("http://127.0.0.1:1/hook");
      await page.getByTestId("test-channel").click();
      await expect(page.getByTestId("test-outcome")).toContainText("It did not arrive: ");
      await page.getByTestId("channel-url").fill(`http://127.0.0.1:${port}/hook`);
      await page.getByTestId("test-channel").click();
      await expect(page.getByTestId("test-outcome")).toHaveText("It was taken.");
    });

    await test.step("what is wrong is said at its field, and nothing is saved", async () => {
      await page.getByTestId("alert-value").fill("many");
      await page.getByTestId("save-alert").click();
      await expect(page.getByTestId("alert-sheet")).toContainText("“many” is no amount");
      await page.getByTestId("alert-value").fill("20");
      await page.getByTestId("save-alert").click();
      await expect(page).toHaveURL(/\/alerts\/[^/]+$/);
      await expect(page.getByTestId("alert-page")).toContainText("fires when count is above 20");
    });

    await test.step("it fires once rows come, and its channel can be tested again", async () => {
      const now = Array.from({ length: 400 }, (_, i) => row(Date.now() - i * 100));
      await hadal.client.ingestBody("visits", now.join("\n"), {
        contentType: "application/x-ndjson",
      });
      const state = page.getByTestId("alert-state");
      await expect(state).toHaveText("firing", { timeout: 120_000 });
      await expect(page.getByTestId("alert-event").first()).toContainText("firing");
      await page.getByTestId("test-channel").click();
      await expect(page.getByTestId("test-outcome")).toHaveText("It was taken.");
    });

    await test.step("the firing is on the chart of the table, and its flag leads to the alert", async () => {
      await page.goto(`${hadal.url}/explore?v=1&table=visits&view=timeseries&from=-1h`);
      const flag = page.locator('[data-testid="annotation"][data-firing="true"]');
      await flag.click();
      await expect(page.getByTestId("open-alert")).toContainText("visits");
      await page.getByTestId("open-alert").click();
      await expect(page.getByTestId("alert-page")).toBeVisible();
    });

    await test.step("the link of a message leads to its window, and asks before it acknowledges", async () => {
      const [alert] = await hadal.client.alerts.list();
      const at = alert!.recent.at(-1)![0];
      await page.goto(`${hadal.url}/alerts/${alert!.id}?at=${at}&act=acknowledge`);
      await expect(page.getByTestId("from-message")).toContainText("about the window until");
      expect(await faultsOf(page)).toEqual([]);
      await page.getByTestId("message-acknowledge").click();
      await expect(page.getByTestId("message-acknowledge")).toHaveCount(0);
      await expect(page.getByTestId("alert-event").first()).toContainText("acknowledged");
      await page.getByTestId("from-message").getByRole("link", { name: "its chart" }).click();
      await expect(page).toHaveURL(new RegExp(`to=${at}`));
      await expect(page.getByTestId("result")).toHaveAttribute("data-final", "true");
    });

    await test.step("it is muted in the list, which shows its last values", async () => {
      await page.goto(`${hadal.url}/alerts`);
      await expect(page.getByTestId("alert-row")).toContainText("fires when count is above 20");
      await expect(page.getByTestId("alert-recent")).toBeVisible();
      const state = page.getByTestId("alert-state");
      await page.getByTestId("choose-alert").check();
      await page.getByTestId("mute").click();
      await page.getByTestId("mute-choice").first().click();
      await expect(state).toHaveText("muted");
    });

    await test.step("on a phone, light and dark", async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      for (const colorScheme of ["dark", "light"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await expect(page.getByTestId("alert-row")).toHaveCount(1);
        expect(await faultsOf(page)).toEqual([]);
      }
    });
    await page.goto("about:blank");
  } finally {
    receiver.close();
    await hadal.stop();
  }
});

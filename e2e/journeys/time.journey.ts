import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.js";

const start = "/explore?v=1&table=requests&from=-3h&to=now&view=table&group=service";
const parameters = (page: Page) => new URL(page.url()).searchParams;
/** Hour and minute in the zone of the browser (Europe/Berlin). */
const localClock = (page: Page, time: string | null) =>
  page.evaluate((text) => {
    const date = new Date(text ?? "");
    return [date.getHours(), date.getMinutes()].join(":");
  }, time);

test("time: as text, by calendar, in steps, in any zone", async ({ page, hadal }) => {
  await page.goto(`${hadal.url}${start}`);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");

  await test.step("text is read in the reader's zone", async () => {
    await page.getByTestId("time-range").click();
    await expect(page.getByTestId("retention")).toContainText("Rows from");
    await page.getByTestId("time-text").fill("yesterdayish");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("time-picker").getByRole("alert")).toContainText("Write -3h");
    await page.getByTestId("time-text").fill("yesterday 9:00 to 12:00");
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("time-range")).toContainText("09:00 – 12:00");
    expect(await localClock(page, parameters(page).get("from"))).toBe("9:0");
    await expect(page.getByTestId("result")).toHaveAttribute("data-final", "true");
  });
  await test.step("steps by its length, then twice the range", async () => {
    await page.getByTestId("time-earlier").click();
    await expect(page.getByTestId("time-range")).toContainText("06:00 – 09:00");
    await page.getByTestId("time-later").click();
    await page.getByTestId("time-wider").click();
    await expect(page.getByTestId("time-range")).toContainText("07:30 – 13:30");
  });
  await test.step("another zone shows the same times", async () => {
    const before = parameters(page).get("from");
    await page.getByTestId("time-range").click();
    await page.getByTestId("time-zone").selectOption("Asia/Tokyo");
    await expect(page).toHaveURL(/tz=Asia\/Tokyo/);
    expect(parameters(page).get("from")).toBe(before);
    await page.keyboard.press("Escape");
    await page.keyboard.press("u");
    await expect(page).not.toHaveURL(/tz=Asia/);
  });
  await test.step("two days of the calendar are whole days", async () => {
    await page.goto(`${hadal.url}${start}`);
    await page.getByTestId("time-range").click();
    const today = page.getByTestId("time-calendar").locator("[data-today=true] button");
    await today.click();
    await today.click();
    expect(await localClock(page, parameters(page).get("from"))).toBe("0:0");
    await page.getByTestId("time-range").click();
    await page.getByTestId("time-picker").getByRole("button", { name: "24h" }).click();
    await expect(page).toHaveURL(/from=-24h/);
  });
  await test.step("a recent range is offered again", async () => {
    await page.getByTestId("time-range").click();
    await page.getByTestId("time-picker").getByRole("button", { name: "12h" }).click();
    await expect(page).toHaveURL(/from=-12h/);
    await page.getByTestId("time-range").click();
    const recent = page.getByRole("region", { name: "Recent ranges" });
    await expect(recent.getByRole("button").first()).toHaveText("last 24 hours");
    await recent.getByRole("button").first().click();
    await expect(page).toHaveURL(/from=-24h/);
  });
  await test.step("live can be paused", async () => {
    await page.getByTestId("live").click();
    await expect(page).toHaveURL(/live=1/);
    await page.getByTestId("live").click();
    await expect(page).not.toHaveURL(/live=1/);
  });
});

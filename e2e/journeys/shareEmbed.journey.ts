import type { Locator, Page } from "@playwright/test";
import { axeFile, faultsOf } from "../fixtures/axe.js";
import { fromMs, newestMs, ordersOf, table, test } from "../fixtures/embeds.js";
import { expect } from "../fixtures/test.js";

test.use({ permissions: ["clipboard-read", "clipboard-write"] });

const explore =
  `/explore?v=1&table=${table}&from=${fromMs}&to=${newestMs}&tz=UTC` +
  "&view=table&agg=count&group=service&filter=country:eq:DE";

async function openSheet(page: Page, url: string): Promise<void> {
  await page.addInitScript({ path: axeFile });
  await page.goto(url + explore);
  await expect(page.getByTestId("table-row")).toHaveCount(3);
  await page.getByTestId("share").click();
  await page.getByTestId("share-embed").click();
  await expect(page.getByTestId("embed-sheet")).toBeVisible();
}

async function copySnippet(page: Page, name: string): Promise<string> {
  await page.getByTestId(`snippet-${name}`).click();
  await page.getByTestId("copy-snippet").click();
  await expect(page.getByTestId("copy-snippet")).toHaveText("Copied");
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(await page.getByTestId("snippet").textContent()).toBe(text);
  return text;
}

/** Of the picture itself; 0: there is none. */
const widthOf = (image: Locator): Promise<number> =>
  image.evaluate((element: HTMLImageElement) => element.naturalWidth);

test("an embed is made of a query, seen live, copied into a page of another origin, and revoked in the list", async ({
  page,
  pageErrors,
  hadal,
  host,
}) => {
  await openSheet(page, hadal.url);
  const sheet = page.getByTestId("embed-sheet");
  await expect(page.getByTestId("embed-preview").getByTestId("table-row")).toHaveCount(3);
  expect(await faultsOf(page)).toEqual([]);
  await page.getByTestId("embed-title").fill("Orders <b>of</b> Germany");
  await page.getByTestId("embed-hosts").fill(`${host.origin}/`);
  await page.getByTestId("create-embed").click();

  const live = page.getByTestId("embed-element");
  await expect(live.getByTestId("embed-status")).toContainText("100 % of rows");
  await expect(live.getByTestId("table-row").first()).toContainText(String(ordersOf.DE));
  expect(await faultsOf(page)).toEqual([]);
  const html = await copySnippet(page, "HTML");
  const iframe = await copySnippet(page, "iframe");
  expect(await copySnippet(page, "React")).toContain('from "@hadal/sdk/react"');
  expect(await copySnippet(page, "Server")).toContain("hadal.embeds.token(");
  const image = await copySnippet(page, "Image");
  await expect.poll(() => widthOf(page.getByTestId("embed-image"))).toBeGreaterThan(0);
  await page.getByTestId("close-embed").click();
  await expect(sheet).toHaveCount(0);

  const other = await page.context().newPage();
  await test.step("the code works as it was copied", async () => {
    await other.goto(host.origin + host.add(html));
    await expect(other.getByTestId("table-row")).toHaveCount(3);
    await expect(other.getByTestId("values").locator("caption")).toHaveText(
      "Orders <b>of</b> Germany",
    );
    await other.goto(host.origin + host.add(iframe));
    await expect(other.frameLocator("iframe").getByTestId("table-row")).toHaveCount(3);
    const mail = await page.context().newPage();
    await mail.goto(host.origin + host.add(image));
    await expect.poll(() => widthOf(mail.locator("img"))).toBeGreaterThan(0);
    await mail.close();
  });

  await test.step("revoked in the list, it is gone", async () => {
    await page.goto(`${hadal.url}/embeds`);
    const row = page.getByTestId("embed").filter({ hasText: "Germany" });
    await expect(row).toContainText(host.origin);
    await row.getByRole("button", { name: "Revoke" }).click();
    await page.getByTestId("confirm").click();
    await expect(page.getByTestId("embeds-outcome")).toContainText("is revoked");
    await expect(row).toContainText("revoked");
    const src = /src="([^"]*)"/.exec(image)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect((await fetch(src)).status).toBe(401);
    await other.reload();
    await expect(other.frameLocator("iframe").getByRole("heading")).toHaveText(
      "This chart was withdrawn",
    );
  });
  expect(pageErrors.splice(0).filter((error) => !/40[14]|410/.test(error))).toEqual([]);
});

test("an embed that could not show its own chart is not made; each fault is at its field", async ({
  page,
  hadal,
}) => {
  await openSheet(page, hadal.url);
  await page.getByTestId("embed-title").fill("");
  await page.getByTestId("embed-hosts").fill("intranet");
  await page.getByRole("button", { name: "Remove service" }).last().click();
  await page.getByTestId("create-embed").click();
  const sheet = page.getByTestId("embed-sheet");
  await expect(sheet.getByText("The chart is grouped by service: add it.")).toBeVisible();
  await expect(page.getByTestId("embed-title")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByTestId("embed-hosts")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByTestId("embed-created")).toHaveCount(0);
});

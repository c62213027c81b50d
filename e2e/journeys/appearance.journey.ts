import type { Page } from "@playwright/test";
import { chooseView } from "../fixtures/chooseView.js";
import { expect, test } from "../fixtures/test.js";

const wide = { width: 1280, height: 800 };
const narrow = { width: 390, height: 844 };

/** Every view of the form. */
async function viewsOf(page: Page): Promise<string[]> {
  await page.getByTestId("view-picker").click();
  const buttons = page.getByTestId("view-list").getByRole("button");
  // The list may still be on its way.
  await expect(buttons.first()).toBeVisible();
  const ids = await buttons.evaluateAll((all) => all.map((button) => button.dataset.testid ?? ""));
  return ids.map((id) => id.replace("view-", ""));
}

const addressOf = (url: string, view: string) =>
  `${url}/explore?v=1&table=requests&from=-3h&to=now&view=${view}&agg=count&agg=p95:latency_us&group=service&group=device&compare=7d`;

/** Elements wider than the window: the page, or a box without its own scrolling. */
const overflow = (page: Page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const isClipped = (element: Element): boolean => {
      for (let box = element.parentElement; box !== null; box = box.parentElement) {
        if (getComputedStyle(box).overflowX !== "visible") return true;
      }
      return false;
    };
    const wide = Array.from(document.querySelectorAll("body *")).filter((element) => {
      const box = element.getBoundingClientRect();
      return box.width > 0 && box.height > 0 && box.right > width + 1 && !isClipped(element);
    });
    const page = document.documentElement.scrollWidth > width ? ["the page"] : [];
    return [...page, ...wide.map((element) => element.outerHTML.slice(0, 120))];
  });

const groundOf = (page: Page) =>
  page.evaluate(() => {
    const sum = (color: string) =>
      (color.match(/\d+/g) ?? []).slice(0, 3).reduce((total, part) => total + Number(part), 0);
    return sum(getComputedStyle(document.body).backgroundColor);
  });

async function open(page: Page, url: string, view: string): Promise<void> {
  await page.goto(addressOf(url, view));
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  await expect(page.getByTestId("result")).toBeVisible();
}

// Colors do not change widths, so the views alternate between the two themes.
for (const [index, colorScheme] of (["light", "dark"] as const).entries()) {
  test(`every second view fits 1280 and 390 pixels, ${colorScheme}`, async ({ page, hadal }) => {
    await page.emulateMedia({ colorScheme });
    await open(page, hadal.url, "timeseries");
    const views = await viewsOf(page);
    expect(views.length).toBeGreaterThan(20);
    for (const view of views.filter((_, place) => place % 2 === index)) {
      await test.step(view, async () => {
        await page.setViewportSize(wide);
        await open(page, hadal.url, view);
        await expect.poll(() => overflow(page), "at 1280 px").toEqual([]);
        await page.setViewportSize(narrow);
        await expect(page.getByTestId("open-form")).toBeVisible();
        await expect.poll(() => overflow(page), "at 390 px").toEqual([]);
        await page.getByTestId("open-form").click();
        await expect(page.getByTestId("dive")).toBeInViewport();
        await expect.poll(() => overflow(page), "with the form open").toEqual([]);
      });
    }
  });
}

test("the theme follows the system, can be switched, and stays", async ({ page, hadal }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open(page, hadal.url, "timeseries");
  expect(await groundOf(page)).toBeLessThan(200);
  await page.getByTestId("theme").click();
  await expect.poll(() => groundOf(page)).toBeGreaterThan(600);
  await page.reload();
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  expect(await groundOf(page)).toBeGreaterThan(600);
});

test("without browser storage the page works and keeps its settings until it is closed", async ({
  page,
  hadal,
}) => {
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"]) {
      const get = (): never => {
        throw new DOMException("Access is denied for this document.", "SecurityError");
      };
      Object.defineProperty(window, name, { get });
    }
  });
  await page.emulateMedia({ colorScheme: "light" });
  await open(page, hadal.url, "timeseries");
  const light = await groundOf(page);
  await page.getByTestId("theme").click();
  await expect.poll(() => groundOf(page)).toBeLessThan(light);
  const asked = page.url();
  await chooseView(page, "table");
  await expect(page).not.toHaveURL(asked);
  await page.keyboard.press("Control+z");
  await expect(page).toHaveURL(asked);
  expect(await groundOf(page)).toBeLessThan(light);
});

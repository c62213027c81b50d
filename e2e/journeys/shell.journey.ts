import { chooseView } from "../fixtures/chooseView.js";
import { expect, test } from "../fixtures/test.js";

/** The browser logs the expected error responses. */
function expectNotFound(pageErrors: string[]): void {
  expect(pageErrors).toEqual([expect.stringContaining("404")]);
  pageErrors.length = 0;
}

test("links open screens, Back returns, and the page is not reloaded", async ({ page, hadal }) => {
  await page.goto(hadal.url);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  // Changed colors of names are added to the address with the answer.
  await expect(page).toHaveURL(/&color=/);
  const address = page.url();
  await page.evaluate(() => Object.assign(window, { same: true }));
  const screens = page.getByRole("navigation", { name: "Screens" });

  await screens.getByRole("link", { name: "Status" }).click();
  await expect(page.getByTestId("members").getByTestId("member")).toHaveCount(3);
  await expect(page).toHaveURL(`${hadal.url}/status`);
  await expect(screens.getByRole("link", { name: "Status" })).toHaveAttribute(
    "aria-current",
    "page",
  );
  await page.goBack();
  await expect(page).toHaveURL(address);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  await page.goForward();
  await expect(page.getByTestId("members")).toBeVisible();
  await screens.getByRole("link", { name: "Explore" }).click();
  await expect(page).toHaveURL(address);
  expect(await page.evaluate(() => "same" in window), "the page was never loaded again").toBe(true);
});

test("an unknown address is reported; a table's name alone opens its first query", async ({
  page,
  hadal,
  pageErrors,
}) => {
  await page.goto(`${hadal.url}/dashbords`);
  await expect(page.getByTestId("unknown-address")).toContainText("/dashbords");
  await page.getByRole("link", { name: "Go to Explore" }).click();
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");

  await page.goto(`${hadal.url}/explore?table=requests`);
  await expect(page).toHaveURL(/live=1.*group=service/);
  await page.goto(`${hadal.url}/explore?table=request`);
  await expect(page.getByTestId("error-panel")).toContainText("requests");
  expectNotFound(pageErrors);
});

test("a short link opens its address, an unknown one is reported", async ({
  page,
  hadal,
  pageErrors,
}) => {
  const path = "/explore?v=1&table=requests&from=-1h&to=now&view=table&group=country";
  const { id } = await hadal.client.saveLink(path);
  await page.goto(`${hadal.url}/s/${id}`);
  await expect(page).toHaveURL(hadal.url + path);
  await expect(page.getByTestId("result-table")).toBeVisible();
  await page.goto(`${hadal.url}/s/bcdfghjkmn`);
  await expect(page.getByTestId("error-panel")).toContainText("bcdfghjkmn");
  expectNotFound(pageErrors);
});

test("the palette finds a view, a column and a screen by name and keyboard", async ({
  page,
  hadal,
}) => {
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-1h&to=now&view=timeseries`);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  const choose = async (text: string): Promise<void> => {
    await page.keyboard.press("Control+k");
    await expect(page.getByTestId("palette").getByRole("combobox")).toBeFocused();
    await page.keyboard.type(text);
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("palette")).toHaveCount(0);
  };
  await choose("bars");
  await expect(page).toHaveURL(/view=bar/);
  await choose("group country");
  await expect(page).toHaveURL(/group=country/);
  await choose("filter by status");
  await expect(page.getByTestId("filter-editor")).toContainText("status");
  await page.keyboard.press("Escape");
  await choose("status");
  await expect(page.getByTestId("status-screen")).toBeVisible();
  // The commands of Explore are gone.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("group country");
  await expect(page.getByTestId("palette")).toContainText("No command matches “group country”");
});

test("keys of the query: earlier, wider, UTC, rows, undo; the sheet lists them", async ({
  page,
  hadal,
}) => {
  await page.goto(`${hadal.url}/explore?v=1&table=requests&from=-1h&to=now&view=timeseries`);
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");
  await page.keyboard.press("z");
  await expect(page).toHaveURL(/from=-2h/);
  await page.keyboard.press("[");
  await expect(page).toHaveURL(/from=20\d\d-/);
  await page.keyboard.press("u");
  await expect(page).toHaveURL(/tz=UTC/);
  await page.keyboard.press("s");
  await expect(page.getByTestId("raw-row").first()).toBeVisible();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(page.locator('[data-cell="1:0"]')).toBeFocused();
  await page.keyboard.press("Control+z");
  await expect(page).toHaveURL(/view=timeseries/);
  await page.keyboard.press("t");
  await expect(page.getByTestId("time-range")).toHaveAttribute("aria-expanded", "true");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  const sheet = page.getByTestId("keys-sheet");
  for (const text of ["Earlier by the length of the range", "Time series", "Find a command"]) {
    await expect(sheet).toContainText(text);
  }
});

test("a view that cannot be drawn shows an error; another view, or reloading the page, works", async ({
  page,
  hadal,
  pageErrors,
}) => {
  const code = /\/PieView[^/]*\.js/;
  await page.route(code, (route) => route.abort());
  await page.goto(
    `${hadal.url}/explore?v=1&table=requests&from=-3h&to=now&view=pie&agg=count&group=service`,
  );
  const crash = page.getByTestId("crash-panel");
  await expect(crash).toContainText("This view could not be drawn");
  await expect(page.getByTestId("status-line")).toHaveAttribute("data-final", "true");

  await chooseView(page, "table");
  await expect(page.getByTestId("table-row").first()).toBeVisible();
  await expect(crash).toHaveCount(0);

  await page.goBack();
  await expect(crash).toBeVisible();
  await page.unroute(code);
  await page.getByTestId("crash-reload").click();
  await expect(page.getByTestId("chart")).toBeVisible();
  await expect(page).toHaveURL(/view=pie.*group=service/);
  // The failed request and its error are expected.
  pageErrors.length = 0;
});

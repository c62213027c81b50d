import { type Browser, expect, type Page, test } from "@playwright/test";
import { axeFile, faultsOf } from "../fixtures/axe.js";
import { type Hadal, startHadal } from "../fixtures/startHadal.js";

/** Refused requests are errors of the console, so these journeys do not watch it. */
let hadal: Hadal;
test.describe.configure({ mode: "serial" });
test.beforeAll(async () => {
  test.setTimeout(90_000);
  hadal = await startHadal({
    ...{ leaves: 1, demoRows: 5_000, waitsForDemo: false, flags: ["--auth", "users"] },
  });
});
test.afterAll(() => hadal.stop());

const admin = { name: "admin", password: "correct horse battery" };
const bo = { name: "bo", password: "staple of the battery" };
const explore = "/explore?v=1&table=requests&from=-3h&to=now&view=table&agg=count&group=service";

async function signIn(page: Page, { name, password }: typeof admin): Promise<void> {
  await page.getByTestId("sign-in-name").fill(name);
  await page.getByTestId("sign-in-password").fill(password);
  await page.keyboard.press("Enter");
}

/** A browser of its own: another person, or the same one at another machine. */
async function openPage(browser: Browser, colorScheme: "light" | "dark" = "light"): Promise<Page> {
  const context = await browser.newContext({ colorScheme, reducedMotion: "reduce" });
  await context.addInitScript({ path: axeFile });
  return context.newPage();
}

const isWithin = (page: Page, width: number) =>
  expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);

test("the first admin chooses a password by the setup link, and is signed in", async ({
  browser,
}) => {
  const page = await openPage(browser, "dark");
  await page.goto(hadal.setupUrl ?? "");
  await expect(page.getByTestId("new-password")).toBeFocused();
  expect(await faultsOf(page)).toEqual([]);
  await page.keyboard.type("short");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("sign-in-problem")).toBeVisible();
  await page.getByTestId("new-password").fill(admin.password);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("who")).toBeVisible();
  expect(page.url()).not.toContain("#");

  await test.step("the link works once", async () => {
    const other = await openPage(browser);
    await other.goto(hadal.setupUrl ?? "");
    await other.getByTestId("new-password").fill(bo.password);
    await other.keyboard.press("Enter");
    await expect(other.getByTestId("sign-in-problem")).toContainText("not valid");
  });
});

test("signing in goes on at the address that was asked for; wrong passwords are slowed down", async ({
  browser,
}) => {
  const page = await openPage(browser);
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto(hadal.url + explore);
  await expect(page.getByTestId("sign-in-name")).toBeFocused();
  expect(await faultsOf(page)).toEqual([]);
  await isWithin(page, 390);

  await signIn(page, { name: "eve", password: "guess" });
  await expect(page.getByTestId("sign-in-problem")).toHaveText(
    "The name or the password is wrong.",
  );
  await expect(async () => {
    await page.getByTestId("sign-in").click({ timeout: 3_000 });
    await expect(page.getByTestId("sign-in-problem")).toContainText(/Try again in \d+ s/, {
      timeout: 1_500,
    });
  }).toPass();
  await expect(page.getByTestId("sign-in")).toBeDisabled();

  await page.reload();
  await signIn(page, admin);
  await expect(page.getByTestId("result-table")).toBeVisible();
  await expect(page).toHaveURL(/view=table&agg=count&group=service/);

  await test.step("signing out ends it, at the same address", async () => {
    await page.getByTestId("who").click();
    await expect(page.getByTestId("who-menu")).toContainText("admin");
    expect(await faultsOf(page)).toEqual([]);
    await page.getByTestId("sign-out").click();
    await expect(page.getByTestId("sign-in-page")).toBeVisible();
    await expect(page).toHaveURL(/view=table&agg=count&group=service/);
  });
});

test("a session that ends while someone works is asked for again, and the work goes on", async ({
  browser,
}) => {
  const page = await openPage(browser);
  await page.goto(hadal.url + explore);
  await signIn(page, admin);
  await expect(page.getByTestId("result-table")).toBeVisible();
  await page.keyboard.press("Control+s");
  await page.getByTestId("save-title").fill("Kept over a sign-in");
  const status = await page.evaluate(async () => {
    const reply = await fetch("/api/v1/session?everywhere=true", { method: "DELETE" });
    return reply.status;
  });
  expect(status).toBe(204);

  await page.keyboard.press("Enter");
  const dialog = page.getByTestId("sign-in-dialog");
  await expect(dialog).toBeVisible();
  await expect(page.getByTestId("result-table")).toBeVisible();
  await expect(page.getByTestId("sign-in-name")).toHaveValue("admin");
  expect(await faultsOf(page)).toEqual([]);
  await page.getByTestId("sign-in-password").fill(admin.password);
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByTestId("saved-title")).toHaveText("Kept over a sign-in");
});

test("a live query whose session ends keeps its answer, and goes on after the sign-in", async ({
  browser,
}) => {
  const page = await openPage(browser, "dark");
  await page.goto(`${hadal.url}${explore}&live=1`);
  await signIn(page, admin);
  const line = page.getByTestId("status-line");
  await expect(page.getByTestId("result-table")).toBeVisible();
  await page.evaluate(() => fetch("/api/v1/session?everywhere=true", { method: "DELETE" }));
  await expect(page.getByTestId("sign-in-dialog")).toBeVisible();
  await expect(page.getByTestId("result-table")).toBeVisible();
  await expect(page.getByTestId("error-panel")).toHaveCount(0);
  const before = await line.textContent();
  await page.getByTestId("sign-in-password").fill(admin.password);
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("sign-in-dialog")).toHaveCount(0);
  await expect(line).not.toHaveText(before ?? "");
});

test("an admin adds a user, grants rows of a table, and the user sees exactly those", async ({
  browser,
}) => {
  const page = await openPage(browser);
  await page.goto(`${hadal.url}/people`);
  await signIn(page, admin);

  await page.getByTestId("user-name").fill(bo.name);
  await page.getByTestId("user-groups").fill("ops, dev");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("secret")).toBeFocused();
  const link = await page.getByTestId("secret").inputValue();
  expect(await faultsOf(page)).toEqual([]);
  await expect(page.getByTestId("user").filter({ hasText: "bo" })).toContainText("invited");

  await test.step("a grant with a row filter and a hidden column", async () => {
    await page.getByRole("link", { name: "Grants" }).click();
    await page.getByTestId("add-grant").click();
    await page.getByTestId("grant-name").fill("ops");
    await page.getByTestId("grant-table").fill("requests");
    await page.getByTestId("filter-line").fill("service:cart");
    await page.getByTestId("filter-line").press("Enter");
    await page.getByTestId("hide-column").selectOption("country");
    expect(await faultsOf(page)).toEqual([]);
    await page.getByTestId("save-grant").click();
    await expect(page.getByTestId("grant")).toContainText("service = cart");
    await page.getByTestId("seen-who").selectOption({ label: "bo (viewer)" });
    await expect(page.getByTestId("seen-tables")).toContainText("service = cart");
    await expect(page.getByTestId("seen-tables")).toContainText("country");
  });

  await test.step("the user sees those rows, not the column, and no button to save", async () => {
    const other = await openPage(browser, "dark");
    await other.goto(link);
    await other.getByTestId("new-password").fill(bo.password);
    await other.keyboard.press("Enter");
    await expect(other.getByTestId("who")).toBeVisible();
    await other.goto(hadal.url + explore);
    await expect(other.getByTestId("result-table")).toContainText("cart");
    await expect(other.getByTestId("result-table")).not.toContainText("catalog");
    await expect(other.getByTestId("save-query")).toBeDisabled();
    await expect(other.getByTestId("save-query")).toHaveAttribute("title", /viewer/);
    await other.goto(`${hadal.url}/tables/requests`);
    await expect(other.getByTestId("columns")).toContainText("service");
    await expect(other.getByTestId("columns")).not.toContainText("country");
    await expect(other.getByTestId("delete-table")).toHaveCount(0);
    await other.goto(`${hadal.url}/people`);
    await expect(other.getByTestId("not-allowed")).toBeVisible();
  });

  await test.step("removing the user takes a second press", async () => {
    await page.getByRole("link", { name: "Users" }).click();
    await page.getByRole("button", { name: "Remove bo" }).press("Enter");
    await page.getByTestId("confirm").press("Escape");
    await page.getByRole("button", { name: "Remove bo" }).press("Enter");
    await page.getByTestId("confirm").press("Enter");
    await expect(page.getByTestId("people-outcome")).toContainText("bo is removed.");
    await expect(page.getByTestId("user")).toHaveCount(1);
  });
});

test("a token is created, used, revoked; the audit log has it all and can be downloaded", async ({
  browser,
}) => {
  const page = await openPage(browser);
  await page.setViewportSize({ width: 390, height: 780 });
  await page.goto(`${hadal.url}/people/tokens`);
  await signIn(page, admin);
  await page.getByTestId("token-name").fill("agent");
  await page.getByTestId("scope-table").selectOption("requests");
  await page.getByTestId("add-scope").click();
  await expect(page.getByTestId("scopes")).toHaveText("query:requests");
  await page.getByTestId("create-token").click();
  const token = await page.getByTestId("secret").inputValue();
  expect(token).toMatch(/^hdl_/);
  await isWithin(page, 390);
  const ask = () =>
    fetch(`${hadal.url}/api/v1/tables`, { headers: { authorization: `Bearer ${token}` } });
  expect((await ask()).status).toBe(200);

  await page.reload();
  await expect(page.getByTestId("token")).toContainText("agent");
  await expect(page.getByTestId("secret")).toHaveCount(0);
  await page.getByRole("button", { name: "Revoke agent" }).click();
  await page.getByTestId("confirm").click();
  await expect(page.getByTestId("people-outcome")).toContainText("revoked");
  await expect.poll(async () => (await ask()).status).toBe(401);

  await page.goto(`${hadal.url}/audit`);
  const entries = page.getByTestId("audit-entry");
  await expect(entries.filter({ hasText: "revoked a token" })).toHaveCount(1);
  await page.getByTestId("audit-action").selectOption("user.delete");
  await expect(entries).toHaveCount(1);
  await expect(entries).toContainText("bo");
  await page.getByTestId("audit-action").selectOption("sign-in.failed");
  await expect(entries.first()).toContainText("eve");
  await isWithin(page, 390);
  const download = page.waitForEvent("download");
  await page.getByTestId("download-audit").click();
  expect((await download).suggestedFilename()).toBe("audit.ndjson");
});

import { createClient, type Query } from "@hadal/sdk";
import type { Page } from "@playwright/test";
import { type ExampleHost, startExampleHost } from "../fixtures/startExampleHost.js";
import { expect, test as shared } from "../fixtures/test.js";

const test = shared.extend<object, { example: ExampleHost }>({
  example: [
    async ({ hadal }, use) => {
      // A short life: new tokens are needed during the journey.
      const example = await startExampleHost({ hadalUrl: hadal.url, tokenSeconds: 10 });
      await use(example);
      await example.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
});

const chart = (page: Page, id: string) => page.getByTestId(id);
const statusOf = (page: Page, id: string) => chart(page, id).getByTestId("embed-status");
const frameOf = (page: Page) => page.frameLocator("[data-testid=by-frame]");

async function shown(page: Page): Promise<void> {
  await expect(statusOf(page, "by-html")).toContainText("100 % of rows");
  await expect(chart(page, "by-html").locator("canvas").first()).toBeVisible();
  await expect(statusOf(page, "by-script")).toContainText("100 % of rows");
  await expect(chart(page, "by-script").getByTestId("table-row").first()).toBeVisible();
  await expect(frameOf(page).getByTestId("big-number")).toContainText("1 day earlier");
}

test("the example host shows charts by HTML, by script and in a frame, to each customer its own rows", async ({
  page,
  hadal,
  example,
}) => {
  // Of hours that get no more rows.
  const total = {
    ...{ table: "requests", aggregates: [{ fn: "count" }] },
    ...{
      from: new Date(Date.now() - 5 * 3_600_000).toISOString(),
      to: new Date(Date.now() - 3_600_000).toISOString(),
    },
  } satisfies Query;
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  await page.goto(example.origin);
  await shown(page);
  // One for the elements, one for the frame, which is a page of its own.
  expect(sockets).toHaveLength(2);
  const service = chart(page, "by-html").getByTestId("legend-row");
  await expect(service.first()).toBeVisible();

  await test.step("a click is reported to the page, and opens the menu", async () => {
    await chart(page, "by-script")
      .getByTestId("table-row")
      .first()
      .getByRole("gridcell")
      .first()
      .click();
    await expect(page.getByTestId("value-menu")).toBeVisible();
    await expect(page.getByTestId("clicked")).toContainText("/");
    await page.keyboard.press("Escape");
  });

  await test.step("another customer has a token for other rows", async () => {
    const rowsOf = async (id: string) => {
      const token = await (await fetch(`${example.origin}/customers/${id}/token`)).text();
      const asked = createClient({ url: hadal.url, token });
      const { rows } = await asked.query(total);
      asked.close();
      return rows[0]?.[0];
    };
    const wanted = await hadal.client.query({
      ...total,
      filter: [{ column: "country", op: "=", value: "US" }],
    });
    expect(await rowsOf("globex")).toBe(wanted.rows[0]?.[0]);
    expect(await rowsOf("acme")).not.toBe(wanted.rows[0]?.[0]);
    await page.getByRole("link", { name: "Globex" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Globex");
    await shown(page);
    await expect(chart(page, "by-html").getByTestId("values").locator("caption")).toHaveText(
      "Requests of Globex",
    );
  });
});

test("live charts of the example host outlive their first token, and follow the page's theme", async ({
  page,
  example,
}) => {
  await page.goto(example.origin);
  await shown(page);
  await page.getByLabel("Live").check();
  const renewed: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/token")) renewed.push(request.url());
  });

  await test.step("the theme of the page is that of its charts, the frame's too", async () => {
    await page.getByLabel("Theme").selectOption("dark");
    for (const id of ["by-html", "by-script"]) {
      const root = chart(page, id).locator(".hadal-root");
      await expect(root).toHaveCSS("background-color", "rgb(27, 23, 18)");
    }
    await expect(frameOf(page).locator(".hadal-root")).toHaveAttribute("data-theme", "dark");
    await expect(frameOf(page).getByTestId("big-number")).toBeVisible();
  });

  await expect.poll(() => renewed.length, { timeout: 30_000 }).toBeGreaterThan(2);
  for (const id of ["by-html", "by-script"]) {
    const before = (await statusOf(page, id).textContent()) ?? "";
    await expect(statusOf(page, id)).not.toHaveText(before);
    await expect(chart(page, id).getByTestId("embed-refused")).toHaveCount(0);
  }
});

test("a page of the example host under another name shows no chart", async ({
  page,
  pageErrors,
  example,
}) => {
  await page.goto(example.elsewhere);
  const notice = page.locator("[data-testid=embed-refused], [data-testid=embed-problem]");
  await expect(notice).toHaveCount(2);
  await expect(page.getByTestId("table-row")).toHaveCount(0);
  await expect(frameOf(page).getByTestId("big-number")).toHaveCount(0);
  expect(pageErrors.splice(0)).not.toEqual([]);
});

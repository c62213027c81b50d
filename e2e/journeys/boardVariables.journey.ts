import { readFile } from "node:fs/promises";
import { settled, tileOf } from "../fixtures/boards.js";
import { type Hadal, startHadal } from "../fixtures/startHadal.js";
import { test as base, expect } from "../fixtures/test.js";

const table = "visits";
/** Text that would change a query if it were put into its SQL. */
const odd = "it's' OR 1=1 -- <b>";
const counts: Readonly<Record<string, number>> = { cart: 30, web: 20, [odd]: 5 };
const peopleCount = 100_000;

const test = base.extend<object, { own: Hadal }>({
  own: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures from the pattern.
    async ({}, use) => {
      const own = await startHadal({ leaves: 1, demoRows: 0 });
      const nowMs = Date.now();
      const ingest = (name: string, rows: readonly object[]) =>
        own.client.ingestBody(name, rows.map((row) => JSON.stringify(row)).join("\n"), {
          contentType: "application/x-ndjson",
        });
      const visits = Object.entries(counts).flatMap(([service, count]) =>
        Array.from({ length: count }, (_, i) => ({ time: nowMs - i * 1_000, service })),
      );
      await ingest(table, visits);
      await ingest(
        "people",
        Array.from({ length: peopleCount }, (_, i) => ({
          time: nowMs - (i % 3_600) * 1_000,
          person: `p${i}`,
        })),
      );
      await use(own);
      await own.stop();
    },
    { scope: "worker", timeout: 90_000 },
  ],
});

const query = { table, from: "-3h", to: "now", aggregates: [{ fn: "count" }] };
const where = (value: unknown) => ({
  ...query,
  filter: [{ column: "service", op: "=", value }],
});

async function boardOf({ client }: Hadal, title: string, tiles: readonly object[]) {
  const variables = [
    { name: "service", table, column: "service" },
    { name: "person", table: "people", column: "person" },
  ];
  const placed = tiles.map((tile, i) => ({
    x: (i % 3) * 4,
    y: Math.floor(i / 3) * 5,
    w: 4,
    h: 5,
    ...tile,
  }));
  const body = { from: "-3h", to: "now", variables, sections: [{ tiles: placed }] };
  return `/dashboards/${(await client.documents.create({ kind: "dashboard", title, body })).id}`;
}

test("a tile's filters name a variable: its values are compared, never read as text of a query", async ({
  page,
  own,
}) => {
  const path = await boardOf(own, "Named", [
    { id: "is", title: "Only $service", query: where("$service"), view: "bignumber" },
    { id: "text", query: where("$$service"), view: "bignumber" },
    { id: "typo", query: where("$servcie"), view: "bignumber" },
    {
      id: "misplaced",
      view: "bignumber",
      query: {
        ...query,
        derive: [
          {
            as: "it",
            expression: { fn: "=", args: [{ column: "service" }, { value: "$service" }] },
          },
        ],
        filter: [{ column: "it", op: "=", value: "true" }],
      },
    },
  ]);
  const total = (count: number) =>
    expect(tileOf(page, "is").getByTestId("result")).toContainText(
      new RegExp(`(?<!\\d)${count}(?!\\d)`),
    );
  await page.goto(own.url + path);
  await settled(page);

  await test.step("all values: the condition is left out", async () => {
    await total(55);
    await expect(tileOf(page, "is").getByRole("heading", { level: 3 })).toHaveText("Only all");
  });

  const choose = (name: string) =>
    page.getByTestId("variable-values").getByRole("option", { name, exact: false }).click();
  await page.locator("[data-testid=variable][data-variable=service]").click();

  await test.step("one value, several values, one with quotes in it", async () => {
    await choose("cart");
    await total(30);
    await choose("web");
    await total(50);
    await choose("cart");
    await choose("web");
    await choose("OR 1=1");
    await total(5);
    await page.keyboard.press("Escape");
    await expect(tileOf(page, "is").getByRole("heading", { level: 3 })).toHaveText(`Only ${odd}`);
    await expect(tileOf(page, "is").locator("b")).toHaveCount(0);
    await page.reload();
    await total(5);
  });

  await test.step("a name that is none, and a place where there are no values, are said", async () => {
    await expect(tileOf(page, "text").getByTestId("tile-problem")).toHaveCount(0);
    await expect(tileOf(page, "typo").getByTestId("tile-problem")).toContainText(
      "There is no variable servcie",
    );
    await expect(tileOf(page, "misplaced").getByTestId("tile-problem")).toContainText(
      "$service has no place here",
    );
  });
});

test("a variable of 100,000 values: the picker says so, and searches them on the server", async ({
  page,
  own,
}) => {
  const path = await boardOf(own, "Many", [
    {
      id: "is",
      query: {
        ...query,
        table: "people",
        filter: [{ column: "person", op: "=", value: "$person" }],
      },
      view: "bignumber",
    },
  ]);
  await page.goto(own.url + path);
  await settled(page);
  await page.locator("[data-testid=variable][data-variable=person]").click();
  const list = page.getByTestId("variable-values");
  await expect(list).toContainText("the 100 most frequent are shown");
  // All, and the most frequent.
  await expect(list.getByRole("option")).toHaveCount(101);
  await list.getByRole("combobox").fill("p98765");
  await expect(list.getByRole("option")).toHaveText([/^all/, /^p98765/]);
  await list.getByRole("option", { name: "p98765" }).click();
  await page.keyboard.press("Escape");
  await settled(page);
  await expect(tileOf(page, "is").getByTestId("result")).toContainText("1");
  await expect(page).toHaveURL(/person.*p98765/);
});

test("a picture of the board has the bar as it is now", async ({ page, own }) => {
  const address = await boardOf(own, "Shares & <more>", [
    { id: "t", query: where("$service"), view: "table", title: "Only $service" },
  ]);
  await page.goto(`${own.url}${address}?from=-3h&to=now&var=service:in:cart`);
  await settled(page);
  for (const format of ["svg", "png"]) {
    const download = page.waitForEvent("download");
    await page.getByTestId("board-download").click();
    await page.getByRole("option", { name: format.toUpperCase() }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${format}$`));
    const bytes = await readFile(await file.path());
    if (format === "png") expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    else {
      const svg = bytes.toString();
      expect(svg).toContain("Shares &amp; &lt;more&gt;");
      expect(svg).toContain("service: cart");
      expect(svg).toContain(">Only cart</text>");
      expect(svg).toContain(`>${counts.cart}</text>`);
      expect(svg).toContain("100 % of rows");
    }
    await expect(page.getByTestId("board-download")).toBeEnabled();
  }
});

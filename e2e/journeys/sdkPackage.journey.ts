import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.js";

/** The packed SDK in other pages: as plain modules, and built by Vite. */

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));
const script = (sdk: string, builder: string): string => `
import { createClient } from "${sdk}";
import { count, from } from "${builder}";
const client = createClient();
const query = from("requests").last("24h").select(count());
const [row] = query.rows(await client.query(query.toQuery()));
let partials = 0;
for await (const result of client.live(query.toQuery(), { everyMs: 250 })) {
  partials += 1;
  if (partials === 3) break;
}
client.close();
document.body.textContent = "counted " + (row.count > 0) + ", " + partials + " live answers";
`;

/** A page whose React component shows a chart, and then another view of it. */
const reactScript = `
import { HadalChart } from "@hadal/sdk/react";
import { createElement, StrictMode, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
const token = new URL(import.meta.url).hash.slice(1);
function Page() {
  const chart = useRef(null);
  const [view, setView] = useState("bar");
  const [said, setSaid] = useState([]);
  const say = (words) => setSaid((before) => [...before, words]);
  return createElement("main", null,
    createElement("button", { onClick: () => setView("table") }, "as a table"),
    createElement("button", { onClick: async () => say((await chart.current.image("svg")).type) }, "picture"),
    createElement("output", null, said.join(", ")),
    createElement(HadalChart, {
      ref: chart, src: location.origin, token, view, style: { height: 300 },
      query: { table: "requests", from: "-24h", to: "now", groupBy: ["service"], aggregates: [{ fn: "count" }] },
      onReady: (detail) => say("ready as " + detail.view),
      onSelect: ({ filters }) => say("selected " + filters[0].column),
      onError: ({ code }) => say(code),
    }),
  );
}
document.body.replaceChildren();
createRoot(document.body.appendChild(document.createElement("div"))).render(
  createElement(StrictMode, null, createElement(Page)),
);
`;

let folder: string;

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "hadal-pages-"));
  const pack = ["pack", "--json", "--pack-destination", folder, "-w", "@hadal/sdk"];
  const [packed] = JSON.parse((await run("npm", pack, { cwd: root })).stdout);
  await run("tar", ["-xzf", packed.filename], { cwd: folder });
  await mkdir(join(folder, "node_modules/@hadal"), { recursive: true });
  await rename(join(folder, "package"), join(folder, "node_modules/@hadal/sdk"));
  const modules = "/others/node_modules/@hadal/sdk/dist";
  await writeFile(join(folder, "plain.js"), script(`${modules}/index.js`, `${modules}/builder.js`));
  await writeFile(join(folder, "index.html"), '<script type="module" src="./main.js"></script>');
  await writeFile(join(folder, "main.js"), script("@hadal/sdk", "@hadal/sdk/builder"));
  const vite = join(root, "node_modules/vite/bin/vite.js");
  await run(process.execPath, [vite, "build", "--base", "/others/dist/"], { cwd: folder });
  for (const name of ["react", "react-dom", "scheduler"]) {
    await symlink(join(root, "node_modules", name), join(folder, "node_modules", name));
  }
  await writeFile(join(folder, "main.js"), reactScript);
  const react = ["--base", "/others/react/", "--outDir", "react"];
  await run(process.execPath, [vite, "build", ...react], { cwd: folder });
});

test.afterAll(() => rm(folder, { recursive: true, force: true }));

/** Adds a module script to a page of the server, so that its origin and policy apply. */
async function runModule(shown: Page, origin: string, path: string): Promise<void> {
  await shown.route(`${origin}/others/**`, async (route) => {
    const asked = new URL(route.request().url()).pathname.replace("/others/", "");
    await route.fulfill({
      contentType: "text/javascript",
      body: await readFile(join(folder, asked)),
    });
  });
  await shown.goto(`${origin}/api/v1/docs`);
  await shown.addScriptTag({ type: "module", url: path });
}

test("the packed SDK works as plain modules", async ({ page, hadal }) => {
  await runModule(page, hadal.url, "/others/plain.js");
  await expect(page.locator("body")).toHaveText("counted true, 3 live answers");
});

/** The address of the script of a built page. */
async function scriptOf(built: string): Promise<string> {
  const html = await readFile(join(folder, built, "index.html"), "utf8");
  const source = /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1] ?? "";
  expect(source).toMatch(`/others/${built}/assets/`);
  return source;
}

test("the packed SDK works in a Vite build", async ({ page, hadal }) => {
  await runModule(page, hadal.url, await scriptOf("dist"));
  await expect(page.locator("body")).toHaveText("counted true, 3 live answers");
});

test("its React component shows a chart, follows its props and reports", async ({
  page,
  hadal,
}) => {
  const { token } = await hadal.client.embeds.create({
    ...{ title: "By service", table: "requests", views: ["bar", "table"] },
    ...{ groupBy: ["service"], rangeMsMax: 86_400_000 },
  });
  await runModule(page, hadal.url, `${await scriptOf("react")}#${token}`);
  const chart = page.locator("hadal-chart");
  await expect(page.getByRole("status")).toHaveText("ready as bar");
  await expect(chart.getByTestId("result")).toHaveAttribute("data-view", "bar");
  await page.getByRole("button", { name: "as a table" }).click();
  await expect(chart.getByTestId("result")).toHaveAttribute("data-view", "table");
  await chart.getByTestId("result").getByText("web", { exact: true }).click();
  await expect(page.getByRole("status")).toHaveText("ready as bar, selected service");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "picture" }).click();
  await expect(page.getByRole("status")).toHaveText(/, image\/svg\+xml$/);
});

test("the API documentation page complies with its content security policy", async ({
  page,
  hadal,
}) => {
  await page.goto(`${hadal.url}/api/v1/docs`);
  await expect(page.getByRole("heading", { name: /POST .*\/rows/ })).toBeVisible();
  const font = await page
    .locator("h3")
    .first()
    .evaluate((node) => getComputedStyle(node).fontFamily);
  expect(font).toContain("monospace");
  await page.getByRole("link", { name: "POST /api/v1/query" }).click();
  await expect(page).toHaveURL(/#query$/);
  await expect(page.locator("#query")).toBeInViewport();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 });
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
});

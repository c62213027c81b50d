import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/test.js";

/** The SDK as npm packs it, in the pages of others: as plain modules, and built by Vite. */

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
});

test.afterAll(() => rm(folder, { recursive: true, force: true }));

/** Puts `<script type="module">` into a page of the server itself, which Chromium lets talk to this machine, under its policy. */
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

test("the packed SDK works in a Vite build", async ({ page, hadal }) => {
  const built = await readFile(join(folder, "dist/index.html"), "utf8");
  const source = /<script type="module"[^>]* src="([^"]+)"/.exec(built)?.[1];
  expect(source).toMatch(/^\/others\/dist\/assets\//);
  await runModule(page, hadal.url, source!);
  await expect(page.locator("body")).toHaveText("counted true, 3 live answers");
});

test("the page that describes the interface breaks no policy of its own", async ({
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

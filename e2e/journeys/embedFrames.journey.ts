import type { Page } from "@playwright/test";
import {
  byService,
  openFrame,
  ordersOf,
  type Signer,
  secondsFromNow,
  test,
} from "../fixtures/embeds.js";
import type { Hadal } from "../fixtures/startHadal.js";
import { expect } from "../fixtures/test.js";

const frameOf = (page: Page) => page.frameLocator("iframe").first();
const rowsOf = (page: Page) => frameOf(page).getByTestId("table-row");

const addressOf = ({ url }: Hadal, { kid }: Signer, token: string): string => {
  const fragment = new URLSearchParams({ token, view: "table", query: JSON.stringify(byService) });
  return `${url}/embed/${kid}#${fragment}`;
};

test("a frame shows what its address asks, and keeps no token in it", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  await openFrame(page, { host, src: addressOf(hadal, signer, signer.token()) });
  await expect(rowsOf(page)).toHaveCount(3);
  await expect(rowsOf(page).first()).toContainText(String(ordersOf.DE));
  await expect(frameOf(page).getByTestId("embed-status")).toContainText("100 % of rows");
  expect(page.frames().map((frame) => frame.url())).toContain(`${hadal.url}/embed/${signer.kid}`);
});

test("a frame asks its page for the next token, and takes none from another window", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  const src = addressOf(hadal, signer, signer.token({}, { exp: secondsFromNow(5) }));
  await page.exposeFunction("newToken", () => signer.token());
  await openFrame(page, { host, src: `${src}&live=1` });
  await page.evaluate((origin) => {
    const asked: unknown[] = [];
    const given = window as unknown as { asked: unknown[]; newToken(): Promise<string> };
    given.asked = asked;
    window.addEventListener("message", async ({ source, origin: from, data }) => {
      if (from !== origin || data.hadal !== "tokenexpiring") return;
      asked.push(data);
      const token = await given.newToken();
      (source as Window).postMessage({ hadal: "token", token }, origin);
    });
  }, hadal.url);
  await expect(rowsOf(page)).toHaveCount(3);
  await page.evaluate(async () => {
    const other = document.createElement("iframe");
    other.srcdoc = `<script>
      parent.frames[0].postMessage({ hadal: "token", token: "of.another.window" }, "*");
    </script>`;
    const loaded = new Promise((resolve) => other.addEventListener("load", resolve));
    document.body.append(other);
    await loaded;
  });
  const asked = () => page.evaluate(() => (window as unknown as { asked: unknown[] }).asked);
  await expect.poll(asked).toEqual([{ hadal: "tokenexpiring" }]);
  const status = frameOf(page).getByTestId("embed-status");
  const before = await status.textContent();
  await expect(status).not.toHaveText(before ?? "");
  await expect(frameOf(page).getByTestId("embed-refused")).toHaveCount(0);
  await expect(rowsOf(page)).toHaveCount(3);
});

test("a browser shows no frame within a page that is not allowed", async ({
  page,
  pageErrors,
  hadal,
  host,
  signer,
}) => {
  const src = addressOf(hadal, signer, signer.token());
  await openFrame(page, { host, src, origin: host.elsewhere });
  await expect.poll(() => pageErrors.join()).toContain("frame-ancestors");
  await expect(rowsOf(page)).toHaveCount(0);
  expect(pageErrors.splice(0)).toEqual([expect.stringContaining(host.origin)]);
});

test("an embed that was revoked, or never was, says so in its frame", async ({
  page,
  pageErrors,
  hadal,
  host,
}) => {
  const { client, url } = hadal;
  const { id, token } = await client.embeds.create({
    ...{ title: "Orders", table: byService.table, views: ["table"], groupBy: ["service"] },
    ...{ rangeMsMax: 3_600_000, frameAncestors: [host.origin], query: byService, view: "table" },
  });
  await openFrame(page, { host, src: `${url}/embed/${id}#token=${token}` });
  await expect(rowsOf(page)).toHaveCount(3);
  await client.embeds.revoke(id);
  await openFrame(page, { host, src: `${url}/embed/${id}#token=${token}` });
  await expect(frameOf(page).getByRole("heading")).toHaveText("This chart was withdrawn");
  await openFrame(page, { host, src: `${url}/embed/nothing#token=${token}` });
  await expect(frameOf(page).getByRole("heading")).toHaveText("There is no such chart");
  expect(pageErrors.splice(0).filter((error) => !/404|410/.test(error))).toEqual([]);
});

test("a frame shows no chart of another embed, whose pages may be others", async ({
  page,
  hadal,
  host,
  signer,
}) => {
  const { client, url } = hadal;
  const draft = { title: "Orders", table: byService.table, views: ["table"], groupBy: ["service"] };
  const bounds = { rangeMsMax: 3_600_000, query: byService, view: "table" };
  const [own, other] = [
    await client.embeds.create({ ...draft, ...bounds, frameAncestors: [host.origin] }),
    await client.embeds.create({ ...draft, ...bounds, frameAncestors: [] }),
  ];
  for (const token of [other.token, signer.token()]) {
    await openFrame(page, { host, src: `${url}/embed/${own.id}#token=${token}` });
    await expect(frameOf(page).getByTestId("embed-refused")).toContainText(
      "The embed token is of another chart than the one at this address.",
    );
    await expect(rowsOf(page)).toHaveCount(0);
  }
  await openFrame(page, { host, src: `${url}/embed/${own.id}#token=${own.token}` });
  await expect(rowsOf(page)).toHaveCount(3);
});

test("a sandbox without an origin is named as what keeps a chart from its answers", async ({
  page,
  pageErrors,
  hadal,
  host,
  signer,
}) => {
  const token = signer.token();
  const refused = frameOf(page).getByTestId("embed-refused");
  await openFrame(page, { host, src: addressOf(hadal, signer, token), sandbox: "allow-scripts" });
  await expect(refused).toContainText("without allow-same-origin");
  const given = { src: hadal.url, token, view: "table", query: JSON.stringify(byService) };
  const attributes = Object.entries(given)
    .map(([name, value]) => `${name}="${value.replaceAll('"', "&quot;")}"`)
    .join(" ");
  const path = host.add(`<!doctype html><title>Chart</title>
<script type="module" src="${hadal.url}/embed/hadal-chart.js"></script>
<hadal-chart ${attributes}></hadal-chart>`);
  await openFrame(page, { host, src: host.origin + path, sandbox: "allow-scripts" });
  await expect(refused).toContainText("without allow-same-origin");
  await openFrame(page, {
    ...{ host, src: addressOf(hadal, signer, token) },
    sandbox: "allow-scripts allow-same-origin",
  });
  await expect(rowsOf(page)).toHaveCount(3);
  // Browsers report each answer that a page may not read.
  expect(pageErrors.splice(0).filter((error) => !/CORS|ERR_FAILED/.test(error))).toEqual([]);
});

test("a chart needs neither cookies nor storage", async ({
  page,
  context,
  hadal,
  host,
  signer,
}) => {
  await context.addInitScript(() => {
    // As in a browser that blocks both for other sites: touching them throws.
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches", "cookieStore"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException(`${name} is blocked`, "SecurityError");
        },
      });
    }
    Object.defineProperty(Document.prototype, "cookie", {
      get() {
        throw new DOMException("cookies are blocked", "SecurityError");
      },
      set() {
        throw new DOMException("cookies are blocked", "SecurityError");
      },
    });
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.setCookieControls", {
    ...{ enableThirdPartyCookieRestriction: true },
    ...{ disableThirdPartyCookieMetadata: true, disableThirdPartyCookieHeuristics: true },
  });
  const sent: string[] = [];
  page.on("request", async (request) => {
    const { cookie } = await request.allHeaders();
    if (cookie !== undefined) sent.push(request.url());
  });
  await openFrame(page, { host, src: addressOf(hadal, signer, signer.token()) });
  await expect(rowsOf(page)).toHaveCount(3);
  expect(sent).toEqual([]);
  expect(await context.cookies()).toEqual([]);
});

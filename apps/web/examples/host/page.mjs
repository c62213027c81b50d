const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeHtml = (text) => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign]);

/** Of the first chart, as JSON in an attribute. */
const overTime = {
  table: "requests",
  from: "-6h",
  to: "now",
  groupBy: ["service"],
  aggregates: [{ fn: "count" }],
};
/** Of the iframe, in the fragment of its address. */
const total = {
  table: "requests",
  from: "-24h",
  to: "now",
  compare: { offset: "1d" },
  aggregates: [{ fn: "count" }],
};

/** The page of a customer, with a token that was signed for it. `kid`: of the host's key. */
export function customerPage({ customer, customers, token, hadalUrl, kid }) {
  const src = escapeHtml(hadalUrl);
  const name = escapeHtml(customer.name);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${name}: customer portal</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/host.css">
    <script type="module" src="${src}/embed/hadal-chart.js"></script>
    <script type="module" src="/host.js"></script>
  </head>
  <body data-customer="${escapeHtml(customer.id)}" data-hadal="${src}">
    ${pageHeader(customer, customers)}
    <main>
      ${chartByHtml(src, token)}
      ${chartByScript}
      ${chartByFrame({ token, hadalUrl, kid })}
    </main>
  </body>
</html>
`;
}

/** The customers, and the settings that `host.js` passes on to the charts. */
function pageHeader(customer, customers) {
  const links = customers
    .map((one) => {
      const current = one.id === customer.id ? ' aria-current="page"' : "";
      return `<a href="/customers/${escapeHtml(one.id)}"${current}>${escapeHtml(one.name)}</a>`;
    })
    .join("\n        ");
  return `<header>
      <h1>${escapeHtml(customer.name)}</h1>
      <nav aria-label="Customers">
        ${links}
      </nav>
      <form>
        <label><input type="checkbox" name="live"> Live</label>
        <label>
          Theme
          <select name="theme">
            <option value="auto">as the system</option>
            <option value="light">light</option>
            <option value="dark">dark</option>
          </select>
        </label>
      </form>
    </header>`;
}

/** The element with all its attributes; `src` is escaped. */
const chartByHtml = (src, token) => `<section aria-labelledby="over-time">
        <h2 id="over-time">Requests by service</h2>
        <hadal-chart
          data-testid="by-html"
          src="${src}"
          token="${escapeHtml(token)}"
          view="timeseries"
          query="${escapeHtml(JSON.stringify(overTime))}"
        ></hadal-chart>
      </section>`;

/** The element alone: `host.js` sets its query and token. */
const chartByScript = `<section aria-labelledby="endpoints">
        <h2 id="endpoints">Slowest endpoints</h2>
        <hadal-chart data-testid="by-script"></hadal-chart>
        <p>You clicked: <output data-testid="clicked">nothing yet</output></p>
      </section>`;

/** A page of Hadal in a frame. The token is in the fragment, which browsers do not send. */
function chartByFrame({ token, hadalUrl, kid }) {
  const fragment = new URLSearchParams({ token, view: "bignumber", query: JSON.stringify(total) });
  const frame = escapeHtml(`${hadalUrl}/embed/${encodeURIComponent(kid)}#${fragment}`);
  return `<section aria-labelledby="total">
        <h2 id="total">Today and yesterday</h2>
        <iframe data-testid="by-frame" title="Requests of a day" src="${frame}"></iframe>
        <p>This one is a frame: no script of it runs in this page.</p>
      </section>`;
}

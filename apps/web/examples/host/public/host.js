/** A page with charts of Hadal: tokens come from the host's own server, which knows the visitor. */

const { customer, hadal } = document.body.dataset;
const byHtml = document.querySelector("[data-testid=by-html]");
const byScript = document.querySelector("[data-testid=by-script]");

// Called before a token ends. Charts that have the same token ask once, and share one connection.
async function newToken() {
  const answer = await fetch(`/customers/${customer}/token`);
  if (!answer.ok) throw new Error(`no token: ${answer.status}`);
  return answer.text();
}
byHtml.onTokenExpired = newToken;

// The same by properties: an object in place of JSON in an attribute.
Object.assign(byScript, {
  src: hadal,
  token: byHtml.getAttribute("token"),
  onTokenExpired: newToken,
  view: "table",
  query: {
    table: "requests",
    from: "-6h",
    to: "now",
    groupBy: ["endpoint"],
    aggregates: [{ fn: "percentile", column: "latency_us", p: 95 }, { fn: "count" }],
    limit: 20,
  },
});
byScript.addEventListener("select", ({ detail }) => {
  document.querySelector("[data-testid=clicked]").textContent = `${detail.label}: ${detail.text}`;
});

// A frame asks its page for a token by a message, and gets it by one.
let frame = document.querySelector("[data-testid=by-frame]");
window.addEventListener("message", async ({ source, origin, data }) => {
  if (source !== frame.contentWindow || origin !== hadal) return;
  if (data?.hadal !== "tokenexpiring") return;
  source.postMessage({ hadal: "token", token: await newToken() }, origin);
});

// What the visitor chooses for all charts.
const { live, theme } = document.forms[0].elements;
live.addEventListener("change", () => {
  for (const chart of [byHtml, byScript]) chart.live = live.checked;
});
theme.addEventListener("change", async () => {
  document.documentElement.dataset.theme = theme.value;
  for (const chart of [byHtml, byScript]) chart.theme = theme.value;
  // A frame reads its address once.
  const [page, fragment] = frame.src.split("#");
  const shown = new URLSearchParams(fragment);
  shown.set("theme", theme.value);
  shown.set("token", await newToken());
  const next = frame.cloneNode();
  next.src = `${page}#${shown}`;
  frame.replaceWith(next);
  frame = next;
});

import type { HadalChartElement, HadalChartEventDetails } from "@hadal/sdk/element";
import { embedIdOf } from "./frame/embedIdOf.js";
import { readFragment } from "./frame/fragment.js";
import { type ParentPage, parentPage } from "./frame/parentPage.js";
import { TokenRequests } from "./frame/tokenRequests.js";

/** The page `/embed/{id}`: one chart that fills it. */

const reported: readonly (keyof HadalChartEventDetails)[] = [
  ...(["ready", "statechange", "select", "complete", "error"] as const),
];

function show(): void {
  const attributes = readFragment(location.hash);
  // The token must not stay in the address, which people copy.
  if (location.hash !== "") history.replaceState(null, "", location.pathname + location.search);
  const chart = document.createElement("hadal-chart") as HadalChartElement;
  chart.setAttribute("src", location.origin);
  // A token of another embed would show its chart within pages that are not allowed to.
  chart.dataset.embed = embedIdOf(location.pathname);
  const { token = null, ...shown } = Object.fromEntries(attributes);
  for (const [name, value] of Object.entries(shown)) chart.setAttribute(name, value);
  chart.token = token;
  const parent = parentPage(window);
  if (parent !== null) join(chart, parent);
  fillPage();
  document.body.replaceChildren(chart);
}

function join(chart: HadalChartElement, parent: ParentPage): void {
  const requests = new TokenRequests();
  parent.onToken((token) => {
    if (!requests.answer(token)) chart.token = token;
  });
  chart.onTokenExpired = () => {
    const next = requests.ask();
    parent.send({ hadal: "tokenexpiring" });
    return next;
  };
  for (const name of reported) {
    chart.addEventListener(name, (event) => {
      if (event instanceof CustomEvent) parent.send({ hadal: name, detail: event.detail });
    });
  }
}

function fillPage(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    "html, body { height: 100%; margin: 0; overflow: hidden } hadal-chart { height: 100% }",
  );
  document.adoptedStyleSheets.push(sheet);
}

// Beside this file; a build would put the element into a part of both, and its address would change.
const script = new URL(/* @vite-ignore */ "hadal-chart.js", import.meta.url).href;
import(/* @vite-ignore */ script).then(show).catch(() => {
  document.body.textContent = "The chart could not be loaded.";
});

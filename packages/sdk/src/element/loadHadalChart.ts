const loading = new Map<string, Promise<void>>();

/** Loads the script that defines `<hadal-chart>` from a Hadal server, once a page. Rejects where it cannot be loaded. */
export async function loadHadalChart(src: string): Promise<void> {
  if (customElements.get("hadal-chart") !== undefined) return;
  if (!URL.canParse(src, document.baseURI)) throw new Error(`${src} is no address of a server`);
  const url = new URL("/embed/hadal-chart.js", new URL(src, document.baseURI)).href;
  const known = loading.get(url) ?? load(url);
  loading.set(url, known);
  return known;
}

function load(url: string): Promise<void> {
  const script = document.createElement("script");
  script.type = "module";
  script.crossOrigin = "anonymous";
  script.src = url;
  return new Promise<void>((resolve, reject) => {
    script.onload = () => resolve();
    script.onerror = () => {
      // The next call tries again.
      loading.delete(url);
      script.remove();
      reject(new Error(`${url} could not be loaded`));
    };
    document.head.append(script);
  });
}

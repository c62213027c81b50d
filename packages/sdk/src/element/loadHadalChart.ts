const loading = new Map<string, Promise<void>>();

/** Loads the script that defines `<hadal-chart>` from a Hadal server, once a page. */
export function loadHadalChart(src: string): Promise<void> {
  if (customElements.get("hadal-chart") !== undefined) return Promise.resolve();
  const url = new URL("/embed/hadal-chart.js", new URL(src, document.baseURI)).href;
  const known = loading.get(url);
  if (known !== undefined) return known;
  const script = document.createElement("script");
  script.type = "module";
  script.crossOrigin = "anonymous";
  script.src = url;
  const loaded = new Promise<void>((resolve, reject) => {
    script.onload = () => resolve();
    script.onerror = () => {
      // The next call tries again.
      loading.delete(url);
      script.remove();
      reject(new Error(`${url} could not be loaded`));
    };
  });
  loading.set(url, loaded);
  document.head.append(script);
  return loaded;
}

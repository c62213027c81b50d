/** The browser's history as this page uses it: every entry that the page makes has its number. */
export interface Navigation {
  /** Path and query string. */
  current(): string;
  /** Number of the present entry among those the page has made. */
  index(): number;
  go(url: string): void;
  replace(url: string): void;
  /** Called after every move, by the page or by Back and Forward. */
  subscribe(listener: () => void): () => void;
}

export function createNavigation(): Navigation {
  const listeners = new Set<() => void>();
  const tell = (): void => {
    for (const listener of listeners) listener();
  };
  window.addEventListener("popstate", tell);
  const index = (): number => {
    const state = history.state as { hadalIndex?: unknown } | null;
    return typeof state?.hadalIndex === "number" ? state.hadalIndex : 0;
  };
  return {
    current: () => location.pathname + location.search,
    index,
    go(url) {
      history.pushState({ hadalIndex: index() + 1 }, "", url);
      tell();
    },
    replace(url) {
      history.replaceState({ hadalIndex: index() }, "", url);
      tell();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Plain clicks on links to screens stay on the page; all others are the browser's. */
export function followLinks(navigation: Navigation): () => void {
  const onClick = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || !isScreen(link)) return;
    event.preventDefault();
    navigation.go(link.pathname + link.search);
  };
  document.addEventListener("click", onClick);
  return () => document.removeEventListener("click", onClick);
}

function isScreen(link: HTMLAnchorElement): boolean {
  if (link.origin !== location.origin || link.hasAttribute("download")) return false;
  if (link.target !== "" && link.target !== "_self") return false;
  // The interface and its documentation are pages of the server's own.
  return !/^\/(api|v1|docs|assets|metrics|healthz|readyz)(\/|$)/.test(link.pathname);
}

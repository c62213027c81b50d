/** The browser's history; every entry that the page makes has a number. */
export interface Navigation {
  /** Path and query string. */
  current(): string;
  /** The number of the current entry. */
  index(): number;
  go(url: string): void;
  replace(url: string): void;
  /** Called after every move, by the page or by Back and Forward. */
  subscribe(listener: () => void): () => void;
}

export function createNavigation(): Navigation {
  const listeners = new Set<() => void>();
  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  window.addEventListener("popstate", notify);
  const index = (): number => {
    const state = history.state as { hadalIndex?: unknown } | null;
    return typeof state?.hadalIndex === "number" ? state.hadalIndex : 0;
  };
  return {
    current: () => location.pathname + location.search,
    index,
    go(url) {
      history.pushState({ hadalIndex: index() + 1 }, "", url);
      notify();
    },
    replace(url) {
      history.replaceState({ hadalIndex: index() }, "", url);
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Handles plain clicks on links to screens within the page; the browser handles all others. */
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
  // The API, its documentation and embeds are pages of the server.
  return !/^\/(api|v1|docs|embed|assets|metrics|healthz|readyz)(\/|$)/.test(link.pathname);
}

import { createContext, useContext } from "react";

/** The element that the page's tokens are read from and that popups are added to; null: the body. */
const PageRoot = createContext<HTMLElement | null>(null);

export const PageRootProvider = PageRoot.Provider;

/** A chart within another page has a root of its own, in its shadow tree. */
export function usePageRoot(): HTMLElement {
  return useContext(PageRoot) ?? document.body;
}

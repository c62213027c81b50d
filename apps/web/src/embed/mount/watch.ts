import type { HadalChartTheme } from "@hadal/sdk/element";

/** Whether the theme is dark, now and after each change of the system's. */
export function watchDark(theme: HadalChartTheme, onDark: (isDark: boolean) => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const show = (): void => onDark(theme === "auto" ? system.matches : theme === "dark");
  show();
  system.addEventListener("change", show);
  return () => system.removeEventListener("change", show);
}

/** Charts this near to the visible part of the page ask already. */
const nearMargin = "300px";

export function watchVisible(element: Element, onVisible: (isVisible: boolean) => void) {
  const observer = new IntersectionObserver(
    (entries) => onVisible(entries.at(-1)?.isIntersecting === true),
    { rootMargin: nearMargin },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

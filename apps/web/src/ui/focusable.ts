const takers =
  "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex], [contenteditable=true]";

/** What Tab stops at inside an element, in its order. */
export function focusable(within: Element): HTMLElement[] {
  return [...within.querySelectorAll<HTMLElement>(takers)].filter(
    (element) => element.tabIndex >= 0 && element.checkVisibility(),
  );
}

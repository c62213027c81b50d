/** Where on the page a click on a chart of ECharts was; null: not with a pointer. */
export function clickPlace(event: unknown): { readonly x: number; readonly y: number } | null {
  // ECharts types its events loosely; the shape is that of its documentation.
  const pointer = (event as { event?: { event?: MouseEvent } }).event?.event;
  return pointer === undefined ? null : { x: pointer.clientX, y: pointer.clientY };
}

/** The tooltip of a chart's marks: an element of our own in ECharts' layer. */
export const tooltipOption = (contentOf: (params: unknown) => HTMLElement | null | undefined) => ({
  trigger: "item" as const,
  confine: true,
  transitionDuration: 0,
  backgroundColor: "transparent",
  borderWidth: 0,
  padding: 0,
  extraCssText: "box-shadow:none",
  formatter: (params: unknown) => contentOf(params) ?? "",
});

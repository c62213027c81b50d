/** The elements of the page that key commands act on. */

/** Clicks a control of the form by its test id; a select shows its list. */
export function pressControl(name: string): void {
  const control = controlOf(name);
  // A visible control is pressed at once, so that the next key goes to what it opens.
  if (control?.checkVisibility({ visibilityProperty: true }) === true) press(control);
  // A hidden form appears with the next paint.
  else requestAnimationFrame(() => press(controlOf(name)));
}

const controlOf = (name: string): HTMLElement | null =>
  document.querySelector<HTMLElement>(`[data-testid="${name}"]`);

function press(control: HTMLElement | null): void {
  if (!(control instanceof HTMLSelectElement)) {
    control?.click();
    return;
  }
  control.focus();
  // In a browser without showPicker the arrow keys choose.
  control.showPicker?.();
}

/** Switches between the result full screen and the page. */
export function fullScreen(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else void document.querySelector("[data-testid=result]")?.requestFullscreen();
}

/** Moves the focus into the result's table, then by a row. False without a table. */
export function walkRows(step: 1 | -1): boolean {
  const grid = document.querySelector("[data-testid=result] [role=grid]");
  const cell = grid?.querySelector<HTMLElement>("[role=gridcell][tabindex='0']");
  if (grid == null || cell == null) return false;
  if (!grid.contains(document.activeElement)) {
    cell.focus();
    return true;
  }
  const key = step === 1 ? "ArrowDown" : "ArrowUp";
  document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  return true;
}

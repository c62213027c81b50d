/** What keys reach on the page by its name. */

/** Presses a control of the form as a click would; a select shows its list. */
export function pressControl(name: string): void {
  const control = controlOf(name);
  // What is typed next is meant for what the control opens: it is pressed at once where it is seen.
  if (control?.checkVisibility({ visibilityProperty: true }) === true) press(control);
  // A form that was folded away is there after the next paint.
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
  // Without it the arrow keys choose all the same.
  control.showPicker?.();
}

/** Shows the result alone, or the page again. */
export function fullScreen(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else void document.querySelector("[data-testid=result]")?.requestFullscreen();
}

/** Moves the focus to the next or previous row of the result's table; into the table first. False without one. */
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

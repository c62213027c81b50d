import type { KeyboardEvent, MouseEvent, ReactNode, RefObject } from "react";
import { type FloatAnchor, Floating } from "./Floating.js";

export interface MenuProps {
  readonly anchorRef: RefObject<FloatAnchor | null>;
  readonly onClose: () => void;
  readonly label: string;
  readonly className: string | undefined;
  readonly testId: string;
  readonly children: ReactNode;
}

/** A menu at a point of the page. Arrow keys walk it, letters find an item by how it begins. */
export function Menu({ children, onClose, ...rest }: MenuProps) {
  return (
    <Floating
      {...rest}
      role="menu"
      gapPx={2}
      onClose={onClose}
      onKeyDown={(event) => {
        if (walk(event)) event.preventDefault();
      }}
    >
      {children}
    </Floating>
  );
}

export interface MenuItemProps {
  readonly className: string | undefined;
  readonly testId: string;
  readonly children: ReactNode;
  readonly disabled?: boolean;
  /** What the item does; the menu closes with it. */
  readonly onChoose?: () => void;
  /** Given: the item is a link, into a page of its own. */
  readonly href?: string;
}

export function MenuItem({ className, testId, children, disabled, onChoose, href }: MenuItemProps) {
  const props = {
    className,
    role: "menuitem",
    tabIndex: -1,
    "data-testid": testId,
    "data-disabled": disabled === true ? "" : undefined,
    "aria-disabled": disabled === true || undefined,
    onPointerMove: ({ currentTarget }: { readonly currentTarget: HTMLElement }) =>
      currentTarget.focus({ preventScroll: true }),
    onClick: (event: MouseEvent<HTMLElement>) => {
      if (disabled === true) event.preventDefault();
      else onChoose?.();
    },
  };
  if (href === undefined) {
    return (
      <button type="button" {...props}>
        {children}
      </button>
    );
  }
  return (
    <a href={href} target="_blank" rel="noreferrer" {...props}>
      {children}
    </a>
  );
}

/** Moves the focus among the items; false: the key is none of the menu's. */
function walk({ key, currentTarget, ctrlKey, metaKey, altKey }: KeyboardEvent<HTMLElement>) {
  if (ctrlKey || metaKey || altKey) return false;
  const items = [...currentTarget.querySelectorAll<HTMLElement>("[role=menuitem]")];
  const at = items.findIndex((item) => item.matches(":focus"));
  const last = items.length - 1;
  const to = (index: number): true => {
    items[index]?.focus();
    return true;
  };
  if (key === "ArrowDown") return to(at === last ? 0 : at + 1);
  if (key === "ArrowUp") return to(at <= 0 ? last : at - 1);
  if (key === "Home") return to(0);
  if (key === "End") return to(last);
  if (key.length !== 1 || key === " ") return false;
  const after = [...items.slice(at + 1), ...items.slice(0, at + 1)];
  const named = (item: HTMLElement): boolean =>
    item.textContent.trim().toLowerCase().startsWith(key.toLowerCase());
  after.find(named)?.focus();
  return true;
}

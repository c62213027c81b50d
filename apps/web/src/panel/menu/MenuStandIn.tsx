import { useEffect, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";
import type { Mark } from "../../chart/kit/answer/intent.js";
import { labelOfGroup } from "../../chart/kit/answer/series.js";
import { shortenName } from "../../format/name.js";
import { originOf } from "../../ui/root/focus.js";
import { usePageRoot } from "../../ui/root/pageRoot.js";
import styles from "./ValueMenu.module.css";

export interface MenuStandInProps {
  readonly mark: Mark;
  readonly onClose: () => void;
}

/** A placeholder while the code of the value menu loads. The focus stays where the menu will return it. */
export function MenuStandIn({ mark, onClose }: MenuStandInProps) {
  const ref = useRef<HTMLDivElement>(null);
  const root = usePageRoot();
  useLayoutEffect(() => {
    const box = ref.current;
    if (box === null) return;
    box.style.left = `${Math.max(0, Math.min(mark.x, innerWidth - box.offsetWidth))}px`;
    box.style.top = `${Math.min(mark.y + 2, innerHeight - box.offsetHeight)}px`;
  }, [mark]);
  useEffect(() => {
    const onPress = (event: PointerEvent): void => {
      if (ref.current?.contains(originOf(event)) !== true) onClose();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === "Tab") onClose();
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    document.addEventListener("pointerdown", onPress, true);
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("pointerdown", onPress, true);
      document.removeEventListener("keydown", onKey, true);
    };
  }, [onClose]);
  return createPortal(
    <div
      ref={ref}
      role="menu"
      aria-label="What to do with this value"
      aria-busy="true"
      className={`${styles.menu} ${styles.standIn}`}
      data-testid="menu-stand-in"
    >
      <div className={styles.head}>{shortenName(mark.label ?? labelOfGroup(mark.group), 40)}</div>
    </div>,
    root,
  );
}

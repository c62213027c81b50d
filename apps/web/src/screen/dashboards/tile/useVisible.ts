import { type RefObject, useEffect, useState } from "react";

/** Tiles this close to the window are asked before they are seen. */
const margin = "160px";

/** Whether an element is on the screen or nearly so. */
export function useVisible(ref: RefObject<HTMLElement | null>): boolean {
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new IntersectionObserver(
      (entries) => setVisible(entries.at(-1)?.isIntersecting === true),
      { rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return isVisible;
}

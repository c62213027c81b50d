import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { createPortal } from "react-dom";

type SlotName = "start" | "end";
type Elements = Readonly<Record<SlotName, HTMLElement | null>>;

interface Slots {
  readonly elements: Elements;
  readonly set: (name: SlotName, element: HTMLElement | null) => void;
}

const SlotContext = createContext<Slots | null>(null);

/** Places of the header that the screen below may fill. */
export function SlotProvider({ children }: { readonly children: ReactNode }) {
  const [elements, setElements] = useState<Elements>({ start: null, end: null });
  const set = useCallback<Slots["set"]>(
    (name, element) => setElements((known) => ({ ...known, [name]: element })),
    [],
  );
  const slots = useMemo<Slots>(() => ({ elements, set }), [elements, set]);
  return <SlotContext value={slots}>{children}</SlotContext>;
}

interface SlotProps {
  readonly name: SlotName;
  readonly className?: string | undefined;
}

/** The place in the header where the slot's content appears. */
export function Slot({ name, className }: SlotProps) {
  const set = useContext(SlotContext)?.set;
  const ref = useCallback((element: HTMLElement | null) => set?.(name, element), [set, name]);
  return <span ref={ref} className={className} />;
}

interface IntoSlotProps {
  readonly name: SlotName;
  readonly children: ReactNode;
}

/** Shows its children in the slot while it is rendered. */
export function IntoSlot({ name, children }: IntoSlotProps) {
  const element = useContext(SlotContext)?.elements[name] ?? null;
  return element === null ? null : createPortal(children, element);
}

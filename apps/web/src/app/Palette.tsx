import { laterPart, useLaterPart } from "../ui/lazy/laterPart.js";
import { HandOver, StandIn, useStandIn } from "../ui/lazy/StandIn.js";

const commandPalette = laterPart(async () => (await import("./CommandPalette.js")).CommandPalette);

export interface PaletteProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
}

/** The command palette, or a stand-in that keeps typed keys until it has loaded. */
export function Palette({ open, onOpenChange }: PaletteProps) {
  const Shown = useLaterPart(commandPalette, { wanted: open });
  const { stands, typedRef, end } = useStandIn({ open, loaded: Shown !== null });
  return (
    <>
      {open && Shown !== null && (
        <Shown open onOpenChange={onOpenChange}>
          {stands && <HandOver typedRef={typedRef} onDone={end} />}
        </Shown>
      )}
      {stands && (
        <StandIn label="Commands" typedRef={typedRef} onClose={() => onOpenChange(false)} />
      )}
    </>
  );
}

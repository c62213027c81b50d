import { type Ref, useState } from "react";
import { distinctKeys } from "../../../format/name.js";
import type { FilterChip } from "../../../query/exploreState.js";
import { inverted } from "../../../query/filterTree.js";
import { filterLabel } from "../../../query/operators.js";
import { Button } from "../../../ui/Button.js";
import { ChipTrigger } from "../../../ui/Chip.js";
import { Popup } from "../../../ui/Popup.js";
import { useExplore } from "../explore.js";
import { Fault, Field } from "./Field.js";
import { FilterAdder } from "./FilterAdder.js";
import { FilterEditor } from "./FilterEditor.js";
import styles from "./form.module.css";

/** Which rows: a chip each; all must hold. */
export function FiltersField({ addRef }: { readonly addRef: Ref<HTMLButtonElement> }) {
  const { state, dispatch, faultAt } = useExplore();
  const keys = distinctKeys(state.filters.map((chip) => filterLabel(chip.filter)));
  return (
    <Field label="Filters">
      <div className={styles.chips}>
        {state.filters.map((chip, index) => (
          <FilterChipView key={keys[index]} chip={chip} index={index} />
        ))}
        <FilterAdder
          label="Add a filter ( / )"
          testId="add-filter"
          buttonRef={addRef}
          onAdd={(filter) => dispatch({ kind: "add filter", filter })}
        />
      </div>
      <Fault text={faultAt("filter")} />
    </Field>
  );
}

function FilterChipView({ chip, index }: { readonly chip: FilterChip; readonly index: number }) {
  const { dispatch, faultAt } = useExplore();
  const [open, setOpen] = useState(false);
  const label = filterLabel(chip.filter);
  const close = (): void => setOpen(false);
  return (
    <Popup
      open={open}
      onOpenChange={setOpen}
      label={label}
      trigger={
        <ChipTrigger
          testId="filter-chip"
          title={label}
          off={chip.off}
          fault={faultAt(`filter ${index}`)}
          onRemove={() => dispatch({ kind: "remove filter", index })}
        />
      }
    >
      <div className={styles.editor}>
        <div className={styles.line}>
          <Button
            onClick={() => {
              dispatch({ kind: "switch filter", index, off: !chip.off });
              close();
            }}
          >
            {chip.off ? "Use again" : "Lay aside"}
          </Button>
          <Button
            onClick={() => {
              dispatch({ kind: "replace filter", index, filter: inverted(chip.filter) });
              close();
            }}
          >
            Invert
          </Button>
        </div>
        {"column" in chip.filter && (
          <FilterEditor
            initial={chip.filter}
            onDone={(filter) => {
              dispatch({ kind: "replace filter", index, filter });
              close();
            }}
          />
        )}
      </div>
    </Popup>
  );
}

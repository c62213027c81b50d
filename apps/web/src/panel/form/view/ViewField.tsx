import type { Result } from "@hadal/sdk";
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { lookOf } from "../../../chart/view/viewLooks.js";
import { allViews, viewOf } from "../../../chart/view/views.js";
import { Button } from "../../../ui/button/Button.js";
import { Popup } from "../../../ui/popup/Popup.js";
import { useFormQuery } from "../../formQuery.js";
import { Field } from "../part/Field.js";
import styles from "../part/form.module.css";
import { ViewPicker } from "./ViewPicker.js";

export interface ViewFieldProps {
  readonly result: Result | null;
}

/** The view of the answer; the keys 1 to 9 choose the first nine. */
export function ViewField({ result }: ViewFieldProps) {
  const { state, columns, dispatch } = useFormQuery();
  const [open, setOpen] = useState(false);
  // The view “query” exists only for a query written as text.
  const shown = allViews.filter(({ id }) => id !== "query" || state.shape !== null);
  const { name, answers } = viewOf(state.view);
  const { Icon } = lookOf(state.view);
  return (
    <Field label="View">
      <Popup
        open={open}
        onOpenChange={setOpen}
        label="Views"
        trigger={
          <Button
            className={styles.viewButton ?? ""}
            data-testid="view-picker"
            data-view={state.view}
            title={answers}
          >
            <Icon size={16} />
            <span>{name}</span>
            <ChevronDown size={14} />
          </Button>
        }
      >
        <ViewPicker
          views={shown}
          current={state.view}
          result={result}
          onPick={(view) => {
            setOpen(false);
            dispatch({ kind: "set view", view, columns });
          }}
        />
      </Popup>
    </Field>
  );
}

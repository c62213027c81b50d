import type { Ref } from "react";
import { usesField } from "../../../query/views/registry.js";
import type { FormField } from "../../../query/views/viewSpec.js";
import { Button } from "../../../ui/Button.js";
import { useExplore } from "../explore.js";
import { AggregatesField } from "./AggregatesField.js";
import { ColumnsSection } from "./ColumnsSection.js";
import { CompareField } from "./CompareField.js";
import { FiltersField } from "./FiltersField.js";
import styles from "./form.module.css";
import { GroupField } from "./GroupField.js";
import { OptionFields } from "./OptionFields.js";
import { OrderField } from "./OrderField.js";
import { TimeField } from "./TimeField.js";
import { ViewField } from "./ViewField.js";

export interface FormPanelProps {
  readonly autoBucketMs: number | null;
  readonly filterRef: Ref<HTMLButtonElement>;
  readonly onDive: () => void;
}

/** The whole question, always in sight. Every completed choice is asked at once; Dive asks again. */
export function FormPanel({ autoBucketMs, filterRef, onDive }: FormPanelProps) {
  const { state } = useExplore();
  const uses = (field: FormField): boolean => usesField(state.view, field);
  return (
    <>
      <div className={styles.form}>
        <ViewField />
        <TimeField />
        <OptionFields />
        {uses("compare") && <CompareField />}
        {uses("aggregates") && <AggregatesField />}
        {(uses("group") || uses("bucket")) && <GroupField autoBucketMs={autoBucketMs} />}
        <FiltersField addRef={filterRef} />
        {uses("order") && <OrderField />}
      </div>
      <div className={styles.diveBar}>
        <Button
          look="main"
          className={styles.dive}
          data-testid="dive"
          title="Ask ( Enter )"
          onClick={onDive}
        >
          Dive <kbd>⏎</kbd>
        </Button>
      </div>
      <ColumnsSection />
    </>
  );
}

import type { Result } from "@hadal/sdk";
import { type Ref, Suspense, useState } from "react";
import { useStore } from "zustand";
import type { FormField } from "../../../chart/spec/viewSpec.js";
import { usesField } from "../../../chart/view/views.js";
import type { QueryLanguage } from "../../../draft/text/queryText.js";
import { Button } from "../../../ui/button/Button.js";
import { lazyPart } from "../../../ui/lazy/lazyPart.js";
import { askedFilter } from "../askedFilter.js";
import { useExplore } from "../explore.js";
import { Facets } from "../facets/Facets.js";
import { ColumnsField } from "./column/ColumnsField.js";
import { DeriveField } from "./column/DeriveField.js";
import { FiltersField } from "./filter/FiltersField.js";
import { GroupField } from "./group/GroupField.js";
import { OrderField } from "./group/OrderField.js";
import { AggregatesField } from "./number/AggregatesField.js";
import { HavingField } from "./number/HavingField.js";
import { Field } from "./part/Field.js";
import styles from "./part/form.module.css";
import { LanguageTabs } from "./text/LanguageTabs.js";
import { CompareField } from "./time/CompareField.js";
import { TimeField } from "./time/TimeField.js";
import { OptionFields } from "./view/OptionFields.js";
import { ViewField } from "./view/ViewField.js";

/** The editor and the grammar are larger than the form: they come when somebody writes. */
const QueryText = lazyPart(async () => (await import("./text/QueryText.js")).QueryText);

export interface FormPanelProps {
  readonly autoBucketMs: number | null;
  /** When the answer was asked for; null: there is none yet. */
  readonly askedAtMs: number | null;
  /** The answer is whole: what else wants to be counted may be counted. */
  readonly settled: boolean;
  readonly filterRef: Ref<HTMLButtonElement>;
  readonly onDive: () => void;
  /** On the screen; null: nothing yet. */
  readonly result: Result | null;
}

/** The whole question, always in sight. Every completed choice is asked at once; Dive asks again. */
export function FormPanel(props: FormPanelProps) {
  const { autoBucketMs, askedAtMs, settled, filterRef, onDive, result } = props;
  const { state, dispatch } = useExplore();
  const filterColumn = useStore(askedFilter).column;
  const uses = (field: FormField): boolean => usesField(state.view, field);
  const [language, setLanguage] = useState<QueryLanguage | null>(null);
  if (language !== null) {
    return (
      <>
        <LanguageTabs language={language} onChange={setLanguage} />
        <Suspense fallback={<div className={styles.textRoom} aria-busy="true" />}>
          <QueryText key={language} language={language} />
        </Suspense>
        <Facets
          settled={settled}
          onFilter={(column) => {
            setLanguage(null);
            askedFilter.setState({ column });
          }}
        />
      </>
    );
  }
  return (
    <>
      <LanguageTabs language={language} onChange={setLanguage} />
      <div className={styles.form}>
        <ViewField result={result} />
        <TimeField />
        <OptionFields />
        {uses("columns") && <ColumnsField />}
        {state.view === "query" && <AsWritten onEdit={() => setLanguage("sql")} />}
        {uses("compare") && <CompareField askedAtMs={askedAtMs} />}
        {uses("compare") && <OptionFields place="compare" />}
        {uses("aggregates") && <AggregatesField />}
        {(uses("group") || uses("bucket")) && (
          <GroupField
            autoBucketMs={autoBucketMs}
            onFilter={(column) => askedFilter.setState({ column })}
          />
        )}
        <FiltersField
          addRef={filterRef}
          settled={settled}
          column={filterColumn}
          onColumn={(column) => askedFilter.setState({ column })}
        />
        {uses("having") && <HavingField />}
        <DeriveField />
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
        <Button
          data-testid="exact"
          aria-pressed={state.exact}
          title="Exact: every row or no answer; waits for leaves that are late"
          onClick={() => dispatch({ kind: "set exact", exact: !state.exact })}
        >
          exact
        </Button>
      </div>
      <Facets settled={settled} onFilter={(column) => askedFilter.setState({ column })} />
    </>
  );
}

/** The question has more to it than the form has fields for. */
function AsWritten({ onEdit }: { readonly onEdit: () => void }) {
  return (
    <Field label="Query">
      <p className={styles.hint}>
        Asked as it was written: what it groups, counts and orders is in its text.
      </p>
      <Button data-testid="edit-as-written" onClick={onEdit}>
        Edit the text
      </Button>
    </Field>
  );
}

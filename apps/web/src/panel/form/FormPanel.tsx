import type { Result } from "@hadal/sdk";
import { type Ref, Suspense, useState } from "react";
import { useStore } from "zustand";
import type { FormField } from "../../chart/spec/viewSpec.js";
import { usesField } from "../../chart/view/views.js";
import type { QueryLanguage } from "../../draft/text/queryText.js";
import { Button } from "../../ui/button/Button.js";
import { lazyPart } from "../../ui/lazy/lazyPart.js";
import { Facets } from "../facets/Facets.js";
import { useFormQuery } from "../formQuery.js";
import { requestedFilter } from "../requestedFilter.js";
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

/** The editor and the grammar are larger than the form: they load on demand. */
const QueryText = lazyPart(async () => (await import("./text/QueryText.js")).QueryText);

export interface FormPanelProps {
  readonly autoBucketMs: number | null;
  /** The time of the answer; null: none yet. */
  readonly asOfMs: number | null;
  /** The answer is final: other counts may start. */
  readonly settled: boolean;
  readonly filterRef: Ref<HTMLButtonElement>;
  readonly onDive: () => void;
  /** The result on the screen; null: none yet. */
  readonly result: Result | null;
}

/** The whole query, as form or as text. */
export function FormPanel(props: FormPanelProps) {
  const [language, setLanguage] = useState<QueryLanguage | null>(null);
  return (
    <>
      <LanguageTabs language={language} onChange={setLanguage} />
      {language === null ? (
        <QueryForm {...props} onText={() => setLanguage("sql")} />
      ) : (
        <TextPanel language={language} settled={props.settled} onForm={() => setLanguage(null)} />
      )}
    </>
  );
}

interface TextPanelProps extends Pick<FormPanelProps, "settled"> {
  readonly language: QueryLanguage;
  readonly onForm: () => void;
}

function TextPanel({ language, settled, onForm }: TextPanelProps) {
  return (
    <>
      <Suspense fallback={<div className={styles.textRoom} aria-busy="true" />}>
        <QueryText key={language} language={language} />
      </Suspense>
      <Facets
        settled={settled}
        onFilter={(column) => {
          onForm();
          requestedFilter.setState({ column });
        }}
      />
    </>
  );
}

interface QueryFormProps extends FormPanelProps {
  /** Shows the query as text. */
  readonly onText: () => void;
}

/** The query in fields. Every completed edit runs it at once; Dive runs it again. */
function QueryForm(props: QueryFormProps) {
  const { autoBucketMs, asOfMs, settled, filterRef, onDive, onText, result } = props;
  const { state } = useFormQuery();
  const filterColumn = useStore(requestedFilter).column;
  const requestFilter = (column: string | null): void => requestedFilter.setState({ column });
  const uses = (field: FormField): boolean => usesField(state.view, field);
  return (
    <>
      <div className={styles.form}>
        <ViewField result={result} />
        <TimeField />
        <OptionFields />
        {uses("columns") && <ColumnsField />}
        {state.view === "query" && <AsWritten onEdit={onText} />}
        {uses("compare") && <CompareField asOfMs={asOfMs} />}
        {uses("compare") && <OptionFields place="compare" />}
        {uses("aggregates") && <AggregatesField />}
        {(uses("group") || uses("bucket")) && (
          <GroupField autoBucketMs={autoBucketMs} onFilter={requestFilter} />
        )}
        <FiltersField
          addRef={filterRef}
          settled={settled}
          column={filterColumn}
          onColumn={requestFilter}
        />
        {uses("having") && <HavingField />}
        <DeriveField />
        {uses("order") && <OrderField />}
      </div>
      <DiveBar onDive={onDive} />
      <Facets settled={settled} onFilter={requestFilter} />
    </>
  );
}

function DiveBar({ onDive }: Pick<FormPanelProps, "onDive">) {
  const { state, dispatch } = useFormQuery();
  return (
    <div className={styles.diveBar}>
      <Button
        look="main"
        className={styles.dive}
        data-testid="dive"
        title="Run the query ( Enter )"
        onClick={onDive}
      >
        Dive <kbd>⏎</kbd>
      </Button>
      <Button
        data-testid="exact"
        aria-pressed={state.exact}
        title="Exact: every row or no answer; waits for late leaves"
        onClick={() => dispatch({ kind: "set exact", exact: !state.exact })}
      >
        exact
      </Button>
    </div>
  );
}

/** For a query with parts that the form has no fields for. */
function AsWritten({ onEdit }: { readonly onEdit: () => void }) {
  return (
    <Field label="Query">
      <p className={styles.hint}>
        This query runs as written: its text defines the groups, the aggregates and the order.
      </p>
      <Button data-testid="edit-as-written" onClick={onEdit}>
        Edit the text
      </Button>
    </Field>
  );
}

import { ArrowDown, ArrowUp } from "lucide-react";
import { type FormEvent, useState } from "react";
import { usesField } from "../../../chart/view/views.js";
import { orderNames, orderOf } from "../../../draft/ask/order.js";
import { Button } from "../../../ui/button/Button.js";
import { Select } from "../../../ui/button/Select.js";
import { Fault } from "../../../ui/field/Fault.js";
import { useFormQuery } from "../../formQuery.js";
import { Field } from "../part/Field.js";
import styles from "../part/form.module.css";

/** The order and the limit of the result. Views over time limit the series instead of the rows. */
export function OrderField() {
  const { state, dispatch, faultAt } = useFormQuery();
  const order = orderOf(state);
  const desc = order.desc ?? false;
  const overTime = usesField(state.view, "series");
  const counts = overTime || usesField(state.view, "limit");
  return (
    <>
      <Field label={overTime ? "Rank by" : "Order"}>
        <div className={styles.line}>
          <Select
            label="Order by"
            testId="order-picker"
            value={order.by}
            options={orderNames(state).map((name) => ({ value: name, label: name }))}
            onChange={(by) => dispatch({ kind: "set order", order: { by, desc } })}
          />
          <Button
            data-testid="order-direction"
            aria-label={desc ? "Largest first" : "Smallest first"}
            title={desc ? "Largest first" : "Smallest first"}
            onClick={() => dispatch({ kind: "set order", order: { by: order.by, desc: !desc } })}
          >
            {desc ? <ArrowDown size={14} /> : <ArrowUp size={14} />}
          </Button>
        </div>
        <Fault text={faultAt("orderBy")} />
      </Field>
      {counts && (
        <Field label={overTime ? "Series" : "Limit"}>
          <CountInput
            key={`${overTime} ${overTime ? state.series : state.limit}`}
            label={overTime ? "Most series" : "Most rows"}
            testId={overTime ? "series" : "limit"}
            value={overTime ? state.series : state.limit}
            max={overTime ? 100 : 100_000}
            onChange={(count) =>
              dispatch(
                overTime
                  ? { kind: "set series", series: count }
                  : { kind: "set limit", limit: count },
              )
            }
          />
          <Fault text={faultAt("limit") ?? faultAt("series")} />
        </Field>
      )}
    </>
  );
}

interface CountInputProps {
  readonly label: string;
  readonly testId: string;
  readonly value: number;
  readonly max: number;
  readonly onChange: (count: number) => void;
}

/** A whole number, applied on blur or Enter. */
function CountInput({ label, testId, value, max, onChange }: CountInputProps) {
  const [text, setText] = useState(String(value));
  const count = Number(text);
  const isFine = /^\d+$/.test(text) && count >= 1 && count <= max;
  const submit = (event?: FormEvent): void => {
    event?.preventDefault();
    if (isFine && count !== value) onChange(count);
  };
  return (
    <form onSubmit={submit}>
      <input
        aria-label={label}
        aria-invalid={!isFine}
        data-testid={testId}
        className={styles.shortInput}
        inputMode="numeric"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => submit()}
      />
      {!isFine && <Fault text={`Enter a whole number from 1 to ${max.toLocaleString("en")}.`} />}
    </form>
  );
}

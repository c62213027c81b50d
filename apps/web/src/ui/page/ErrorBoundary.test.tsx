import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { ErrorBoundary, type ErrorBoundaryProps } from "./ErrorBoundary.js";

function Broken(): ReactNode {
  throw new TypeError("row 7 has no <column>");
}

const props = (resetKey: unknown, children: ReactNode): ErrorBoundaryProps => ({
  title: "This view could not be drawn",
  resetKey,
  children,
});

/** As React does when children throw: renders them, reports the error to the boundary, renders it again. */
function drawn(boundary: ErrorBoundary): string {
  try {
    return renderToStaticMarkup(boundary.render());
  } catch (error) {
    const failed = ErrorBoundary.getDerivedStateFromError(error);
    boundary.state = { ...boundary.state, ...failed };
    return renderToStaticMarkup(boundary.render());
  }
}

describe("a boundary of errors", () => {
  test("shows what it surrounds", () => {
    expect(renderToStaticMarkup(<ErrorBoundary {...props(1, <b>fine</b>)} />)).toBe("<b>fine</b>");
  });

  test("says in its place what happened, and how to go on", () => {
    const html = drawn(new ErrorBoundary(props(1, <Broken />)));
    expect(html).toContain('role="alert"');
    expect(html).toContain("This view could not be drawn");
    expect(html).toContain("row 7 has no &lt;column&gt;");
    expect(html).toContain("Try again");
    expect(html).toContain("Reload the page");
  });

  test("another question is another attempt, the same one is not", () => {
    const boundary = new ErrorBoundary(props(1, <Broken />));
    drawn(boundary);
    const { getDerivedStateFromProps } = ErrorBoundary;
    expect(getDerivedStateFromProps(props(1, <Broken />), boundary.state)).toBeNull();
    expect(getDerivedStateFromProps(props(2, <Broken />), boundary.state)).toEqual({
      error: null,
      resetKey: 2,
    });
  });

  test("whatever is thrown has words", () => {
    expect(ErrorBoundary.getDerivedStateFromError("out of stack").error?.message).toBe(
      "out of stack",
    );
  });
});

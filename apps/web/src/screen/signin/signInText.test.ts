import { HadalError } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { oidcPath, providerProblem, returnPath, signInFailure } from "./signInText.js";

describe("a failed sign-in", () => {
  test("says what the server says", () => {
    const error = new HadalError("unauthenticated", {
      detail: "The name or the password is wrong.",
    });
    expect(signInFailure(error)).toEqual({
      text: "The name or the password is wrong.",
      waitMs: 0,
    });
  });

  test("too many attempts wait as long as the server says", () => {
    const error = new HadalError("quota-exceeded", {}, [], { retryAfterMs: 8_000 });
    expect(signInFailure(error)).toEqual({ text: "Too many attempts.", waitMs: 8_000 });
    expect(signInFailure(new HadalError("overloaded")).waitMs).toBe(1_000);
  });
});

describe("after signing in", () => {
  test.each([
    ["/explore", "?v=1&table=a", "/explore?v=1&table=a"],
    ["/", "", "/"],
    ["//evil.example/x", "", "/"],
    ["/\\evil.example", "", "/"],
    ["/setup", "", "/"],
    ["/signin", "?problem=expired", "/"],
    ["/signings", "", "/signings"],
  ])("%s%s leads to %s", (pathname, search, path) => {
    expect(returnPath({ pathname, search })).toBe(path);
  });

  test.each([
    ["/signin", "?problem=expired", "That sign-in took too long. Begin again."],
    ["/signin", "?problem=constructor", /failed/],
    ["/signin", "", null],
    ["/explore", "?problem=expired", null],
  ])("%s%s says why the provider did not", (pathname, search, text) => {
    const problem = providerProblem({ pathname, search });
    if (text instanceof RegExp) expect(problem).toMatch(text);
    else expect(problem).toBe(text);
  });

  test("the provider gets the path as one parameter", () => {
    expect(oidcPath("/explore?a=1&b=2")).toBe("/api/v1/session/oidc?to=%2Fexplore%3Fa%3D1%26b%3D2");
  });
});

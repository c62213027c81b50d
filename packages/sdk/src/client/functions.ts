import type { FunctionTrialResult, UserFunction } from "../model/userFunction.js";
import { routes } from "../wire/routes.js";
import type { HadalClient } from "./hadalClient.js";
import type { Http } from "./http.js";
import { jsonRequest } from "./requests.js";

type Functions = Pick<
  HadalClient,
  "functions" | "function" | "saveFunction" | "deleteFunction" | "tryFunction"
>;

export function createFunctions(http: Http): Functions {
  return {
    async functions() {
      return (await http.requestJson(routes.functions())) as readonly UserFunction[];
    },
    async function(name) {
      return (await http.requestJson(routes.function(name))) as UserFunction;
    },
    async saveFunction(name, draft, { version } = {}) {
      return (await http.requestJson(
        routes.function(name),
        jsonRequest("PUT", draft, version === undefined ? {} : { "if-match": `"${version}"` }),
      )) as UserFunction;
    },
    async deleteFunction(name) {
      await http.requestJson(routes.function(name), { method: "DELETE" });
    },
    async tryFunction(trial) {
      return (await http.requestJson(
        routes.functionTrial(),
        jsonRequest("POST", trial),
      )) as FunctionTrialResult;
    },
  };
}

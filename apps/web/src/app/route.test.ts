import { expect, test } from "vitest";
import { parseRoute } from "./route.js";

test.each([
  ["/", { screen: "explore" }],
  ["/explore", { screen: "explore" }],
  ["/explore/", { screen: "explore" }],
  ["/explore/more", { screen: "unknown" }],
  ["/tables", { screen: "tables", table: null }],
  ["/tables/web.requests", { screen: "tables", table: "web.requests" }],
  ["/tables/a%2Fb%20%F0%9F%90%9F", { screen: "tables", table: "a/b 🐟" }],
  ["/tables/__proto__", { screen: "tables", table: "__proto__" }],
  ["/tables/a/b", { screen: "unknown" }],
  ["/tables/%ff", { screen: "unknown" }],
  ["/functions/domain", { screen: "functions", name: "domain" }],
  ["/embeds", { screen: "embeds", tab: "embeds" }],
  ["/embeds/keys", { screen: "embeds", tab: "keys" }],
  ["/embeds/others", { screen: "unknown" }],
  ["/embed/6f1c", { screen: "unknown" }],
  ["/annotations", { screen: "annotations" }],
  ["/annotations/6f1c", { screen: "unknown" }],
  ["/dashboards", { screen: "dashboards", id: null }],
  ["/dashboards/6f1c", { screen: "dashboards", id: "6f1c" }],
  ["/status", { screen: "status" }],
  ["/status/leaf-1", { screen: "unknown" }],
  ["/s/k3vj2", { screen: "link", id: "k3vj2" }],
  ["/s/", { screen: "unknown" }],
  ["/constructor", { screen: "unknown" }],
])("%s", (path, route) => expect(parseRoute(path)).toEqual(route));

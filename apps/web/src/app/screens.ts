import {
  Activity,
  Bell,
  Bookmark,
  Compass,
  Database,
  LayoutDashboard,
  SquareFunction,
} from "lucide-react";
import type { Route } from "./route.js";

/** The screens of the header, in its order. */
export const screens = [
  { screen: "explore", name: "Explore", path: "/explore", Icon: Compass },
  { screen: "dashboards", name: "Dashboards", path: "/dashboards", Icon: LayoutDashboard },
  { screen: "saved", name: "Saved", path: "/saved", Icon: Bookmark },
  { screen: "alerts", name: "Alerts", path: "/alerts", Icon: Bell },
  { screen: "tables", name: "Tables", path: "/tables", Icon: Database },
  { screen: "functions", name: "Functions", path: "/functions", Icon: SquareFunction },
  { screen: "status", name: "Status", path: "/status", Icon: Activity },
] as const satisfies readonly {
  readonly screen: Route["screen"];
  readonly [key: string]: unknown;
}[];

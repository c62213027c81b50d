import react from "@vitejs/plugin-react";
import { defaultClientConditions, defineConfig } from "vite";

/** The gateway serves dist/app; `vite` alone develops against a gateway on HADAL_URL. */
const gatewayUrl = process.env.HADAL_URL ?? "http://127.0.0.1:7400";

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ["source", ...defaultClientConditions] },
  build: {
    outDir: "dist/app",
    emptyOutDir: true,
    target: "es2022",
    // Inlined files would be `data:` addresses, which a strict content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { "/api": { target: gatewayUrl, ws: true, changeOrigin: true } } },
});

import { defineConfig } from "vitest/config";

// The bundle is served from memory by the studio's server, under the root path. During `npm run dev` the live socket goes to a
// server started by hand, which answers only to pages of its own origin; WINDLASS_STUDIO names one on another port.
const server = process.env.WINDLASS_STUDIO ?? "http://127.0.0.1:7474";

export default defineConfig({
  build: { outDir: "dist", assetsInlineLimit: 0, chunkSizeWarningLimit: 1200, modulePreload: { polyfill: false } },
  server: {
    proxy: {
      "/live": { target: server, ws: true, changeOrigin: true, headers: { origin: server } },
      "/schema.json": { target: server, changeOrigin: true },
      "/export": { target: server, changeOrigin: true },
    },
  },
  test: { include: ["tests/**/*.test.ts"] },
});

import { defineConfig } from "vitest/config";

// The bundle is served from memory by the studio's server, under the root path. During `npm run dev` the live socket goes to a
// server started by hand: WINDLASS_STUDIO=http://127.0.0.1:8765 npm run dev
const server = process.env.WINDLASS_STUDIO ?? "http://127.0.0.1:8080";

export default defineConfig({
  build: { outDir: "dist", assetsInlineLimit: 0, chunkSizeWarningLimit: 1200, modulePreload: { polyfill: false } },
  server: { proxy: { "/live": { target: server, ws: true } } },
  test: { include: ["tests/**/*.test.ts"] },
});

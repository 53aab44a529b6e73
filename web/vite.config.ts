import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The dashboard, as a folder of static files that src/app/http/dashboard.ts serves at /app/. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/app/',
  plugins: [react(), tailwind()],
  build: {
    // Nothing may be inline: the page's policy lets in files of its own origin alone.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
  },
  // npm run dev style work: node_modules/.bin/vite web, beside a server on the default port.
  server: { proxy: { '^/(v1|v2|sites|git|reference|openapi.json)': 'http://127.0.0.1:4400' } },
})

import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { finishBuild } from './build/finish-build.ts'
import { firstLoad } from './build/first-load.ts'
import { preloadSteps } from './build/preload-steps.ts'
import { reactIds } from './build/react-ids.ts'
import { thirdPartyNotices } from './build/third-party.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

export default defineConfig({
  root: folder,
  plugins: [react(), preloadSteps(), reactIds(), thirdPartyNotices(folder), finishBuild(folder)],
  build: {
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { output: { codeSplitting: { groups: firstLoad } } },
  },
})

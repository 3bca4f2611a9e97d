import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'

export default defineConfig({
  test: {
    include: [
      'apps/*/src/**/*.test.ts',
      'apps/*/testing/**/*.test.ts',
      'apps/*/simulate/**/*.test.ts',
      'apps/*/bench/**/*.test.ts',
      'apps/*/system/**/*.test.ts',
      'packages/*/src/**/*.test.ts',
    ],
    // One PostgreSQL for the whole run; each test takes a database of its own from it.
    globalSetup: ['apps/server/testing/global-setup.ts'],
    // The tests wait on real databases, chains and processes, so more workers than cores only steal from each other.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // Services and agents that tests start read our files compiled, as those of `npm start` do: a second less for each.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/weir', import.meta.url)) },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './scripts/closing-line-reporter.ts'],
  },
})

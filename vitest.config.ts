import { defineConfig } from 'vitest/config'

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
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './scripts/closing-line-reporter.ts'],
  },
})

import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/testing/longest-first.ts'

// Each test file is a process of its own, and many start services and agents; all of them read compiled files, as those of
// `npm start` do. Set here, because a process reads it when it starts.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('node_modules/.cache/weir', import.meta.url))

// Bundling the programs that tests start pays off when many files start them: in a whole run, and in `npm run crash`.
const isWholeRun = process.argv.slice(2).every((argument) => argument === 'run' || argument.startsWith('-'))
if (isWholeRun) process.env.BUNDLE_PROGRAMS ??= 'yes'

export default defineConfig({
  // Packages of this repository are read as they are written, without a build.
  resolve: { conditions: ['@weir/source'] },
  ssr: { resolve: { conditions: ['@weir/source'] } },
  test: {
    include: [
      'apps/*/src/**/*.test.ts',
      'apps/*/testing/**/*.test.ts',
      'apps/*/simulate/**/*.test.ts',
      'apps/*/bench/**/*.test.ts',
      'apps/*/cluster/**/*.test.ts',
      'apps/*/system/**/*.test.ts',
      'packages/*/src/**/*.test.ts',
      'packages/*/system/**/*.test.ts',
      'examples/*/*.test.ts',
      'deploy/**/*.test.ts',
    ],
    // One PostgreSQL for the whole run; each test takes a database of its own from it.
    globalSetup: ['apps/server/testing/global-setup.ts'],
    setupFiles: ['apps/server/testing/joins/hold-joins.ts', 'apps/server/testing/organizations/hold-organizations.ts'],
    // Two more than cores, as long as one PostgreSQL serves them: a worker waits for chains and processes more than half of
    // its time, and leaves its core to another. With one more, two cores were idle for a quarter of a run.
    maxWorkers: Math.min(availableParallelism() + 2, 8),
    sequence: { sequencer: LongestFirst },
    // Files share a worker's modules: loading them again for each file would take a quarter of the run.
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // A test on real nodes and processes may meet a busy machine, so it has a second attempt, which the run reports in the end.
    // A property has none: its next attempt would draw other values and lose those that broke it.
    retry: { count: 1, condition: /^(?!Property failed)/ },
    reporters: ['default', './scripts/testing/closing-line-reporter.ts'],
  },
})

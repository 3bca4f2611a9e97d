import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/**
 * Prints `N passed, N failed` (and `, N skipped` if any were) as the very last line, for tools that read only that
 * line. A file that does not load and an error outside all tests count as failures.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      count.failed += module.errors().length
      for (const test of module.children.allTests()) count[test.result().state] += 1
    }
    const skipped = count.skipped + count.pending
    const line = `${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    // Runs after the default reporter's summary.
    process.once('exit', () => process.stdout.write(`${line}\n`))
  }
}

import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node'

/**
 * Prints `N passed, N failed` (and `, N skipped` if any were) as the very last line, for tools that read only that
 * line. A file that does not load and an error outside all tests count as failures. Before that line it names each test
 * that passed at its second attempt only, with what the first one said: such a test is a defect, of the test or of Weir.
 */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    const second: string[] = []
    for (const module of modules) {
      count.failed += module.errors().length
      for (const test of module.children.allTests()) {
        count[test.result().state] += 1
        if (test.diagnostic()?.flaky) second.push(firstAttempt(module, test))
      }
    }
    const skipped = count.skipped + count.pending
    const line = `${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
    // Runs after the default reporter's summary.
    process.once('exit', () => process.stdout.write([...second, line, ''].join('\n')))
  }
}

function firstAttempt(module: TestModule, test: TestCase): string {
  const [error] = test.result().errors ?? []
  return [
    `PASSED AT THE SECOND ATTEMPT: ${module.relativeModuleId} > ${test.fullName}`,
    error?.stack ?? error?.message ?? 'no error was reported',
  ].join('\n')
}

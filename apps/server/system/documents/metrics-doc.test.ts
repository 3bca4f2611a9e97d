import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describedMetrics } from '../../../../scripts/documents/described-metrics.ts'
import { metricsDocument } from '../../../../scripts/documents/write-metrics-doc.ts'

// `attacks/operators.test.ts` tests that a running service has these metrics and no others.

test('docs/metrics.md lists every metric with its labels', () => {
  expect(readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8')).toBe(metricsDocument())
})

test('every metric of Weir has a help text that is a sentence, and a conventional name', () => {
  for (const { name, help, type } of describedMetrics().filter((metric) => metric.name.startsWith('weir_'))) {
    expect(help, name).toMatch(/^[A-Z0-9`].*\.$/)
    expect(name.endsWith('_total'), name).toBe(type === 'counter')
  }
})

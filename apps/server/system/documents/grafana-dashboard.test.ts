import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describedMetrics, seriesOf } from '../../../../scripts/documents/described-metrics.ts'
import { NOT_SHOWN, ROWS } from '../../../../scripts/monitoring/grafana-rows.ts'
import { grafanaDashboard } from '../../../../scripts/monitoring/write-grafana-dashboard.ts'
import { metricNamesIn, unknownLabelsIn } from '../../testing/source/read-promql.ts'

const seriesIn = ({ expr }: { readonly expr: string }) => metricNamesIn(expr)

test('deploy/grafana/weir.json is current', () => {
  expect(readFileSync(new URL('../../../../deploy/grafana/weir.json', import.meta.url), 'utf8')).toBe(
    grafanaDashboard(),
  )
})

test('every query of the dashboard reads metrics and labels that exist, and names its lines by those', () => {
  const metrics = describedMetrics()
  const queries = ROWS.flatMap(({ panels }) => panels.flatMap((panel) => panel.queries))
  expect(queries.length).toBeGreaterThan(20)
  for (const { expr, legend = '' } of queries) {
    const names = metricNamesIn(expr)
    expect(names, expr).not.toEqual([])
    expect(names.filter((name) => !metrics.flatMap(seriesOf).includes(name))).toEqual([])
    expect(unknownLabelsIn(expr, metrics), expr).toEqual([])
    const shown = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label)
    const kept = /\bby\s*\(([^)]*)\)/
      .exec(expr)?.[1]
      ?.split(',')
      .map((label) => label.trim()) ?? ['instance']
    expect(
      shown.filter((label) => !kept.includes(label)),
      expr,
    ).toEqual([])
  }
})

test('every metric of the service is on a panel, or is left out for a reason', () => {
  const shown = new Set(ROWS.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries)).flatMap(seriesIn))
  const own = describedMetrics().filter(({ name }) => name.startsWith('weir_'))
  const missing = own.filter((metric) => !seriesOf(metric).some((series) => shown.has(series)))
  expect(missing.map(({ name }) => name)).toEqual(Object.keys(NOT_SHOWN).toSorted())
  for (const reason of Object.values(NOT_SHOWN)) expect(reason).toMatch(/^\w.{10,}/)
})

test('a query with a metric or label that does not exist is found', () => {
  const metrics = describedMetrics()
  expect(metricNamesIn('max(weir_open_braeks)')).toEqual(['weir_open_braeks'])
  expect(unknownLabelsIn('sum by (chain) (weir_rpc_endpoints{helth="available"})', metrics)).toEqual(['helth', 'chain'])
})

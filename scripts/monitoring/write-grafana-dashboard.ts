// Writes deploy/grafana/weir.json from scripts/monitoring/grafana-rows.ts. A test compares the two, and each query with the metrics
// of the service.
import { writeFileSync } from 'node:fs'
import dashboards from '@grafana/grafana-foundation-sdk/dashboard'
import prometheus from '@grafana/grafana-foundation-sdk/prometheus'
import stat from '@grafana/grafana-foundation-sdk/stat'
import timeseries from '@grafana/grafana-foundation-sdk/timeseries'
import type { Panel } from './grafana-panels.ts'
import { ROWS } from './grafana-rows.ts'

const file = new URL('../../deploy/grafana/weir.json', import.meta.url)

/** The expected content of deploy/grafana/weir.json. */
export function grafanaDashboard(): string {
  const source = { type: 'prometheus', uid: '$datasource' }
  const board = new dashboards.DashboardBuilder('Weir')
    .uid('weir')
    .tags(['weir'])
    .refresh('30s')
    .time({ from: 'now-6h', to: 'now' })
    .timezone('browser')
    .readonly()
    .withVariable(new dashboards.DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
  for (const row of ROWS) {
    board.withRow(new dashboards.RowBuilder(row.title))
    for (const panel of row.panels) board.withPanel(panelOf(panel, source))
  }
  return `${JSON.stringify(board.build(), null, 2)}\n`
}

function panelOf(panel: Panel, source: { readonly type: string; readonly uid: string }) {
  const { title, description, unit, kind, queries, redFrom } = panel
  const built = kind === 'now' ? new stat.PanelBuilder() : new timeseries.PanelBuilder()
  built.title(title).description(description).datasource(source)
  if (unit !== undefined) built.unit(unit)
  if (kind === 'now') built.span(4).height(4)
  else built.span(8).height(8).min(0)
  if (redFrom !== undefined)
    built.thresholds(
      new dashboards.ThresholdsConfigBuilder().mode(dashboards.ThresholdsMode.Absolute).steps([
        { value: null, color: 'green' },
        { value: redFrom, color: 'red' },
      ]),
    )
  for (const { expr, legend } of queries)
    built.withTarget(new prometheus.DataqueryBuilder().expr(expr).legendFormat(legend ?? ''))
  return built
}

if (import.meta.main) writeFileSync(file, grafanaDashboard())

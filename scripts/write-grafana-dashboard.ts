// Writes deploy/grafana/weir.json. A test compares the two, and each query with the metrics of the service.
import { writeFileSync } from 'node:fs'
import dashboards from '@grafana/grafana-foundation-sdk/dashboard'
import prometheus from '@grafana/grafana-foundation-sdk/prometheus'
import stat from '@grafana/grafana-foundation-sdk/stat'
import timeseries from '@grafana/grafana-foundation-sdk/timeseries'

const file = new URL('../deploy/grafana/weir.json', import.meta.url)

interface Query {
  readonly expr: string
  /** The name of each line; labels in double braces. */
  readonly legend?: string
}

interface PanelText {
  readonly title: string
  /** Why somebody looks at it. */
  readonly description: string
  /** A unit of Grafana; default: a number. */
  readonly unit?: string
}

interface Panel extends PanelText {
  readonly kind: 'now' | 'over time'
  readonly queries: readonly Query[]
  /** The value from which the panel is red. */
  readonly redFrom?: number
}

interface Row {
  readonly title: string
  readonly panels: readonly Panel[]
}

const now = (text: PanelText & { readonly redFrom?: number }, expr: string, legend = ''): Panel => ({
  ...text,
  kind: 'now',
  queries: [{ expr, legend }],
})
const overTime = (text: PanelText, ...queries: readonly Query[]): Panel => ({ ...text, kind: 'over time', queries })

export const ROWS: readonly Row[] = [
  {
    title: 'Now',
    panels: [
      now({ title: 'Open breaks', description: 'Ledger and chain differ.', redFrom: 1 }, 'max(weir_open_breaks)'),
      now(
        { title: 'Quarantined wallets', description: 'Wallets that cannot be settled.', redFrom: 1 },
        'max(weir_wallets_quarantined)',
      ),
      now(
        {
          title: 'Short buffer',
          description: 'How long a wallet has been below its buffer.',
          unit: 's',
          redFrom: 1_800,
        },
        'max(weir_buffer_short_oldest_seconds)',
      ),
      now(
        {
          title: 'Oldest approval',
          description: 'How long an operation waits for people.',
          unit: 's',
          redFrom: 14_400,
        },
        'max(weir_approval_oldest_seconds)',
      ),
      now(
        {
          title: 'Silent agent',
          description: 'The agent that has not polled for the longest time.',
          unit: 's',
          redFrom: 300,
        },
        'max(weir_agent_poll_age_seconds)',
      ),
      now({ title: 'Database writable', description: '0: a process cannot write.' }, 'min(weir_database_writable)'),
    ],
  },
  {
    title: 'Operations',
    panels: [
      overTime(
        { title: 'Operations ended', description: 'By outcome and reason, per minute.' },
        {
          expr: 'sum by (outcome, reason) (rate(weir_operations_ended_total[$__rate_interval])) * 60',
          legend: '{{outcome}} {{reason}}',
        },
      ),
      overTime(
        { title: 'Failed transactions', description: 'By chain and code, per minute.' },
        {
          expr: 'sum by (blockchain, code) (rate(weir_transactions_failed_total[$__rate_interval])) * 60',
          legend: '{{blockchain}} {{code}}',
        },
      ),
      overTime(
        {
          title: 'Time until a buffer is restored',
          description: 'Time until half and 95% of buffers were full again.',
          unit: 's',
        },
        {
          expr: 'histogram_quantile(0.5, sum by (le) (rate(weir_buffer_restored_seconds_bucket[1h])))',
          legend: 'half',
        },
        {
          expr: 'histogram_quantile(0.95, sum by (le) (rate(weir_buffer_restored_seconds_bucket[1h])))',
          legend: '95%',
        },
      ),
      overTime(
        { title: 'Waiting', description: 'The oldest approval, and the oldest work for agents.', unit: 's' },
        { expr: 'max(weir_approval_oldest_seconds)', legend: 'approval' },
        { expr: 'max(weir_agent_work_oldest_seconds)', legend: 'agent' },
      ),
      overTime(
        { title: 'Agents', description: 'How long ago the agent of each key polled.', unit: 's' },
        {
          expr: 'max by (organization, key) (weir_agent_poll_age_seconds)',
          legend: 'organization {{organization}}, key {{key}}',
        },
      ),
      overTime(
        { title: 'Gas', description: 'Transactions that the poorest wallet of each chain can pay for.' },
        { expr: 'min by (blockchain) (weir_gas_runway_transactions)', legend: '{{blockchain}}' },
      ),
    ],
  },
  {
    title: 'Chains',
    panels: [
      overTime(
        { title: 'Blocks behind', description: 'Final blocks that are not settled.' },
        { expr: 'max by (blockchain) (weir_chain_blocks_behind)', legend: '{{blockchain}}' },
      ),
      overTime(
        { title: 'Age of the latest block', description: 'As the nodes report it.', unit: 's' },
        { expr: 'max by (blockchain) (weir_chain_head_age_seconds)', legend: '{{blockchain}}' },
      ),
      overTime(
        { title: 'Endpoints', description: 'RPC endpoints by health, over all processes.' },
        { expr: 'sum by (blockchain, health) (weir_rpc_endpoints)', legend: '{{blockchain}} {{health}}' },
      ),
      overTime(
        { title: 'RPC latency', description: '95% of requests are faster.', unit: 's' },
        {
          expr: 'histogram_quantile(0.95, sum by (le, blockchain, endpoint) (rate(weir_rpc_request_duration_seconds_bucket[$__rate_interval])))',
          legend: '{{blockchain}} {{endpoint}}',
        },
      ),
      overTime(
        { title: 'RPC errors', description: 'Failed requests a second, by outcome.' },
        {
          expr: 'sum by (endpoint, outcome) (rate(weir_rpc_requests_total{outcome!="ok"}[$__rate_interval]))',
          legend: '{{endpoint}} {{outcome}}',
        },
      ),
    ],
  },
  {
    title: 'Requests',
    panels: [
      overTime(
        { title: 'Requests', description: 'Requests a second, by status.', unit: 'reqps' },
        {
          expr: 'sum by (status) (rate(weir_http_request_duration_seconds_count[$__rate_interval]))',
          legend: '{{status}}',
        },
      ),
      overTime(
        { title: 'Latency', description: 'Half, 95% and 99% of requests are faster.', unit: 's' },
        ...[0.5, 0.95, 0.99].map((part) => ({
          expr: `histogram_quantile(${part}, sum by (le) (rate(weir_http_request_duration_seconds_bucket[$__rate_interval])))`,
          legend: `${part * 100}%`,
        })),
      ),
      overTime(
        { title: 'Refusals', description: 'Security events a second, by type.' },
        { expr: 'sum by (type) (rate(weir_security_events_total[$__rate_interval]))', legend: '{{type}}' },
      ),
      overTime(
        { title: 'Unreadable values', description: 'Stored values that do not open, by reason.' },
        { expr: 'sum by (reason) (weir_unreadable_values_total)', legend: '{{reason}}' },
      ),
    ],
  },
  {
    title: 'Work',
    panels: [
      overTime(
        { title: 'Who does what', description: 'Jobs that each process holds.' },
        { expr: 'sum by (instance) (weir_job_held)', legend: '{{instance}}' },
      ),
      overTime(
        { title: 'Progress', description: 'How long ago a job made progress.', unit: 's' },
        { expr: 'max by (exported_job) (weir_job_progress_age_seconds)', legend: '{{exported_job}}' },
      ),
      overTime(
        { title: 'Webhooks', description: 'What waits to be relayed and delivered.' },
        { expr: 'max(weir_events_waiting)', legend: 'events' },
        { expr: 'max(weir_events_held)', legend: 'events held' },
        { expr: 'max(weir_webhook_deliveries_pending)', legend: 'deliveries' },
      ),
      overTime(
        { title: 'Payments in progress', description: 'Between banks and chains.' },
        { expr: 'max(weir_onramp_open)', legend: 'on-ramp' },
        { expr: 'max(weir_offramp_open)', legend: 'off-ramp' },
      ),
      overTime(
        { title: 'Memory', description: 'Resident memory of each process.', unit: 'bytes' },
        { expr: 'process_resident_memory_bytes', legend: '{{instance}}' },
      ),
      overTime(
        { title: 'Event loop', description: '99% of event-loop delays are shorter.', unit: 's' },
        { expr: 'nodejs_eventloop_lag_p99_seconds', legend: '{{instance}}' },
      ),
    ],
  },
]

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

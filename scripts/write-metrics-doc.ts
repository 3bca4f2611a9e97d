// Writes docs/metrics.md from the registry that the service serves at /metrics. A test compares the two.
import { writeFileSync } from 'node:fs'
import { type DescribedMetric, describedMetrics } from './described-metrics.ts'

const file = new URL('../docs/metrics.md', import.meta.url)

/** What a value counts, by the end of the name. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/_seconds(_total)?$/, 'seconds'],
  [/_bytes$/, 'bytes'],
  [/_transactions$/, 'transactions'],
  [/_ratio$/, 'ratio'],
]
const unitOf = ({ name }: DescribedMetric) => UNITS.find(([end]) => end.test(name))?.[1] ?? 'count'
/** Help texts of prom-client end without a full stop. */
const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`)

/** The expected content of docs/metrics.md. */
export function metricsDocument(): string {
  const table = (metrics: readonly DescribedMetric[]) =>
    [
      '| Metric | Type | Unit | Labels | Meaning |',
      '|---|---|---|---|---|',
      ...metrics.map((metric) => {
        const labels = metric.labels.map((label) => `\`${label}\``).join(', ')
        return `| \`${metric.name}\` | ${metric.type} | ${unitOf(metric)} | ${labels} | ${sentence(metric.help)} |`
      }),
    ].join('\n')
  const all = describedMetrics()
  return `# Metrics

Every metric of \`GET /metrics\`, in the Prometheus text format; [operating](operating.md#who-may-read-metrics) says on which
port. Alert on them with the [rules](../deploy/prometheus/alerts.yml), each with a [runbook](runbooks/README.md), and draw
them with [the dashboard](../deploy/grafana/weir.json). \`node scripts/write-metrics-doc.ts\` writes this page.

## Which metrics does Weir have?

${table(all.filter(({ name }) => name.startsWith('weir_')))}

## Which values are shared, and which belong to one process?

- **From the database, and the same in every process**: approvals, agents, buffers, audit log, breaks, events, webhooks,
  ramp, quarantined wallets, and \`weir_database_*\`. Use \`max\`, never \`sum\`. They are NaN, or absent where they have labels,
  while the database is unavailable.
- **Of one worker**: \`weir_job_*\`, \`weir_chain_blocks_behind\`, \`weir_gas_runway_transactions\`. Only the process that holds
  the job exports them.
- **Of each process**: the rest. Use \`sum\`.

Prometheus renames the label \`job\` of a metric to \`exported_job\`, because \`job\` is the name of the target.

## What does a scrape cost?

Twelve small statements on partial indexes: a few milliseconds, however many rows are finished. Reads that arrive together
share one. The values of approvals, agents and buffers are up to five seconds old, so frequent scrapes cost no more.
\`weir_agent_work_oldest_seconds\` reads at most 10,000 transactions that wait for an agent, and is a lower bound beyond that.

The gas runway is measured by one worker, which reads 500 operational wallets a minute: one statement, and for each chain
one request per 100 wallets and one for the fees. A value is at most one pass old. \`transactions\` is the native balance divided
by the fee of a supply (450,000 gas; on Solana two signatures' fees at most) at the chain's current prices.

Series are bounded: chains and endpoints by the settings, routes by the program, failure codes by the
[interface](errors.md), agents by 200 keys that polled within 7 days. RPC endpoints are named by host and port; the rest of
their URLs, which may hold a key, is in no metric and no log line.

## Which metrics of Node.js are there?

${table(all.filter(({ name }) => !name.startsWith('weir_')))}
`
}

if (import.meta.main) writeFileSync(file, metricsDocument())

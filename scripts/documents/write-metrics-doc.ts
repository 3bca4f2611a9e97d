// Writes docs/metrics.md from the registry that the service serves at /metrics. A test compares the two.
import { writeFileSync } from 'node:fs'
import { describedMetrics } from './described-metrics.ts'

const file = new URL('../../docs/metrics.md', import.meta.url)

/** The expected content of docs/metrics.md. */
export function metricsDocument(): string {
  const all = describedMetrics()
  const own = all
    .filter(({ name }) => name.startsWith('weir_'))
    .map(({ name, type, labels, help }) => {
      const series = labels.length > 0 ? `${name}{${labels.join(', ')}}` : name
      return `| \`${series}\` | ${type} | ${help} |`
    })
  const ofNode = Map.groupBy(
    all.filter(({ name }) => !name.startsWith('weir_')),
    ({ type }) => type,
  )
  const byType = [...ofNode].map(
    ([type, metrics]) => `- ${type}: ${metrics.map(({ name }) => `\`${name}\``).join(', ')}`,
  )
  return `# Metrics

\`GET /metrics\` serves these in the Prometheus text format, in live [on a port of its
own](operating.md#who-may-read-metrics). Take the [alert rules](../deploy/prometheus/alerts.yml), each with a
[runbook](runbooks/README.md), and the [Grafana dashboard](../deploy/grafana/weir.json).

## Which metrics does Weir have?

| Metric | Type | Meaning |
|---|---|---|
${own.join('\n')}

## Which values are shared, and which belong to one process?

| Metrics | Exported by | Aggregate with |
|---|---|---|
| approvals, agents, buffers, evaluations, audit log, breaks, events, webhooks, ramp, quarantined wallets, \`weir_database_*\` | every process, with the same value; NaN, or absent where they have labels, while the database is unavailable | \`max\`, never \`sum\` |
| \`weir_job_*\`, \`weir_chain_blocks_behind\`, \`weir_gas_runway_transactions\` | the worker that holds the job; each worker, of the jobs that all of them run | \`max\`; \`sum\` of \`weir_job_held\` should be 1 for each job |
| the rest | each process, its own value | \`sum\` |

Prometheus renames the label \`job\` of a metric to \`exported_job\`.

## What does a scrape cost?

A few milliseconds: thirteen small statements on partial indexes, shared by concurrent scrapes. While the database is
silent, three seconds: less than Prometheus waits. Values of approvals, agents, buffers and evaluations are up to five
seconds old; \`weir_agent_work_oldest_seconds\` is a lower bound beyond 10,000 transactions.

The gas runway is the native balance divided by the current fee of a supply (450,000 gas; on Solana two signatures' fees
at most). One worker measures 500 operational wallets a minute.

The number of series is bounded. RPC endpoints are named by host and port only: the rest of a URL may hold a key.

## Which metrics of Node.js are there?

The default metrics of [prom-client](https://github.com/siimon/prom-client#default-metrics). A scrape explains each in
its \`HELP\`.

${byType.join('\n')}
`
}

if (import.meta.main) writeFileSync(file, metricsDocument())

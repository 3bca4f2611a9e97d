// Writes docs/metrics.md from the registry that the service serves at /metrics. A test compares the two.
import { writeFileSync } from 'node:fs'
import { describedMetrics } from './described-metrics.ts'

const file = new URL('../docs/metrics.md', import.meta.url)

/** Help texts of prom-client end without a full stop. */
const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`)

/** The expected content of docs/metrics.md. */
export function metricsDocument(): string {
  const all = describedMetrics()
  const own = all
    .filter(({ name }) => name.startsWith('weir_'))
    .map(({ name, type, labels, help }) => {
      const names = labels.map((label) => `\`${label}\``).join(', ')
      return `| \`${name}\` | ${type} | ${names} | ${sentence(help)} |`
    })
  const ofNode = all
    .filter(({ name }) => !name.startsWith('weir_'))
    .map(({ name, type, help }) => `| \`${name}\` | ${type} | ${sentence(help)} |`)
  return `# Metrics

\`GET /metrics\` serves these in the Prometheus text format, [on a port of its own](operating.md#who-may-read-metrics) in
live. Alert with the [rules](../deploy/prometheus/alerts.yml), each with a [runbook](runbooks/README.md), and draw with
[the dashboard](../deploy/grafana/weir.json).

## Which metrics does Weir have?

| Metric | Type | Labels | Meaning |
|---|---|---|---|
${own.join('\n')}

## Which values are shared, and which belong to one process?

| Metrics | Exported by | Aggregate with |
|---|---|---|
| approvals, agents, buffers, audit log, breaks, events, webhooks, ramp, quarantined wallets, \`weir_database_*\` | every process, with the same value; NaN, or absent where they have labels, while the database is unavailable | \`max\`, never \`sum\` |
| \`weir_job_*\`, \`weir_chain_blocks_behind\`, \`weir_gas_runway_transactions\` | the worker that holds the job | \`max\`; \`sum\` of \`weir_job_held\` should be 1 for each job |
| the rest | each process, its own value | \`sum\` |

Prometheus renames the label \`job\` of a metric to \`exported_job\`.

## What does a scrape cost?

Twelve small statements on partial indexes: a few milliseconds. Concurrent scrapes share them, and the values of
approvals, agents and buffers are up to five seconds old. \`weir_agent_work_oldest_seconds\` reads at most 10,000
transactions and is a lower bound beyond that.

One worker measures the gas runway of 500 operational wallets a minute, with one RPC request per 100 wallets and one for
the fees of each chain. The runway is the native balance divided by the fee of a supply (450,000 gas; on Solana two
signatures' fees at most) at current prices.

The number of series is bounded; agents are the 200 keys that polled within 7 days. RPC endpoints are named by host and
port only, because the rest of a URL may hold a key: it is in no metric and no log line.

## Which metrics of Node.js are there?

| Metric | Type | Meaning |
|---|---|---|
${ofNode.join('\n')}
`
}

if (import.meta.main) writeFileSync(file, metricsDocument())

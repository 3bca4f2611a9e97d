/** The rows of the Grafana dashboard; `write-grafana-dashboard.ts` writes them in the format of Grafana. */
import { NOW } from './grafana-now.ts'
import { overTime, type Row } from './grafana-panels.ts'

export const ROWS: readonly Row[] = [
  NOW,
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
        {
          title: 'Waiting',
          description:
            'The oldest approval, the oldest work for agents, and the oldest transaction that may still land.',
          unit: 's',
        },
        { expr: 'max(weir_approval_oldest_seconds)', legend: 'approval' },
        { expr: 'max(weir_agent_work_oldest_seconds)', legend: 'agent' },
        { expr: 'max(weir_stuck_transaction_oldest_seconds)', legend: 'stuck transaction' },
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
        { title: 'Endpoints without old state', description: 'They refuse to read a past block; over all processes.' },
        { expr: 'sum by (blockchain) (weir_rpc_endpoints_without_state)', legend: '{{blockchain}}' },
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
        {
          title: 'Requests',
          description: 'Requests a second, by status, and those that the client left.',
          unit: 'reqps',
        },
        {
          expr: 'sum by (status) (rate(weir_http_request_duration_seconds_count[$__rate_interval]))',
          legend: '{{status}}',
        },
        { expr: 'sum(rate(weir_http_requests_aborted_total[$__rate_interval]))', legend: 'aborted' },
      ),
      overTime(
        { title: 'In progress', description: 'Requests that each process handles.' },
        { expr: 'sum by (instance) (weir_http_requests_in_flight)', legend: '{{instance}}' },
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
    title: 'Database',
    panels: [
      overTime(
        { title: 'Writable', description: '0: this process cannot write.' },
        { expr: 'min by (instance) (weir_database_writable)', legend: '{{instance}}' },
      ),
      overTime(
        { title: 'Standbys', description: 'Standbys that acknowledge commits; too few: 1 while /ready warns.' },
        { expr: 'min(weir_database_sync_standbys)', legend: 'synchronous' },
        { expr: 'max(weir_database_one_node)', legend: 'too few' },
      ),
      overTime(
        { title: 'Epoch', description: 'Rises when the database moves to another timeline, or goes back in time.' },
        { expr: 'max(weir_database_epoch)', legend: 'epoch' },
      ),
      overTime(
        { title: 'Clocks', description: 'How far the clock of a process is ahead of the database’s.', unit: 's' },
        { expr: 'max by (instance) (weir_clock_difference_seconds)', legend: '{{instance}}' },
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
        { title: 'Stalled jobs', description: 'How long a job has made no progress, beyond its period.', unit: 's' },
        { expr: 'max by (exported_job) (weir_job_stalled_seconds)', legend: '{{exported_job}}' },
      ),
      overTime(
        { title: 'Resting jobs', description: 'Jobs that stalled in a process, which leaves them to others.' },
        { expr: 'sum by (instance, exported_job) (weir_job_resting)', legend: '{{instance}} {{exported_job}}' },
      ),
      overTime(
        { title: 'Age of leases', description: 'How long ago each worker renewed its leases.', unit: 's' },
        { expr: 'max by (instance) (weir_lease_age_seconds)', legend: '{{instance}}' },
      ),
      overTime(
        { title: 'Webhooks', description: 'What waits to be relayed and delivered.' },
        { expr: 'max(weir_events_waiting)', legend: 'events' },
        { expr: 'max(weir_events_held)', legend: 'events held' },
        { expr: 'max(weir_webhook_deliveries_pending)', legend: 'deliveries' },
      ),
      overTime(
        { title: 'Webhooks in trouble', description: 'Those that fail, and those that were disabled for it.' },
        { expr: 'max(weir_webhooks_failing)', legend: 'failing' },
        { expr: 'max(weir_webhooks_disabled)', legend: 'disabled' },
      ),
      overTime(
        { title: 'Payments in progress', description: 'Between banks and chains.' },
        { expr: 'max(weir_onramp_open)', legend: 'on-ramp' },
        { expr: 'max(weir_offramp_open)', legend: 'off-ramp' },
      ),
      overTime(
        {
          title: 'Late',
          description:
            'The most overdue evaluation, delivery and anchor, the oldest event for the relay, the oldest payment between bank and chain, and the oldest erasure.',
          unit: 's',
        },
        { expr: 'max(weir_evaluation_overdue_seconds)', legend: 'evaluation' },
        { expr: 'max(weir_event_oldest_seconds)', legend: 'event' },
        { expr: 'max(weir_webhook_overdue_seconds)', legend: 'webhook' },
        { expr: 'max(weir_audit_anchor_overdue_seconds)', legend: 'audit anchor' },
        { expr: 'max(weir_ramp_oldest_seconds)', legend: 'payment' },
        { expr: 'max(weir_erasure_oldest_seconds)', legend: 'erasure' },
      ),
      overTime(
        { title: 'Audit backlog', description: 'Audit entries that wait for their place in the chain.' },
        { expr: 'max(weir_audit_entries_unchained)', legend: 'entries' },
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

/** Metrics of the service that no panel shows, each with the reason. */
export const NOT_SHOWN: Readonly<Record<string, string>> = {
  weir_old_rows_deleted_total: 'It grows as the retention settings demand, and no action follows from it.',
  weir_process_info: 'says who runs, for the alert WeirNoApi',
}

/** The alert rules; `write-alert-rules.ts` writes them in the format of Prometheus. */
export interface AlertRule {
  readonly alert: string
  readonly expr: string
  /** How long the expression must hold. */
  readonly for?: string
  /** `critical`: money cannot move, or may be wrong: act now. `warning`: act within the working day. */
  readonly severity: 'critical' | 'warning'
  readonly summary: string
}

/** Probes and scrapes hide what callers see: they are most requests of a quiet service, and fail by design. */
const OF_CALLERS = 'route!~"/health|/ready|/metrics"'

/** More workers run the job than it stalls in: each worker takes part in jobs such as `rebalance`. */
const OTHERS_RUN_IT =
  'on (exported_job) count by (exported_job) (weir_job_progress_age_seconds) > count by (exported_job) (weir_job_stalled_seconds)'

export const ALERT_RULES: readonly AlertRule[] = [
  {
    alert: 'WeirNoWorker',
    expr: 'absent(weir_lease_age_seconds)',
    for: '2m',
    severity: 'critical',
    summary: 'No Weir worker is scraped: chains are not followed, and nothing is settled.',
  },
  {
    alert: 'WeirNoApi',
    expr: 'absent(weir_process_info{role=~"api|all"})',
    for: '2m',
    severity: 'critical',
    summary: 'No Weir process that serves the API is scraped: clients and agents get no response.',
  },
  {
    alert: 'WeirJobUnheld',
    expr: 'sum by (exported_job) (weir_job_held) != 1 or max by (exported_job) (max_over_time(weir_job_held[1h])) unless on (exported_job) weir_job_held',
    for: '2m',
    severity: 'critical',
    summary: 'The job "{{ $labels.exported_job }}" is not held by exactly one worker.',
  },
  {
    alert: 'WeirJobStalled',
    expr: `max by (exported_job) (weir_job_stalled_seconds{exported_job!~"follow .*"}) > 0 unless ${OTHERS_RUN_IT}`,
    for: '1m',
    severity: 'warning',
    summary: 'The job "{{ $labels.exported_job }}" has made no progress for {{ $value | humanizeDuration }}.',
  },
  {
    // Where the job stalls in all workers that run it now, WeirJobStalled and WeirChainStalled are the alerts.
    alert: 'WeirJobResting',
    expr: `max by (instance, exported_job) (weir_job_resting) > 0 unless on (exported_job) (weir_job_stalled_seconds unless ${OTHERS_RUN_IT})`,
    for: '2m',
    severity: 'warning',
    summary: 'The job "{{ $labels.exported_job }}" stalled in the worker {{ $labels.instance }}; another one runs it.',
  },
  {
    alert: 'WeirLeasesLate',
    expr: 'max by (instance) (weir_lease_age_seconds) > 8',
    for: '1m',
    severity: 'warning',
    summary: 'The worker {{ $labels.instance }} has not renewed its leases for {{ $value | humanizeDuration }}.',
  },
  {
    alert: 'WeirDatabaseReadOnly',
    expr: 'min(weir_database_writable) == 0',
    for: '1m',
    severity: 'critical',
    summary: 'A Weir process cannot write to its database.',
  },
  {
    alert: 'WeirWritesLost',
    expr: 'max(weir_database_lost_writes) > 0',
    severity: 'critical',
    summary: 'The database has gone back in time: acknowledged writes are lost.',
  },
  {
    alert: 'WeirStandbyMissing',
    expr: 'max(weir_database_one_node) == 1 or min(weir_database_sync_standbys) < max(max_over_time(weir_database_sync_standbys[1d]))',
    for: '5m',
    severity: 'warning',
    summary: 'Fewer standbys acknowledge commits than should, or than within the last day.',
  },
  {
    alert: 'WeirClockDiffers',
    expr: 'max by (instance) (abs(weir_clock_difference_seconds)) > 30',
    for: '2m',
    severity: 'warning',
    summary: 'The clocks of {{ $labels.instance }} and of the database differ by {{ $value | humanizeDuration }}.',
  },
  {
    alert: 'WeirRequestsFail',
    expr: `sum(rate(weir_http_request_duration_seconds_count{status=~"5..",${OF_CALLERS}}[5m])) / sum(rate(weir_http_request_duration_seconds_count{${OF_CALLERS}}[5m])) > 0.05`,
    for: '5m',
    severity: 'critical',
    summary: '{{ $value | humanizePercentage }} of requests fail with a 5xx status.',
  },
  {
    alert: 'WeirChainUnavailable',
    expr: 'sum by (blockchain) (weir_rpc_endpoints{health="available"}) == 0',
    for: '2m',
    severity: 'critical',
    summary: 'No RPC endpoint of {{ $labels.blockchain }} responds.',
  },
  {
    alert: 'WeirStateMissing',
    expr: 'max by (blockchain) (sum by (blockchain, instance) (weir_rpc_endpoints_without_state) / sum by (blockchain, instance) (weir_rpc_endpoints)) == 1',
    for: '10m',
    severity: 'warning',
    summary:
      'No RPC endpoint of {{ $labels.blockchain }} keeps the state of final blocks: balances are compared late or never.',
  },
  {
    alert: 'WeirEndpointFails',
    expr: 'sum by (blockchain, endpoint) (rate(weir_rpc_requests_total{outcome!="ok"}[10m])) / sum by (blockchain, endpoint) (rate(weir_rpc_requests_total[10m])) > 0.2',
    for: '10m',
    severity: 'warning',
    summary: '{{ $value | humanizePercentage }} of requests to {{ $labels.endpoint }} ({{ $labels.blockchain }}) fail.',
  },
  {
    alert: 'WeirEndpointSlow',
    expr: 'histogram_quantile(0.9, sum by (blockchain, endpoint, le) (rate(weir_rpc_request_duration_seconds_bucket[10m]))) > 2',
    for: '10m',
    severity: 'warning',
    summary:
      'A tenth of the requests to {{ $labels.endpoint }} ({{ $labels.blockchain }}) take {{ $value | humanizeDuration }} or longer.',
  },
  {
    alert: 'WeirEndpointLags',
    expr: 'max by (blockchain) (weir_rpc_endpoints{health="lagging"}) > 0',
    for: '10m',
    severity: 'warning',
    summary: 'RPC endpoints of {{ $labels.blockchain }} that respond with old blocks: {{ $value }}.',
  },
  {
    alert: 'WeirChainSilent',
    expr: 'max by (blockchain) (weir_chain_head_age_seconds) > 300',
    for: '2m',
    severity: 'critical',
    summary:
      'The latest block that any endpoint of {{ $labels.blockchain }} reports is {{ $value | humanizeDuration }} old.',
  },
  {
    alert: 'WeirChainStalled',
    expr: 'max by (exported_job) (weir_job_progress_age_seconds{exported_job=~"follow .*"}) > 120',
    for: '1m',
    severity: 'critical',
    summary: 'The job "{{ $labels.exported_job }}" has made no progress for {{ $value | humanizeDuration }}.',
  },
  {
    alert: 'WeirChainBehind',
    expr: 'max by (blockchain) (weir_chain_blocks_behind) > 50 and max by (blockchain) (deriv(weir_chain_blocks_behind[10m])) > 0',
    for: '10m',
    severity: 'warning',
    summary: '{{ $labels.blockchain }} is {{ $value }} final blocks behind and falling further behind.',
  },
  {
    alert: 'WeirChainFarBehind',
    expr: 'max by (blockchain) (weir_chain_blocks_behind) > 1000',
    for: '1h',
    severity: 'critical',
    summary: '{{ $labels.blockchain }} is {{ $value }} final blocks behind, and has been far behind for an hour.',
  },
  {
    alert: 'WeirBreakOpen',
    expr: 'max(weir_open_breaks) > 0',
    for: '5m',
    severity: 'critical',
    summary: 'Open differences between ledger and chain: {{ $value }}.',
  },
  {
    alert: 'WeirWalletQuarantined',
    expr: 'max(weir_wallets_quarantined) > 0',
    for: '10m',
    severity: 'critical',
    summary: 'Wallets that cannot be settled: {{ $value }}.',
  },
  {
    alert: 'WeirAgentSilent',
    expr: 'max by (organization, key) (weir_agent_poll_age_seconds) > 300',
    for: '1m',
    severity: 'critical',
    summary:
      'The agent of key {{ $labels.key }} (organization {{ $labels.organization }}) has not polled for {{ $value | humanizeDuration }}.',
  },
  {
    alert: 'WeirAgentWorkWaits',
    expr: 'max(weir_agent_work_oldest_seconds) > 900',
    for: '5m',
    severity: 'warning',
    summary: 'A transaction has waited for an agent for {{ $value | humanizeDuration }}.',
  },
  {
    alert: 'WeirTransactionStuck',
    expr: 'max(weir_stuck_transaction_oldest_seconds) > 3600',
    for: '5m',
    severity: 'warning',
    summary: 'A wallet waits for a transaction that was submitted {{ $value | humanizeDuration }} ago.',
  },
  {
    alert: 'WeirGasLow',
    expr: 'min by (blockchain) (weir_gas_runway_transactions) < 10',
    for: '5m',
    severity: 'warning',
    summary: 'The gas of a wallet on {{ $labels.blockchain }} pays for {{ $value }} more transactions.',
  },
  {
    alert: 'WeirApprovalWaits',
    expr: 'max(weir_approval_oldest_seconds) > 14400',
    severity: 'warning',
    summary: 'An operation has waited for approval for {{ $value | humanizeDuration }}.',
  },
  {
    alert: 'WeirBufferShort',
    expr: 'max(weir_buffer_short_oldest_seconds) > 1800',
    for: '5m',
    severity: 'critical',
    summary: 'A wallet has been below its buffer for {{ $value | humanizeDuration }}.',
  },
  {
    alert: 'WeirEvaluationsLate',
    expr: 'max(weir_evaluation_overdue_seconds) > 900',
    for: '5m',
    severity: 'critical',
    summary: 'A wallet has been due for an evaluation for {{ $value | humanizeDuration }}: its buffer is not watched.',
  },
  {
    alert: 'WeirTransactionsFail',
    expr: 'sum by (blockchain, code) (increase(weir_transactions_failed_total[30m])) > 3',
    severity: 'warning',
    summary:
      '{{ $value | humanize }} transactions on {{ $labels.blockchain }} failed with {{ $labels.code }} in 30 minutes.',
  },
  {
    alert: 'WeirOperationsFail',
    expr: 'sum by (reason) (increase(weir_operations_ended_total{outcome="failed"}[1h])) > 10 and sum by (reason) (increase(weir_operations_ended_total{outcome="failed"}[1h])) > 3 * sum by (reason) (increase(weir_operations_ended_total{outcome="failed"}[1d])) / 24',
    for: '5m',
    severity: 'warning',
    summary:
      '{{ $value | humanize }} operations failed with {{ $labels.reason }} in an hour, three times as many as in an hour of the last day.',
  },
  {
    alert: 'WeirEventsWait',
    expr: 'max(weir_events_waiting) > 1000',
    for: '5m',
    severity: 'warning',
    summary: 'Events that are not relayed to webhooks yet: {{ $value }}.',
  },
  {
    alert: 'WeirEventsLate',
    expr: 'max(weir_event_oldest_seconds) > 300',
    for: '5m',
    severity: 'warning',
    summary: 'An event has waited for the relay to webhooks for {{ $value | humanizeDuration }}.',
  },
  {
    alert: 'WeirEventHeld',
    expr: 'max(weir_events_held) > 0',
    for: '2m',
    severity: 'warning',
    summary: 'Events that cannot be published: {{ $value }}. They hold back the later events of their objects.',
  },
  {
    alert: 'WeirWebhooksLate',
    expr: 'max(weir_webhook_overdue_seconds) > 300',
    for: '5m',
    severity: 'warning',
    summary: 'A delivery to a healthy webhook has been due for {{ $value | humanizeDuration }}.',
  },
  {
    alert: 'WeirRampStuck',
    expr: 'max(weir_ramp_oldest_seconds) > 259200',
    severity: 'warning',
    summary: 'A payment between bank and chain has been in progress for {{ $value | humanizeDuration }}.',
  },
  {
    alert: 'WeirDepositsWait',
    expr: 'max(weir_deposits_waiting_seconds) > 900',
    for: '5m',
    severity: 'warning',
    summary: 'Tokens at a deposit address have waited for {{ $value | humanizeDuration }}: no payout began.',
  },
  {
    alert: 'WeirErasureLate',
    expr: 'max(weir_erasure_oldest_seconds) > 3600',
    for: '15m',
    severity: 'warning',
    summary: 'The erasure of an organization has not ended for {{ $value | humanizeDuration }}.',
  },
  {
    alert: 'WeirAuditAnchorLate',
    expr: 'max(weir_audit_anchor_overdue_seconds) > 900',
    for: '5m',
    severity: 'warning',
    summary: 'An anchor of the audit log has waited for {{ $value | humanizeDuration }}.',
  },
  {
    alert: 'WeirAuditUnchained',
    expr: 'max(weir_audit_entries_unchained) > 100 and max(deriv(weir_audit_entries_unchained[10m])) > 0',
    for: '10m',
    severity: 'warning',
    summary: '{{ $value }} audit entries wait for their place in the chain, and more arrive than are chained.',
  },
  {
    alert: 'WeirCredentialsGuessed',
    expr: 'sum by (type) (rate(weir_security_events_total[5m])) > 1',
    for: '5m',
    severity: 'warning',
    summary: '{{ $value | humanize }} requests a second are refused as {{ $labels.type }}.',
  },
  {
    alert: 'WeirValueUnreadable',
    expr: 'sum by (reason) (increase(weir_unreadable_values_total[1d])) > 0',
    severity: 'warning',
    summary: 'Stored values cannot be decrypted ({{ $labels.reason }}).',
  },
]

/** The file of an alert's runbook: `WeirBreakOpen` is `docs/runbooks/break-open.md`. */
export const runbookOf = ({ alert }: Pick<AlertRule, 'alert'>): string =>
  `docs/runbooks/${alert
    .replace(/^Weir/, '')
    .replace(/(?<=[a-z])(?=[A-Z])/g, '-')
    .toLowerCase()}.md`

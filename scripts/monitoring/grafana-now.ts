import { now, type Row } from './grafana-panels.ts'

/** What is wrong now, at one look. */
export const NOW: Row = {
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
        title: 'Overdue evaluation',
        description: 'How long a wallet has been due for an evaluation by the rebalancer.',
        unit: 's',
        redFrom: 900,
      },
      'max(weir_evaluation_overdue_seconds)',
    ),
    now(
      {
        title: 'Oldest event',
        description: 'How long an event waits for the relay to webhooks.',
        unit: 's',
        redFrom: 300,
      },
      'max(weir_event_oldest_seconds)',
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
    now(
      {
        title: 'Lost writes',
        description: '1: acknowledged writes are gone, and nobody has reset that.',
        redFrom: 1,
      },
      'max(weir_database_lost_writes)',
    ),
    now(
      { title: 'Too few standbys', description: '1: an acknowledged write may rest on one node.', redFrom: 1 },
      'max(weir_database_one_node)',
    ),
    now(
      {
        title: 'Stuck transaction',
        description: 'How long ago a transaction was submitted that a wallet still waits for.',
        unit: 's',
        redFrom: 3_600,
      },
      'max(weir_stuck_transaction_oldest_seconds)',
    ),
    now(
      {
        title: 'Overdue webhook',
        description: 'How long a delivery to a healthy webhook has been due.',
        unit: 's',
        redFrom: 300,
      },
      'max(weir_webhook_overdue_seconds)',
    ),
    now(
      {
        title: 'Oldest payment',
        description: 'How long a payment between bank and chain has been in progress.',
        unit: 's',
        redFrom: 259_200,
      },
      'max(weir_ramp_oldest_seconds)',
    ),
    now(
      {
        title: 'Oldest deposit',
        description: 'How long tokens at a deposit address wait to be recorded and passed to the banking partner.',
        unit: 's',
        redFrom: 900,
      },
      'max(weir_deposits_waiting_seconds)',
    ),
    now(
      {
        title: 'Late audit anchor',
        description: 'How long an anchor of the audit log waits to be sent.',
        unit: 's',
        redFrom: 900,
      },
      'max(weir_audit_anchor_overdue_seconds)',
    ),
  ],
}

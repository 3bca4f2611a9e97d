import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * A table of states only helps if all code goes through it. Only the modules that run on the table may assign the columns
 * of its states; these tests search the text of every other file for assignments.
 */
interface StatesOfTable extends AssignedStates {
  /** The file with the table of states, below src. */
  readonly states: string
}

interface AssignedStates {
  readonly table: string
  /** What a state is made of. */
  readonly columns: readonly string[]
  /** The files that may assign them, below src. */
  readonly modules: readonly string[]
}

const LIFECYCLE = 'operations/lifecycle'
const STATES: readonly StatesOfTable[] = [
  {
    states: `${LIFECYCLE}/states/operation-states.ts`,
    table: 'operations',
    columns: ['state', 'failure_reason', 'settled_amount', 'approved_at', 'rejected_at', 'completed_at'],
    modules: [`${LIFECYCLE}/records/insert-operation.ts`, `${LIFECYCLE}/transitions/advance-operations.ts`],
  },
  {
    states: `${LIFECYCLE}/states/transaction-states.ts`,
    table: 'transactions',
    columns: [
      'state',
      'can_still_land',
      'unsigned_bytes',
      'tx_hash',
      'submitted_at',
      'first_seen_at',
      'last_seen_at',
      'block_number',
      'block_hash',
      'included_at',
      'finalized_at',
      'failure_code',
      'error',
      'revert_reason',
    ],
    modules: [
      `${LIFECYCLE}/records/insert-transactions.ts`,
      `${LIFECYCLE}/transitions/advance-transactions.ts`,
      `${LIFECYCLE}/transitions/advance-transactions-in-bulk.ts`,
    ],
  },
  {
    states: `${LIFECYCLE}/states/agent-work-states.ts`,
    table: 'agent_work',
    columns: ['stage'],
    modules: [`${LIFECYCLE}/transitions/advance-agent-work.ts`],
  },
  {
    states: 'agents/action-states.ts',
    table: 'agent_actions',
    columns: [
      'status',
      'result',
      'wallet_id',
      'reported_at',
      'available_at',
      'lease_token',
      'claimed_at',
      'lease_count',
    ],
    modules: ['agents/advance-action.ts'],
  },
  {
    states: 'allocations/positions/allocation-states.ts',
    table: 'allocations',
    columns: ['status', 'closed_at'],
    modules: ['allocations/positions/write-allocation.ts'],
  },
  {
    states: 'webhooks/lifecycle/delivery-states.ts',
    table: 'webhook_deliveries',
    columns: ['status', 'attempt_count', 'next_attempt_at'],
    modules: ['webhooks/lifecycle/advance-deliveries.ts'],
  },
  {
    states: 'changes/requests/change-states.ts',
    table: 'change_requests',
    columns: ['state', 'approved_at', 'ended_at', 'expires_at'],
    modules: ['changes/requests/advance-change-request.ts'],
  },
  {
    states: 'allocations/exits/exit-states.ts',
    table: 'exits',
    columns: ['state', 'pending', 'claimable', 'claimed_at'],
    modules: ['allocations/exits/write-exits.ts'],
  },
  {
    states: 'rebalancing/awaited/awaited-states.ts',
    table: 'awaited_withdrawals',
    columns: ['state', 'ended_at'],
    modules: ['rebalancing/awaited/write-awaited.ts'],
  },
  {
    states: 'breakers/breaker-states.ts',
    table: 'circuit_breakers',
    columns: ['state', 'measure', 'accepted_measure', 'observed_measure', 'observed_code', 'opened_at', 'fine_since'],
    modules: ['breakers/advance-breaker.ts'],
  },
  {
    states: 'ramp/transactions/ramp-transaction-states.ts',
    table: 'ramp_transactions',
    columns: [
      'status',
      'status_history',
      'completed_at',
      'tx_hash',
      'return_tx_hash',
      'failure_reason',
      'provider_sequence',
    ],
    modules: ['ramp/transactions/advance-ramp-transaction.ts'],
  },
  {
    states: 'ramp/customers/kyb-states.ts',
    table: 'ramp_customers',
    columns: ['kyb_status', 'kyb_link', 'kyb_reference', 'kyb_attempt', 'kyb_sequence'],
    modules: ['ramp/customers/advance-verification.ts'],
  },
  {
    states: 'sandbox/treasury/treasury-send-states.ts',
    table: 'treasury_sends',
    columns: ['state', 'block_number'],
    modules: ['sandbox/treasury/treasury-sends.ts'],
  },
]

/** States that no table moves, with the reason (ADR 192). Only these modules assign them, too. */
const WITHOUT_TABLE: readonly (AssignedStates & { readonly why: string })[] = [
  {
    table: 'ledger_breaks',
    columns: ['opened_at', 'closed_at', 'accepted_at', 'accepted_by', 'accepted_amount', 'accepted_reason'],
    modules: ['ledger/breaks.ts', 'ledger/accept-break.ts'],
    why: 'what a break is follows from amounts, in the one statement that stores those of many wallets',
  },
  {
    table: 'ramp_sandbox_applications',
    columns: ['status', 'sequence'],
    modules: ['ramp/sandbox/onboarding.ts'],
    why: 'the simulated partner says what it decided; kyb-states.ts judges it',
  },
  {
    table: 'ramp_accounts',
    columns: ['status'],
    modules: [
      'ramp/accounts/open-account.ts',
      'ramp/customers/update-recipient.ts',
      'ramp/personal/erase-customers.ts',
    ],
    why: 'it opens, and is archived with its customer: no event leads back',
  },
  {
    table: 'venues',
    columns: ['status'],
    modules: ['venues/catalogue/add-strategies.ts', 'venues/catalogue/seed-catalogue.ts'],
    why: 'what the lists of venues say at the start',
  },
  {
    table: 'strategies',
    columns: ['status', 'announced_status', 'paused_because', 'deposit_state', 'withdrawal_state'],
    modules: [
      'venues/catalogue/add-strategies.ts',
      'venues/catalogue/confirm-tokens.ts',
      'venues/catalogue/seed-catalogue.ts',
      'venues/catalogue/strategy-rates.ts',
    ],
    why: 'what the lists of venues and the contracts on chain say at the time, whatever they said before',
  },
  {
    table: 'webhooks',
    columns: ['disabled_at', 'disable_reason', 'failing_at', 'deleted_at'],
    modules: [
      'webhooks/delivery/claim-webhooks.ts',
      'webhooks/endpoints/disable-failing.ts',
      'webhooks/endpoints/erase-webhooks.ts',
      'webhooks/endpoints/update-webhook.ts',
    ],
    why: 'its status follows from these times (ADR 192)',
  },
  {
    table: 'member_invitations',
    columns: ['accepted_at', 'revoked_at'],
    modules: [
      'identity/invitations/accept-member-invitation.ts',
      'identity/invitations/end-open-invitations.ts',
      'identity/invitations/invite-member.ts',
      'identity/invitations/revoke-member-invitation.ts',
    ],
    why: 'each ends it once, whatever the other says',
  },
]

const root = import.meta.dirname
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('database/migrations/'))
  .map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }))

/** The columns of a table that a text assigns or inserts: by SQL, or by the query builder. */
function assignedColumns(text: string, table: string): string[] {
  const updates = [
    ...text.matchAll(
      new RegExp(`\\bupdate ${table}\\b([\\s\\S]*?)\\bset\\b([\\s\\S]*?)(?=\\bfrom\\b|\\bwhere\\b|\`)`, 'gi'),
    ),
  ]
  const inserts = [...text.matchAll(new RegExp(`\\binsert into ${table}\\b\\s*\\(([^)]*)\\)`, 'gi'))]
  const built = [
    ...text.matchAll(new RegExp(`(?:updateTable|insertInto)\\('${table}(?: as \\w+)?'\\)([\\s\\S]*?)\\.execute`, 'g')),
  ]
  return [
    ...updates.flatMap(([, , set = '']) => [...set.matchAll(/(?:^|,)\s*(\w+)\s*=/g)].map(([, column = '']) => column)),
    ...inserts.flatMap(([, columns = '']) => columns.split(',').map((column) => column.trim())),
    ...built.flatMap(([, chain = '']) =>
      [...chain.matchAll(/[{,]\s*(\w+)\s*(?::|,|\})/g)].map(([, column = '']) => column),
    ),
  ]
}

test('every table of states is listed here and in CONTRIBUTING.md', () => {
  const found = files.filter(({ name, text }) => name !== 'kernel/state-table.ts' && /\bstateTable[<(]/.test(text))
  expect(found.map(({ name }) => name).toSorted()).toEqual(STATES.map(({ states }) => states).toSorted())
  const contributing = readFileSync(join(root, '../../../CONTRIBUTING.md'), 'utf8')
  const unlisted = STATES.filter(({ states }) => !contributing.includes(`\`${basename(states)}\``))
  expect(unlisted.map(({ states }) => states)).toEqual([])
})

test('every column of states belongs to a table of states, or is named with a reason', () => {
  const listed = [...STATES, ...WITHOUT_TABLE].flatMap(({ table, columns }) =>
    columns.map((column) => `${table}.${column}`),
  )
  expect(columnsOfStates().filter((column) => !listed.includes(column))).toEqual([])
  expect(columnsOfStates().length).toBeGreaterThan(STATES.length)
})

for (const { table, columns, modules } of [...STATES, ...WITHOUT_TABLE]) {
  test(`only ${modules.length === 1 ? 'one module' : 'its modules'} assigns the state of ${table}`, () => {
    const around = files.flatMap(({ name, text }) =>
      modules.includes(name)
        ? []
        : assignedColumns(text, table)
            .filter((column) => columns.includes(column))
            .map((column) => `${name} assigns ${table}.${column}`),
    )
    expect(around).toEqual([])
  })

  test(`each module of ${table} assigns its state, so that the list is whole`, () => {
    for (const module of modules) {
      const text = files.find(({ name }) => name === module)?.text ?? ''
      expect(
        new RegExp(`(?:update|insert into|updateTable\\('|insertInto\\(')\\s*'?${table}\\b`).test(text),
        module,
      ).toBe(true)
    }
  })
}

test('an assignment is found in SQL and in the query builder, and a condition is not one', () => {
  expect(
    assignedColumns("update transactions t set error = 'x', state = 'failed' from a where t.nonce = 1", 'transactions'),
  ).toEqual(['error', 'state'])
  expect(assignedColumns('`update agent_work set stage = 1`', 'agent_work')).toEqual(['stage'])
  expect(assignedColumns('insert into transactions (id, state) select 1', 'transactions')).toEqual(['id', 'state'])
  const built =
    "db.updateTable('agent_work').set({ stage: 'sent', available_at }).where('stage', '=', 'leased').execute()"
  expect(assignedColumns(built, 'agent_work')).toEqual(['stage', 'available_at'])
  expect(assignedColumns("select state from transactions where state = 'failed'", 'transactions')).toEqual([])
})

/** The columns of the database that are called state, status or stage, and have words as their type. */
function columnsOfStates(): string[] {
  const schemas = files.filter(({ name }) => name.startsWith('database/schema/'))
  return schemas.flatMap(({ text }) =>
    [...text.matchAll(/^ {2}(\w+): \{$([\s\S]*?)^ {2}\}$/gm)].flatMap(([, table, columns = '']) =>
      [...columns.matchAll(/^ {4}((?:\w+_)?(?:state|status|stage)): (.+)$/gm)]
        .filter(([, , type = '']) => !/\b(?:number|string)\b/.test(type))
        .map(([, column]) => `${table}.${column}`),
    ),
  )
}

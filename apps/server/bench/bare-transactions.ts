import type pg from 'pg'
import type { Operation } from '../src/operations/index.ts'

/** Whose rows a bare transaction writes. */
export interface RowOwner {
  readonly organizationId: number
  readonly walletId: number
  readonly strategyId: number
}

type Statement = readonly [text: string, values: readonly unknown[]]

/** One transaction as a first draft would write it: begin, one statement per row, commit. */
async function inOne(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await work(client)
    await client.query('commit')
  } finally {
    client.release()
  }
}

async function each(client: pg.PoolClient, statements: readonly Statement[]): Promise<void> {
  for (const [text, values] of statements) await client.query(text, [...values])
}

const BYTES = `0x02${'ab'.repeat(180)}`
const CALL = JSON.stringify({ family: 'evm', to: `0x${'ab'.repeat(20)}`, data: `0x${'cd'.repeat(68)}`, value: '0' })
const DATA = JSON.stringify({ operationId: 1, type: 'SUPPLY', status: 'EXECUTING', walletId: 1, amount: '1000000' })

/** Writes the eleven rows of a supply plan with two transactions. */
export async function barePlan(pool: pg.Pool, { organizationId, walletId, strategyId }: RowOwner): Promise<void> {
  await inOne(pool, async (client) => {
    const { rows } = await client.query(
      `insert into operations (organization_id, wallet_id, strategy_id, type, executor, state, amount, expires_at,
        created_at, updated_at) values ($1, $2, $3, 'SUPPLY', 'client', 'EXECUTING', 1000000, now() + interval '1 hour',
        now(), now()) returning id`,
      [organizationId, walletId, strategyId],
    )
    const id = rows[0].id as string
    const sender = `0x${walletId.toString().padStart(40, '0')}`
    const entry = await client.query(
      `insert into ledger_entries (organization_id, kind, source, operation_id, created_at)
        values ($1, 'reserve', $2, $3, now()) returning id`,
      [organizationId, `reserve:${id}`, id],
    )
    const transaction = (position: number, kind: string): Statement => [
      `insert into transactions (organization_id, operation_id, position, kind, state, blockchain, sender, description,
        call, nonce, unsigned_bytes, valid_until, can_still_land)
        values ($1, $2, $3, $4, 'unsigned', 'polygon', $5, 'Supply 1.00 USDC', $6, 0, $7, now(), true)`,
      [organizationId, id, position, kind, sender, CALL, BYTES],
    ]
    const posting = (account: string, amount: string): Statement => [
      `insert into ledger_postings (organization_id, entry_id, wallet_id, token_address, account, amount)
        select $1, $2, wallet_id, token_address, $4, $5 from ledger_balances where organization_id = $1 and wallet_id = $3`,
      [organizationId, entry.rows[0].id, walletId, account, amount],
    ]
    const event = (name: string): Statement => [
      `insert into outbox (organization_id, event, object_type, object_id, data, created_at)
        values ($1, $2, 'operation', $3, $4, now())`,
      [organizationId, name, id, DATA],
    ]
    await each(client, [
      transaction(0, 'approve'),
      transaction(1, 'supply'),
      [
        `insert into reservations (organization_id, operation_id, wallet_id, token_address, amount, covered, created_at)
          values ($1, $2, $3, 'token', 1000000, 1000000, now())`,
        [organizationId, id, walletId],
      ],
      event('operation.created'),
      event('operation.executing'),
      posting('available', '-1000000'),
      posting('reserved', '1000000'),
      [
        `update ledger_balances set available = available - 1000000, reserved = reserved + 1000000
          where organization_id = $1 and wallet_id = $2`,
        [organizationId, walletId],
      ],
      [
        `insert into chain_nonces (blockchain, address, latest_count) values ('polygon', $1, 0)
          on conflict (blockchain, address) do update set latest_count = 0`,
        [sender],
      ],
    ])
  })
}

/** Writes the three rows of a supply with one transaction whose block is not final. */
export async function bareInclusion(pool: pg.Pool, operation: Operation): Promise<void> {
  const own = [operation.organizationId, operation.operationId] as const
  const hash = hashOf(operation)
  await inOne(pool, async (client) => {
    await each(client, [
      [
        `insert into transaction_hashes (organization_id, blockchain, tx_hash, transaction_id, source, created_at)
          select organization_id, blockchain, $3, id, 'watcher', now() from transactions
          where organization_id = $1 and operation_id = $2`,
        [...own, hash],
      ],
      [
        `update transactions set state = 'pending', tx_hash = $3, block_number = 1, block_hash = $3, included_at = now(),
          last_seen_at = now(), submitted_at = now() where organization_id = $1 and operation_id = $2`,
        [...own, hash],
      ],
      [`update operations set state = 'CONFIRMING', updated_at = now() where organization_id = $1 and id = $2`, own],
    ])
  })
}

const hashOf = ({ operationId }: Operation) => `0x${operationId.toString(16).padStart(64, '0')}`

/** Writes the eleven rows of the confirmation of a supply with one transaction. */
export async function bareSettlement(pool: pg.Pool, operation: Operation): Promise<void> {
  const { organizationId, operationId, walletId, strategyId } = operation
  const own = [organizationId, operationId] as const
  const hash = hashOf(operation)
  await inOne(pool, async (client) => {
    const { rows } = await client.query(
      `insert into ledger_entries (organization_id, kind, source, operation_id, block_number, created_at)
        values ($1, 'supply', $2, $3, 1, now()) returning id`,
      [organizationId, `settle:${operationId}`, operationId],
    )
    const posting = (account: string, amount: string): Statement => [
      `insert into ledger_postings (organization_id, entry_id, wallet_id, token_address, account, amount)
        select $1, $2, wallet_id, token_address, $4, $5 from ledger_balances where organization_id = $1 and wallet_id = $3`,
      [organizationId, rows[0].id, walletId, account, amount],
    ]
    const event = (name: string): Statement => [
      `insert into outbox (organization_id, event, object_type, object_id, data, created_at)
        values ($1, $2, 'operation', $3, $4, now())`,
      [organizationId, name, operationId, DATA],
    ]
    await each(client, [
      [
        `update transactions set state = 'confirmed', can_still_land = false, tx_hash = $3, block_number = 1, block_hash = $3,
          included_at = now(), finalized_at = now(), last_seen_at = now(), submitted_at = now()
          where organization_id = $1 and operation_id = $2`,
        [...own, hash],
      ],
      [
        `update operations set state = 'COMPLETED', settled_amount = amount, updated_at = now(), completed_at = now()
          where organization_id = $1 and id = $2`,
        own,
      ],
      [`update reservations set released_at = now() where organization_id = $1 and operation_id = $2`, own],
      [
        `insert into allocations (organization_id, wallet_id, strategy_id, status, shares, principal, posted_value,
          posted_price, posted_at, opened_at, updated_at)
          values ($1, $2, $3, 'ACTIVE', 1000000, 1000000, 1000000, 1, now(), now(), now())`,
        [organizationId, walletId, strategyId],
      ],
      posting('reserved', '-1000000'),
      posting('deployed', '1000000'),
      [
        `update ledger_balances set reserved = reserved - 1000000, deployed = deployed + 1000000
          where organization_id = $1 and wallet_id = $2`,
        [organizationId, walletId],
      ],
      event('operation.completed'),
      event('allocation.created'),
      [`update wallets set reconciled_block = 1 where organization_id = $1 and id = $2`, [organizationId, walletId]],
    ])
  })
}

import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { anyState } from '../../../testing/operations/any-state.ts'
import { RAMP_KEY } from '../../../testing/ramp/ramp-client.ts'
import { staffedOrganization } from '../../../testing/surfaces/core-server.ts'
import { refusal, useTreasury } from '../../../testing/surfaces/use-treasury.ts'
import { USDC } from '../../../testing/units.ts'
import { SEARCH_NAMES_MAX, SEARCH_RESULTS_MAX, systemRandomSource } from '../../kernel/index.ts'
import { createFieldSealer } from '../../ramp/index.ts'
import { searchRoute } from './search.ts'
import { operationalWalletRoutes } from './treasury/operational-wallets.ts'
import { orgWalletRoutes } from './treasury/org-wallets.ts'

const fields = createFieldSealer({ encryptionKeys: RAMP_KEY, indexKey: RAMP_KEY, random: systemRandomSource })
const treasury = useTreasury((app, parts) => {
  orgWalletRoutes(app, parts)
  operationalWalletRoutes(app, parts)
  searchRoute(app, { ...parts, ramp: { db: parts.db, fields } })
})
const search = (q: string) => treasury.read(`/api/core/search?q=${encodeURIComponent(q)}`)
const ids = (found: readonly { id: number }[]) => found.map(({ id }) => id)

/** Recipients with these names, the oldest first; returns their ids. */
async function recipients(names: readonly string[]): Promise<number[]> {
  const { engine, staff } = treasury
  const { rows } = await sql<{ id: number }>`
    insert into ramp_customers (organization_id, kind, type, name, kyb_status, kyb_reference, kyb_attempt, created_at)
    select ${staff.organizationId}, 'recipient', 'business', name, 'approved', 'k' || gen_random_uuid(), 1, now()
    from unnest(${names}::text[]) with ordinality as n(name, place) order by place returning id
  `.execute(engine.db)
  return rows.map(({ id }) => id)
}

describe('search', () => {
  test('finds wallets by label or address, with their operational wallets, labels first and few of many', async () => {
    const { client, opWalletId } = await treasury.operationalWallet()
    const { walletId: id } = client.wallet
    await treasury.send('PUT', `/api/core/wallets/${id}`, { label: 'Payroll' })
    const found = { id, address: client.address, label: 'Payroll', blockchain: 'polygon', opWalletIds: [opWalletId] }
    for (const q of ['payr', ' PAYROLL ', client.address, client.address.toLowerCase().slice(0, 12)])
      expect((await search(q)).wallets, q).toEqual([found])
    for (const q of ['roll', '%', 'pay_']) expect((await search(q)).wallets, q).toEqual([])
    const { organizationId } = treasury.staff
    await sql`
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, label, created_at)
      select organization_id, wallet_profile_id, 'polygon', '0x' || repeat('0', 37) || i, 'Payroll ' || i, now()
      from generate_series(100, 130) i, (select * from wallets where organization_id = ${organizationId} limit 1) w
    `.execute(treasury.engine.db)
    const { wallets } = await search('payroll')
    expect(wallets).toHaveLength(SEARCH_RESULTS_MAX)
    expect(wallets[0]).toEqual(found)
  })

  test('finds operations by id and by any hash, payments by id and by hash, and nothing by a part of one', async () => {
    const { client } = await treasury.operationalWallet()
    const done = await client.complete(await client.supply(100n * USDC))
    const txHash = anyState(done.transactions.at(-1)!).txHash as string
    const [customerId] = await recipients(['Granite Supplies'])
    const hash = `0x${'ab'.repeat(32)}`
    const { organizationId } = treasury.staff
    const { rows } = await treasury.engine.db.transaction().execute(async (tx) => {
      // The account is not under test.
      await sql`set local session_replication_role = replica`.execute(tx)
      return sql<{ id: number }>`
        insert into ramp_transactions (organization_id, customer_id, account_id, direction, status, blockchain,
          source_asset, destination_asset, token_decimals, usd_cents, fee_cents, developer_fee_cents, token_amount,
          exchange_rate, payment_rail, payment_reference, status_history, provider_reference, provider_sequence, tx_hash,
          created_at)
        values (${organizationId}, ${customerId}, 1, 'onramp', 'broadcasted', 'polygon', 'USD', 'USDC', 6, 123456, 0, 0,
          1, '1.00', 'ach', 'r', '[]', gen_random_uuid()::text, 1, ${hash}, now()) returning id
      `.execute(tx)
    })
    const paymentId = rows[0]!.id
    for (const q of [String(done.operationId), txHash, txHash.toUpperCase().replace('X', 'x')])
      expect((await search(q)).operations, q).toMatchObject([
        { id: done.operationId, type: 'SUPPLY', status: 'COMPLETED', amount: '100.00', token: 'USDC' },
      ])
    for (const q of [String(paymentId), hash])
      expect((await search(q)).payments, q).toMatchObject([
        { id: paymentId, type: 'onramp', usdAmount: '1234.56', recipient: 'Granite Supplies' },
      ])
    for (const q of [txHash.slice(0, 40), hash.slice(0, 65), '0', '9'.repeat(40)])
      expect(await search(q), q).toMatchObject({ operations: [], payments: [] })
  })

  test('finds recipients and members by any word of a name, and by their ids and addresses', async () => {
    const [granite, basalt] = await recipients(['Granite Supplies', 'Basalt & Sons'])
    expect(ids((await search('supp')).recipients)).toEqual([granite])
    expect((await search('sons')).recipients).toEqual([
      { id: basalt, name: 'Basalt & Sons', kybStatus: 'approved', archived: false },
    ])
    expect(ids((await search(String(granite))).recipients)).toEqual([granite])
    expect((await search('ranite')).recipients).toEqual([])
    const { members } = await search(`approver.of.${treasury.staff.organizationId}`)
    expect(members).toMatchObject([{ id: treasury.staff.ids.approver, role: 'approver' }])
  })

  test('says how many recipients it did not search by name, and finds these by id', async () => {
    const made = await recipients(Array.from({ length: SEARCH_NAMES_MAX + 1 }, (_, n) => `Firm ${n + 1000}`))
    expect(await search('firm 1000')).toMatchObject({ recipients: [], unsearchedRecipients: 1 })
    expect(ids((await search('firm 1001')).recipients)).toEqual([made[1]])
    expect((await search(String(made[0]))).recipients).toMatchObject([{ id: made[0], name: 'Firm 1000' }])
  })

  test('finds nothing in another organization, and needs a text', async () => {
    const { client } = await treasury.operationalWallet()
    const { operationId } = await client.supply(10n * USDC)
    await recipients(['Granite Supplies'])
    const { tokens } = await staffedOrganization(treasury.core.parts)
    const nothing = { wallets: [], operations: [], payments: [], recipients: [], unsearchedRecipients: 0 }
    for (const q of [client.address, String(operationId), 'granite'])
      expect((await treasury.request(`/api/core/search?q=${q}`, tokens.owner)).body.data, q).toMatchObject(nothing)
    for (const query of ['', 'q=', 'q=%20', `q=${'x'.repeat(129)}`])
      expect(await treasury.request(`/api/core/search?${query}`), query).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  })
})

import { expect, test } from 'vitest'
import { until } from '../../../testing/index.ts'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { startRampFixture } from '../../../testing/ramp/ramp-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { discardDeposits } from './discard-deposits.ts'

const fixture = useFixture(startRampFixture)

const hashes = async () =>
  (await fixture.parts.db.selectFrom('ramp_sandbox_deposits').select('tx_hash').execute()).map((row) => row.tx_hash)

test('a deposit on a chain that lost its history counts, though one of the earlier chain had the same transaction', async () => {
  const { db } = fixture.parts
  const client = await fixture.organization()
  await client.offramp()
  const ask = <T>(method: string, ...params: unknown[]) => fixture.sandbox.askNode<T>('base', method, ...params)
  const { baseFeePerGas } = await ask<{ baseFeePerGas: string }>('eth_getBlockByNumber', 'latest', false)
  const start = await ask('evm_snapshot')
  await client.simulate('offramp', { scenario: 'rejected', usdCents: 5_00n })
  await fixture.settle()
  expect(await client.transactions()).toMatchObject([{ status: 'rejected' }])
  const before = await hashes()
  await db
    .insertInto('ramp_deferred_blocks')
    .values({
      blockchain: 'base',
      block_number: 9,
      since: new Date(0),
      attempts: 1,
      next_attempt_at: new Date(9e12),
      error: '',
    })
    .execute()

  // The new chain is as high as the earlier one was, and has the same nonces and fees again.
  expect(await ask('evm_revert', start)).toBe(true)
  await ask('anvil_mine', '0x20')
  await ask('anvil_setNextBlockBaseFeePerGas', baseFeePerGas)
  await ask('evm_mine')
  await db.updateTable('chain_cursors').set({ genesis_hash: '0xearlier' }).execute()
  fixture.restart()
  await fixture.followOnce()
  expect(await hashes()).toEqual([])
  expect(await db.selectFrom('ramp_deferred_blocks').selectAll().execute()).toEqual([])

  await client.simulate('offramp', { usdCents: 5_00n })
  expect(await hashes()).toEqual(before)
  await fixture.settle()
  expect((await client.transactions()).map(({ status }) => status).sort()).toEqual(['completed', 'rejected'])
  await expectValidFiatLedger(fixture.parts)
})

test('what was to return on a lost chain does not return from the deposits of the next one', async () => {
  const { db } = fixture.parts
  const client = await fixture.organization()
  const { depositAddress } = await client.offramp()
  await client.simulate('offramp', { scenario: 'rejected', usdCents: 5_00n })
  await until(async () => {
    await fixture.followOnce()
    return (await client.transactions()).length === 1
  })
  const transfers = () =>
    db.selectFrom('ramp_sandbox_transfers').selectAll().where('organization_id', '=', client.organizationId).execute()
  const before = await transfers()
  await discardDeposits(fixture.parts, 'polygon', [])
  expect(await transfers()).toEqual(before)
  await discardDeposits(fixture.parts, 'base', await hashes())
  await fixture.settle()
  expect(await client.transactions()).toMatchObject([{ status: 'rejected', returnTxHash: null }])
  expect(await client.usdc(depositAddress!)).toBe(5_000_000n)
  expect((await transfers()).map(({ due_at: due }) => due)).toEqual([null])
  await expectValidFiatLedger(fixture.parts)
})

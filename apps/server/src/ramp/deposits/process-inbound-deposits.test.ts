import { expect, test } from 'vitest'
import { anyState } from '../../../testing/any-state.ts'
import { breakRows } from '../../../testing/break-rows.ts'
import { expectValidFiatLedger } from '../../../testing/expect-fiat.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { BANK } from '../../../testing/ramp-client.ts'
import { startRampFixture } from '../../../testing/ramp-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { Failure, silentLog } from '../../kernel/index.ts'
import { fundFromFaucet } from '../../sandbox/index.ts'
import { archiveRecipient } from '../customers/update-recipient.ts'
import { requireNoOpenRampTransactions } from '../transactions/require-no-open-transactions.ts'
import { processInboundDeposits, retryDeferredDeposits } from './process-inbound-deposits.ts'

/** Polygon has two tokens. */
const fixture = useFixture(() => startRampFixture('polygon'))

const send = (walletAddress: string, amount: bigint, token = 'USDC') =>
  fundFromFaucet(fixture.sandbox.parts, {
    organizationId: 1,
    walletAddress,
    blockchain: 'polygon',
    token,
    amount,
    withGas: false,
  })

test('tokens from any sender are paid out in whole cents, with the rest recorded as dust', async () => {
  const client = await fixture.organization()
  const account = await client.offramp()
  await send(account.depositAddress!, 12_345_678n)
  await fixture.settle()
  expect(await client.transactions()).toMatchObject([
    { status: 'completed', usdCents: 12_34n, feeCents: 3n, dust: 5_678n, tokenAmount: 12_345_678n },
  ])
  await expectValidFiatLedger(fixture.parts)
})

test.each([
  ['another token than the account’s', 'unsupported_asset', 5_000_000n, 'USDT'],
  ['less than a cent', 'below_one_cent', 9_999n, 'USDC'],
])('%s is rejected, and the tokens are returned', async (_what, failureReason, amount, symbol) => {
  const client = await fixture.organization()
  const account = await client.offramp()
  await send(account.depositAddress!, amount, symbol)
  await fixture.settle()
  expect(await client.transactions()).toMatchObject([{ status: 'rejected', failureReason, sourceAsset: symbol }])
  const chain = fixture.parts.chains.get('polygon')!
  const token = chain.network.tokens.find((one) => one.symbol === symbol)!.address
  const owners = [account.depositAddress!, client.wallet.address]
  expect(await chain.balances(owners.map((owner) => ({ owner, token })))).toEqual([0n, amount])
  await expectValidFiatLedger(fixture.parts)
})

test('a deposit for an archived recipient is returned, and so is a second one', async () => {
  const client = await fixture.organization()
  const { organizationId } = client
  const { customerId } = await client.recipient()
  const account = await client.offramp(customerId)
  await archiveRecipient(fixture.parts, { organizationId, customerId })
  await send(account.depositAddress!, 1_000_000n)
  await send(account.depositAddress!, 2_000_000n)
  await fixture.settle()
  const transactions = (await client.transactions()).map(anyState)
  expect(transactions.map(({ status, failureReason }) => `${status} ${failureReason}`)).toEqual([
    'rejected account_archived',
    'rejected account_archived',
  ])
  expect(new Set(transactions.map(({ returnTxHash }) => returnTxHash)).size).toBe(2)
  expect(await client.usdc()).toBe(3_000_000n)
})

test('a deposit for a deleted organization is returned, because nobody would notice a payout', async () => {
  const client = await fixture.organization()
  const { depositAddress } = await client.offramp()
  const { db, clock } = fixture.parts
  const { organizationId } = client
  await db.updateTable('organizations').set({ deleted_at: clock.now() }).where('id', '=', organizationId).execute()
  await send(depositAddress!, 4_000_000n)
  await fixture.settle()
  expect(await client.transactions()).toMatchObject([{ status: 'rejected', failureReason: 'account_archived' }])
  expect(await client.usdc()).toBe(4_000_000n)
})

test('an organization cannot be deleted while its money is in flight', async () => {
  const client = await fixture.organization()
  await client.onramp()
  await client.simulate('onramp', { scenario: 'failed' })
  const asks = () => inTransaction(fixture.parts.db, (tx) => requireNoOpenRampTransactions(tx, client.organizationId))
  await expect(asks()).rejects.toMatchObject({ code: 'CONFLICT', details: { rampTransactionsUnderWay: 1 } })
  await fixture.settle()
  await expect(asks()).resolves.toBeUndefined()
})

test('a block that is settled again starts nothing again', async () => {
  const client = await fixture.organization()
  const account = await client.offramp()
  const chain = fixture.parts.chains.get('polygon')!
  const { txHash } = await send(account.depositAddress!, 1_000_000n)
  await fixture.followOnce()
  const [lookup] = await chain.findTransactions([txHash])
  const block = (await chain.block(lookup!.blockNumber!))!
  await Promise.all([1, 2, 3].map(() => processInboundDeposits(fixture.parts, chain, block)))
  expect(await client.transactions()).toHaveLength(1)
})

test('deposit addresses are unique per account and stable', async () => {
  const client = await fixture.organization()
  const accounts = await Promise.all([1, 2, 3, 4].map(() => client.offramp()))
  expect(new Set(accounts.map(({ depositAddress }) => depositAddress)).size).toBe(4)
  const [first] = accounts
  const wish = {
    accountId: first!.accountId,
    organizationId: client.organizationId,
    kybReference: '',
    customerName: '',
    customerAddress: null,
    blockchain: 'polygon',
    asset: 'USDC',
    walletAddress: client.wallet.address,
    rail: 'ach',
    bank: BANK,
  } as const
  expect((await fixture.parts.provider.openOfframpAccount(wish)).depositAddress).toBe(first!.depositAddress)
})

test('a deposit that fails delays neither the others nor its chain, and is processed once possible', async () => {
  const [bad, good] = [await fixture.organization(), await fixture.organization()]
  const [badAccount, goodAccount] = [await bad.offramp(), await good.offramp()]
  const { clock } = fixture
  const { db } = fixture.parts
  const repair = await breakRows(db, { table: 'ramp_deposits', when: `new.account_id = ${badAccount.accountId}` })
  const { log, lines } = loggedLines()
  Object.assign(fixture.parts, { log })
  await send(badAccount.depositAddress!, 5_000_000n)
  await send(goodAccount.depositAddress!, 6_000_000n)
  await fixture.settle()
  expect(await good.transactions()).toMatchObject([{ status: 'completed', tokenAmount: 6_000_000n }])
  expect(await bad.transactions()).toEqual([])
  const deferred = () => db.selectFrom('ramp_deferred_blocks').select(['attempts', 'error']).execute()
  expect(await deferred()).toEqual([{ attempts: 1, error: 'spoiled' }])
  clock.advance(30_000)
  await fixture.settle()
  expect(await deferred()).toEqual([{ attempts: 2, error: 'spoiled' }])
  await repair()
  clock.advance(60_000)
  await fixture.settle()
  expect(await bad.transactions()).toMatchObject([{ status: 'completed', tokenAmount: 5_000_000n }])
  expect(await deferred()).toEqual([])
  expect(lines.filter(({ blockNumber }) => blockNumber !== undefined)).toMatchObject([
    { level: 50, msg: 'failed to process a deposit; its block is retried later' },
    { failures: 2, seconds: expect.any(Number), msg: 'processed the deposits of a deferred block' },
  ])
  Object.assign(fixture.parts, { log: silentLog })
  await expectValidFiatLedger(fixture.parts)
})

test.each([
  ['cannot be read', () => Promise.reject(new Failure('CHAIN_UNAVAILABLE'))],
  ['is missing on its node', async () => undefined],
])('a deferred block that %s delays the others by one call, and has not failed', async (_name, missing) => {
  const { parts, clock } = fixture
  const since = clock.now()
  const row = { blockchain: 'polygon', since, attempts: 1, error: 'spoiled' }
  const dueAt = (block_number: number) => new Date(since.getTime() - 10 + block_number)
  await parts.db
    .insertInto('ramp_deferred_blocks')
    .values([1, 2].map((block_number) => ({ ...row, block_number, next_attempt_at: dueAt(block_number) })))
    .execute()
  const chain = parts.chains.get('polygon')!
  const partly = { ...chain, block: (number: number) => (number === 1 ? missing() : chain.block(number)) }
  await expect(retryDeferredDeposits(parts, partly)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  await retryDeferredDeposits(parts, partly)
  const deferred = await parts.db.selectFrom('ramp_deferred_blocks').select(['block_number', 'attempts']).execute()
  expect(deferred).toEqual([{ block_number: 1, attempts: 1 }])
  clock.advance(30_000)
  await retryDeferredDeposits(parts, chain)
  expect(await parts.db.selectFrom('ramp_deferred_blocks').selectAll().execute()).toEqual([])
})

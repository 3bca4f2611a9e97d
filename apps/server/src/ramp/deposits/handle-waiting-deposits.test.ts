import { expect, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { untilBlockedOrEnded } from '../../../testing/database/overlap.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { anyState } from '../../../testing/operations/any-state.ts'
import { expectValidFiatLedger } from '../../../testing/ramp/expect-fiat.ts'
import { BANK } from '../../../testing/ramp/ramp-client.ts'
import { startRampFixture } from '../../../testing/ramp/ramp-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { DEPOSITS_BATCH, silentLog } from '../../kernel/index.ts'
import { registerWallet } from '../../wallets/index.ts'
import { openOfframpAccount } from '../accounts/open-account.ts'
import { archiveRecipient } from '../customers/update-recipient.ts'
import { requireNoOpenRampTransactions } from '../transactions/require-no-open-transactions.ts'
import { handleWaitingDeposits } from './handle-waiting-deposits.ts'

const { signal } = new AbortController()

/** Polygon has two tokens. */
const fixture = useFixture(() => startRampFixture('polygon'))

test('tokens from any sender are paid out in whole cents, with the rest recorded as dust', async () => {
  const client = await fixture.organization()
  const account = await client.offramp()
  await fixture.send(account.depositAddress!, 12_345_678n)
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
  await fixture.send(account.depositAddress!, amount, symbol)
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
  await fixture.send(account.depositAddress!, 1_000_000n)
  await fixture.send(account.depositAddress!, 2_000_000n)
  await fixture.settle()
  const transactions = (await client.transactions()).map(anyState)
  expect(transactions.map(({ status, failureReason }) => `${status} ${failureReason}`)).toEqual([
    'rejected account_archived',
    'rejected account_archived',
  ])
  expect(new Set(transactions.map(({ returnTxHash }) => returnTxHash)).size).toBe(2)
  expect(await client.usdc()).toBe(3_000_000n)
})

test('tokens whose way back leads to a deposit address alone stay where they are', async () => {
  const [client, other] = [await fixture.organization(), await fixture.organization()]
  const { depositAddress: away } = await client.offramp()
  const { scope } = other
  const { wallet } = await registerWallet(fixture.parts, { scope, walletAddress: away!, blockchain: 'polygon' })
  const wish = {
    scope,
    recipientId: null,
    wallet: { walletId: wallet.walletId },
    asset: 'USDC',
    rail: 'ach',
    bank: BANK,
  } as const
  const { depositAddress } = await openOfframpAccount(fixture.parts, wish)
  // The faucet mints, so that nobody is the sender; and neither account is for this token.
  await fixture.send(depositAddress!, 7_000_000n, 'USDT')
  await fixture.settle()
  expect(await other.transactions()).toMatchObject([
    { status: 'rejected', failureReason: 'unsupported_asset', returnTxHash: null },
  ])
  expect(await client.transactions()).toEqual([])
  const chain = fixture.parts.chains.get('polygon')!
  const token = chain.network.tokens.find(({ symbol }) => symbol === 'USDT')!.address
  const owners = [depositAddress!, away!]
  expect(await chain.balances(owners.map((owner) => ({ owner, token })))).toEqual([7_000_000n, 0n])
  await expectValidFiatLedger(fixture.parts)
})

test('a deposit for a deleted organization is returned, because nobody would notice a payout', async () => {
  const client = await fixture.organization()
  const { depositAddress } = await client.offramp()
  const { db, clock } = fixture.parts
  const { organizationId } = client
  await db.updateTable('organizations').set({ deleted_at: clock.now() }).where('id', '=', organizationId).execute()
  await fixture.send(depositAddress!, 4_000_000n)
  await fixture.settle()
  expect(await client.transactions()).toMatchObject([{ status: 'rejected', failureReason: 'account_archived' }])
  expect(await client.usdc()).toBe(4_000_000n)
})

/** A deposit of a recipient that waits, and a partner that is passed deposits and remembers how they are judged. */
async function judgedDeposit() {
  const client = await fixture.organization()
  const { organizationId } = client
  const { customerId } = await client.recipient()
  const { accountId } = await client.offramp(customerId)
  const { db, provider, clock } = fixture.parts
  const chain = fixture.parts.chains.get('polygon')!
  const at = clock.now()
  await db
    .insertInto('ramp_deposits')
    .values({
      organization_id: organizationId,
      account_id: accountId,
      blockchain: 'polygon',
      tx_hash: `0xjudged${accountId}`,
      position: 0,
      token_address: chain.network.tokens[0]!.address,
      amount: 1_000_000n,
      block_number: 1,
      detected_at: at,
      next_attempt_at: at,
    })
    .execute()
  const judged: unknown[] = []
  const handle = async (meanwhile: { before?: () => Promise<unknown>; during?: () => Promise<unknown> }) => {
    const partner = {
      ...provider,
      async quote(of: Parameters<typeof provider.quote>[0]) {
        await meanwhile.before?.()
        return await provider.quote(of)
      },
      async handleDeposit(_tx: unknown, { rejection }: { readonly rejection: unknown }) {
        judged.push(rejection)
        await meanwhile.during?.()
        return []
      },
    }
    await handleWaitingDeposits({ ...fixture.parts, provider: partner }, chain, signal)
    return judged
  }
  const archive = () => archiveRecipient(fixture.parts, { organizationId, customerId })
  return { organizationId, handle, archive }
}

test('a deposit is judged by its account as it is when it is passed on, not when the page was read', async () => {
  const archived = await judgedDeposit()
  expect(await archived.handle({ before: archived.archive })).toEqual(['account_archived'])
  const deleted = await judgedDeposit()
  const { db, clock } = fixture.parts
  const remove = () =>
    db.updateTable('organizations').set({ deleted_at: clock.now() }).where('id', '=', deleted.organizationId).execute()
  expect(await deleted.handle({ before: remove })).toEqual(['account_archived'])
})

test('an account that is archived while its deposit is passed on is archived afterwards', async () => {
  const { handle, archive } = await judgedDeposit()
  let archiving: Promise<unknown> = Promise.resolve()
  const ended: string[] = []
  const during = async () => {
    archiving = archive().then(() => ended.push('archived'))
    await untilBlockedOrEnded(fixture.parts.db, archiving)
    ended.push('passed on')
  }
  expect(await handle({ during })).toEqual([null])
  await archiving
  expect(ended).toEqual(['passed on', 'archived'])
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

const countWaiting = async (): Promise<number> => {
  const { db } = fixture.parts
  return (await db.selectFrom('ramp_deposits').select('id').where('next_attempt_at', 'is not', null).execute()).length
}

/** Deposits that wait, and a partner that only remembers which ones it was passed: their tokens exist nowhere. */
async function waitingDeposits(count: number) {
  const client = await fixture.organization()
  const { accountId } = await client.offramp()
  const { db, provider, clock } = fixture.parts
  const { address } = fixture.parts.chains.get('polygon')!.network.tokens[0]!
  const deposit = { account_id: accountId, blockchain: 'polygon', token_address: address, amount: 1n, block_number: 1 }
  const times = { detected_at: clock.now(), next_attempt_at: clock.now() }
  await db
    .insertInto('ramp_deposits')
    .values(
      Array.from({ length: count }, (_, position) => ({
        organization_id: client.organizationId,
        tx_hash: `0x${accountId}`,
        position,
        ...deposit,
        ...times,
      })),
    )
    .execute()
  const passed: number[] = []
  const handleDeposit = async (_tx: unknown, { position }: { readonly position: number }) => {
    passed.push(position)
    return []
  }
  return { parts: { ...fixture.parts, provider: { ...provider, handleDeposit } }, passed }
}

test('one call passes a limited number of deposits on, in their order, and none once it is to stop', async () => {
  const { parts, passed } = await waitingDeposits(DEPOSITS_BATCH + 5)
  const chain = parts.chains.get('polygon')!
  expect(await handleWaitingDeposits(parts, chain, AbortSignal.abort())).toBe(true)
  expect(passed).toEqual([])
  expect(await handleWaitingDeposits(parts, chain, signal)).toBe(true)
  expect(passed).toEqual(Array.from({ length: DEPOSITS_BATCH }, (_, index) => index))
  expect(await handleWaitingDeposits(parts, chain, signal)).toBe(false)
  expect(passed).toHaveLength(DEPOSITS_BATCH + 5)
  expect(await countWaiting()).toBe(0)
})

test('processes that pass on the same deposits do it once', async () => {
  const { parts, passed } = await waitingDeposits(5)
  const chain = parts.chains.get('polygon')!
  await Promise.all([1, 2, 3].map(() => handleWaitingDeposits(parts, chain, signal)))
  expect(passed.sort()).toEqual([0, 1, 2, 3, 4])
})

test('a deposit that cannot be passed on delays no other, and is passed on once possible', async () => {
  const [bad, good] = [await fixture.organization(), await fixture.organization()]
  const [badAccount, goodAccount] = [await bad.offramp(), await good.offramp()]
  const { clock } = fixture
  const { db } = fixture.parts
  const when = `new.account_id = ${badAccount.accountId}`
  const repair = await breakRows(db, { table: 'ramp_transactions', when })
  const { log, lines } = loggedLines()
  Object.assign(fixture.parts, { log })
  await fixture.send(badAccount.depositAddress!, 5_000_000n)
  await fixture.send(goodAccount.depositAddress!, 6_000_000n)
  await fixture.settle()
  expect(await good.transactions()).toMatchObject([{ status: 'completed', tokenAmount: 6_000_000n }])
  const failed = () =>
    db.selectFrom('ramp_deposits').select(['attempts', 'error']).where('next_attempt_at', 'is not', null).execute()
  expect(await failed()).toEqual([{ attempts: 1, error: 'spoiled' }])
  clock.advance(30_000)
  await fixture.settle()
  expect(await failed()).toEqual([{ attempts: 2, error: 'spoiled' }])
  await repair()
  clock.advance(60_000)
  await fixture.settle()
  expect(await bad.transactions()).toMatchObject([{ status: 'completed', tokenAmount: 5_000_000n }])
  expect(await countWaiting()).toBe(0)
  expect(lines.filter(({ depositId }) => depositId !== undefined)).toMatchObject([
    { level: 50, msg: 'failed to handle a deposit; it is retried later' },
    { failures: 2, seconds: expect.any(Number), msg: 'handled a deposit that had failed' },
  ])
  Object.assign(fixture.parts, { log: silentLog })
  await expectValidFiatLedger(fixture.parts)
})

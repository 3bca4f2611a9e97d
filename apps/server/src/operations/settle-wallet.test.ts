import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectBooks, expectChain } from '../../testing/expect-books.ts'
import { startTestSolana, type TestSolana } from '../../testing/solana.ts'
import { type SolanaJob, startSolanaJob, USDC } from '../../testing/solana-job.ts'
import { openTokenAccount, tokenAccountOf } from '../chains/index.ts'
import { transferTokens } from '../chains/solana/instructions.ts'

let solana: TestSolana
let job: SolanaJob
beforeAll(async () => {
  solana = await startTestSolana()
  job = await startSolanaJob(solana)
})
afterAll(async () => {
  await job?.close()
  await solana?.stop()
})

test('what a reverted transaction gives back beside an open break closes it, though its block moved no tokens', async () => {
  const { address } = await solana.wallet(job.strategy.tokenAddress, 1n)
  const client = await job.client(1_000n * USDC)
  await job.settle()
  // Held back for some blocks, in which most of what it was to move goes elsewhere.
  await solana.devnet.setFault({ fault: 'delay_next', count: 1, signers: [client.key.address] })
  const planned = await client.supply(600n * USDC)
  await client.submit(planned)
  const { tokenAddress } = job.strategy
  const [own, other] = await Promise.all(
    [client.key.address, address].map((owner) => tokenAccountOf(owner, tokenAddress)),
  )
  await solana.send(client.key, [
    openTokenAccount(client.key.address, address, tokenAddress, other!),
    transferTokens(own!, other!, client.key.address, 900n * USDC),
  ])
  await job.round()
  const breaks = () =>
    job.db
      .selectFrom('ledger_breaks')
      .select('amount')
      .where('wallet_id', '=', client.wallet.walletId)
      .where('closed_at', 'is', null)
      .execute()
  expect(await breaks()).toEqual([{ amount: 500n * USDC }])

  await job.settle(25)
  expect(await client.operation(planned)).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(await breaks()).toEqual([])
  const { available, reserved } = await job.db
    .selectFrom('ledger_balances')
    .select(['available', 'reserved'])
    .where('wallet_id', '=', client.wallet.walletId)
    .where('token_address', '=', tokenAddress)
    .executeTakeFirstOrThrow()
  expect({ available, reserved }).toEqual({ available: 100n * USDC, reserved: 0n })
  await expectBooks(job)
  await expectChain(job)
})

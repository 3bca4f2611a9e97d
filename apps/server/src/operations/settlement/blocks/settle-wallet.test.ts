import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSolana, type TestSolana } from '../../../../testing/chains/test-solana.ts'
import { expectLedgerMatchesChain, expectValidLedger } from '../../../../testing/ledger/expect-ledger.ts'
import { type SolanaFixture, startSolanaFixture } from '../../../../testing/operations/solana-fixture.ts'
import { USDC } from '../../../../testing/units.ts'
import { associatedTokenAddress, createAssociatedTokenIdempotent } from '../../../chains/index.ts'
import { transferTokens } from '../../../chains/solana/transactions/instructions.ts'

let solana: TestSolana
let engine: SolanaFixture
beforeAll(async () => {
  solana = await startTestSolana()
  engine = await startSolanaFixture(solana)
})
afterAll(async () => {
  await engine?.close()
  await solana?.stop()
})

test('the release after a reverted transaction closes an open break, although its block moved no tokens', async () => {
  const { address } = await solana.wallet(engine.strategy.tokenAddress, 1n)
  const client = await engine.client(1_000n * USDC)
  await engine.settle()
  // Delayed for some blocks, in which most of the reserved money leaves the wallet.
  await solana.devnet.setFault({ fault: 'delay_next', count: 1, signers: [client.key.address] })
  const planned = await client.supply(600n * USDC)
  await client.submit(planned)
  const { tokenAddress } = engine.strategy
  const [own, other] = await Promise.all(
    [client.key.address, address].map((owner) => associatedTokenAddress(owner, tokenAddress)),
  )
  await solana.send(client.key, [
    createAssociatedTokenIdempotent(client.key.address, address, tokenAddress, other!),
    transferTokens(own!, other!, client.key.address, 900n * USDC),
  ])
  await engine.followOnce()
  const breaks = () =>
    engine.db
      .selectFrom('ledger_breaks')
      .select('amount')
      .where('wallet_id', '=', client.wallet.walletId)
      .where('closed_at', 'is', null)
      .execute()
  expect(await breaks()).toEqual([{ amount: 500n * USDC }])

  await engine.settle(25)
  expect(await client.operation(planned)).toMatchObject({ state: 'FAILED', failureReason: 'ONCHAIN' })
  expect(await breaks()).toEqual([])
  const { available, reserved } = await engine.db
    .selectFrom('ledger_balances')
    .select(['available', 'reserved'])
    .where('wallet_id', '=', client.wallet.walletId)
    .where('token_address', '=', tokenAddress)
    .executeTakeFirstOrThrow()
  expect({ available, reserved }).toEqual({ available: 100n * USDC, reserved: 0n })
  await expectValidLedger(engine)
  await expectLedgerMatchesChain(engine)
})

import { beforeEach } from 'vitest'
import { type TestClient, USDC } from './engine-fixture.ts'
import { expectBooks, expectChain } from './expect-books.ts'
import { type ChainInUse, useChain } from './use-chain.ts'

export interface EngineInUse extends ChainInUse {
  /** New for each test, with 1,000 USDC that the books know of. */
  readonly client: TestClient
  /** Whole tokens in the client's USDC accounts. */
  balances(): Promise<{ available: bigint; reserved: bigint; deployed: bigint }>
}

/** One chain and one service for a test file; after each test the books must be whole and equal to the chain. */
export function useEngine(options: { confirmations?: number } = {}): EngineInUse {
  const chain = useChain(options)
  let newest: TestClient | undefined
  beforeEach(async () => {
    const { dev, job } = chain
    newest = await job.client({ usdc: 1_000n * USDC })
    await job.settle()
    return async () => {
      await dev.mineAtOnce(true)
      await job.settle()
      await expectBooks(job)
      await expectChain(job)
    }
  })
  const inUse: EngineInUse = {
    get dev() {
      return chain.dev
    },
    get job() {
      return chain.job
    },
    get client() {
      return newest!
    },
    async balances() {
      const { job, client } = inUse
      const { available, reserved, deployed } = await job.db
        .selectFrom('ledger_balances')
        .selectAll()
        .where('wallet_id', '=', client.wallet.walletId)
        .where('token_address', '=', client.usdcAddress)
        .executeTakeFirstOrThrow()
      return { available: available / USDC, reserved: reserved / USDC, deployed: deployed / USDC }
    },
  }
  return inUse
}

import { beforeEach } from 'vitest'
import { expectBooks, expectChain } from './expect-books.ts'
import { type Client, USDC } from './main-job.ts'
import { type ChainInUse, useChain } from './use-chain.ts'

export interface MainJobInUse extends ChainInUse {
  /** New for each test, with 1,000 USDC that the books know of. */
  readonly client: Client
  /** Whole tokens in the client's USDC accounts. */
  books(): Promise<{ available: bigint; reserved: bigint; deployed: bigint }>
}

/** One chain and one service for a test file; after each test the books must be whole and equal to the chain. */
export function useMainJob(options: { confirmations?: number } = {}): MainJobInUse {
  const chain = useChain(options)
  let newest: Client | undefined
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
  const inUse: MainJobInUse = {
    get dev() {
      return chain.dev
    },
    get job() {
      return chain.job
    },
    get client() {
      return newest!
    },
    async books() {
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

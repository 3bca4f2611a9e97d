import { beforeEach } from 'vitest'
import { expectLedgerMatchesChain, expectValidLedger } from '../ledger/expect-ledger.ts'
import { USDC } from '../units.ts'
import type { TestClient } from './test-client.ts'
import { type ChainInUse, useChain } from './use-chain.ts'

export interface EngineInUse extends ChainInUse {
  /** New for each test, with 1,000 USDC in the ledger. */
  readonly client: TestClient
  /** Whole tokens in the client's USDC accounts. */
  balances(): Promise<{ available: bigint; reserved: bigint; deployed: bigint }>
}

/** One chain and one service for a test file. After each test the ledger must be consistent and match the chain. */
export function useEngine(options: { confirmations?: number } = {}): EngineInUse {
  const chain = useChain(options)
  let newest: TestClient | undefined
  beforeEach(async () => {
    const { dev, engine } = chain
    newest = await engine.client({ usdc: 1_000n * USDC })
    await engine.settle()
    return async () => {
      await dev.mineAtOnce(true)
      await engine.settle()
      await expectValidLedger(engine)
      await expectLedgerMatchesChain(engine)
    }
  })
  const inUse: EngineInUse = {
    get dev() {
      return chain.dev
    },
    get engine() {
      return chain.engine
    },
    get client() {
      return newest!
    },
    async balances() {
      const { engine, client } = inUse
      const { available, reserved, deployed } = await engine.db
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

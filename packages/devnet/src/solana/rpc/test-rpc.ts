import { lamports } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { afterAll, beforeAll } from 'vitest'
import { temporaryFolder } from '../../evm/test-chain.ts'
import { type SolanaChain, startSolanaChain } from '../start-solana-chain.ts'
import { nobody, strategyOf, user } from '../test-chain.ts'

export const UNIT = 1_000_000n

interface RpcAnswer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown }
}

/** One chain for a test file, and the requests that a wallet sends to it. */
export function useRpc() {
  let chain: SolanaChain | undefined
  const folder = temporaryFolder()
  beforeAll(async () => {
    chain = await startSolanaChain({ dataDir: folder.path, slotMs: 10, heartbeatSeconds: 0 })
  })
  afterAll(async () => {
    await chain?.stop()
    folder.remove()
  })

  /** One raw body as a wallet might send it. */
  async function post(body: unknown): Promise<unknown> {
    const response = await fetch(chain!.url, { method: 'POST', body: JSON.stringify(body) })
    const text = await response.text()
    return text === '' ? null : JSON.parse(text)
  }
  return {
    get chain() {
      return chain!
    },
    post,
    call: (method: string, ...params: readonly unknown[]) =>
      post({ jsonrpc: '2.0', id: 1, method, params }) as Promise<RpcAnswer>,
    /** A user with SOL and USDC, and a transfer of SOL to nobody. */
    async funded() {
      const found = await user(chain!)
      await found.fund(strategyOf(chain!, 'USDC').token, 1_000n * UNIT)
      const destination = await nobody()
      const transfer = (amount = 5_000_000n) =>
        getTransferSolInstruction({ source: found.signer, destination, amount: lamports(amount) })
      return { ...found, destination, transfer }
    },
  }
}

import type { Chain, SvmChain } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import type { SharesQuery } from '../port.ts'

/** The chain as Solana venues need it. A Solana strategy on another family is a defect of the catalogue. */
export function requireSvmChain(chain: Chain): SvmChain {
  assert(chain.network.family === 'svm' && 'accounts' in chain, `${chain.network.blockchain} is not Solana`)
  return chain as SvmChain
}

/** Balances of share tokens. */
export function shares(chain: Chain, queries: readonly SharesQuery[], at?: number): Promise<bigint[]> {
  return chain.balances(
    queries.map(({ strategy, owner }) => ({ owner, token: strategy.params.shareMint! })),
    at,
  )
}

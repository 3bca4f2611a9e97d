import { getAddress, isAddress, parseAbi } from 'viem'
import type { Chain, ContractRead } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import type { Log } from '../../kernel/index.ts'
import { undefinedIfUnavailable } from '../contract-unavailable.ts'
import { requireEvmChain } from '../evm/reader.ts'
import { reservesAt } from '../kamino/index.ts'
import type { Strategy } from '../port.ts'
import { strategiesOnChain } from './find-strategies.ts'

const abi = parseAbi([
  'function asset() view returns (address)',
  'function UNDERLYING_ASSET_ADDRESS() view returns (address)',
])

/**
 * Asks each contract of a public chain which token it takes, before anything is planned there: an address in the
 * catalogue that is wrong, or is another chain's, must not receive money. A strategy whose contract names another token
 * is paused and told; one that cannot be asked stays as it is and is asked again by the next start. Throws
 * CHAIN_UNAVAILABLE when the chain does not answer.
 */
export async function confirmTokens(parts: { db: Database; log: Log }, chain: Chain): Promise<void> {
  const strategies = (await strategiesOnChain(parts.db, chain.network.blockchain)).filter(
    ({ status }) => status === 'active',
  )
  if (strategies.length === 0) return
  const answers = chain.network.family === 'svm' ? await mintsOf(chain, strategies) : await tokensOf(chain, strategies)
  for (const [index, strategy] of strategies.entries()) {
    const answer = answers[index]
    if (answer === undefined || answer === strategy.tokenAddress) continue
    parts.log.error({ strategy: strategy.key, token: answer }, 'a contract takes another token than the catalogue says')
    await parts.db.updateTable('strategies').set({ status: 'paused' }).where('id', '=', strategy.id).execute()
  }
}

/** `undefined`: it cannot be asked. */
async function tokensOf(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]> {
  const answers = await requireEvmChain(chain).multicall(strategies.map(tokenCall))
  return answers.map((answer) => (typeof answer === 'string' && isAddress(answer) ? getAddress(answer) : undefined))
}

/** Reserves tell their token and that of their shares; one that names other shares takes no token of ours. */
function mintsOf(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]> {
  return Promise.all(
    strategies.map(async (strategy) => {
      const [reading] = (await undefinedIfUnavailable(reservesAt(chain, [strategy]))) ?? []
      if (!reading) return undefined
      const { liquidityMint, collateralMint } = reading.reserve
      return collateralMint === strategy.params.shareMint ? liquidityMint : `one with shares of ${collateralMint}`
    }),
  )
}

function tokenCall({ protocol, params }: Strategy): ContractRead {
  return protocol === 'aave-v3'
    ? { address: params.aToken!, abi, functionName: 'UNDERLYING_ASSET_ADDRESS' }
    : { address: params.vault!, abi, functionName: 'asset' }
}

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
 * Reads from each contract of a public chain which token it takes, before anything is planned there: a catalogue
 * address that is wrong, or belongs to another chain, must not receive money. A strategy whose contract takes another
 * token is paused, with an error in the log; one that is unreadable is unchanged and checked again at the next start.
 * Throws CHAIN_UNAVAILABLE when the chain is unavailable.
 */
export async function confirmTokens(parts: { db: Database; log: Log }, chain: Chain): Promise<void> {
  const strategies = (await strategiesOnChain(parts.db, chain.network.blockchain)).filter(
    ({ status }) => status === 'active',
  )
  if (strategies.length === 0) return
  const tokens = chain.network.family === 'svm' ? await mintsOf(chain, strategies) : await tokensOf(chain, strategies)
  for (const [index, strategy] of strategies.entries()) {
    const token = tokens[index]
    if (token === undefined || token === strategy.tokenAddress) continue
    parts.log.error({ strategy: strategy.key, token: token }, 'a contract takes another token than the catalogue says')
    await parts.db.updateTable('strategies').set({ status: 'paused' }).where('id', '=', strategy.id).execute()
  }
}

/** `undefined`: unreadable. */
async function tokensOf(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]> {
  const tokens = await requireEvmChain(chain).multicall(strategies.map(tokenCall))
  return tokens.map((token) => (typeof token === 'string' && isAddress(token) ? getAddress(token) : undefined))
}

/** A reserve names its token and its share mint; a reserve with another share mint counts as taking another token. */
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

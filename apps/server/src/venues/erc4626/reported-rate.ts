import type { Chain, ContractRead } from '../../chains/index.ts'
import { apyFromGrowth } from '../../kernel/index.ts'
import { integer, requireEvmChain } from '../evm/reader.ts'
import type { BlockTime, RatesQuery, Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'

const RAY = 10n ** 27n

/** Whether the vault itself reports the factor by which its price grows in a second. */
export const reportsRate = ({ params }: Strategy): boolean => params.rate !== undefined

/** The savings vaults of Sky pay in USDS. Those that pass its rate on pay in USDC, which has 6. */
const USDS_DECIMALS = 18

/**
 * A savings vault of the sUSDS kind lends nothing on: it mints what it owes, so it can pay everybody at once. A vault of
 * USDC passes the same rate on, and pays from a pocket.
 */
export const isAlwaysLiquid = ({ params, tokenDecimals }: Strategy): boolean =>
  params.cash === 'minted' || (params.cash === undefined && params.rate === 'ssr' && tokenDecimals === USDS_DECIMALS)

/**
 * The APY of each strategy whose vault reports its rate, by id: that factor, compounded for a year. It is the rate from
 * now on, even in the second after it was changed.
 */
export async function readReportedRates(
  chain: Chain,
  queries: readonly RatesQuery[],
  { number }: BlockTime,
): Promise<ReadonlyMap<number, number>> {
  const strategies = queries.map(({ strategy }) => strategy).filter(reportsRate)
  if (strategies.length === 0) return new Map()
  const calls = strategies.map(rateCall)
  const results = await requireEvmChain(chain).multicall(calls, number)
  return new Map(strategies.map(({ id }, i) => [id, apyFromGrowth(RAY, integer(results[i], calls[i]!), 1)]))
}

function rateCall({ params }: Strategy): ContractRead {
  return { address: params.vault!, abi: vaultAbi, functionName: params.rate!, args: [] }
}

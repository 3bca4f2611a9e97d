import { type Address, maxUint256 } from 'viem'
import { baseUnits, type EvmBlockchain } from './chains.ts'
import { curatorCalls, strategyOf } from './curator.ts'
import type { EvmStrategy, EvmToken } from './deployment.ts'
import type { AaveMarket } from './plan-aave.ts'
import type { PlanBuilder } from './plan-builder.ts'

const SECONDS_PER_YEAR = 31_536_000n
const WAD = 10n ** 18n

/** The curator's deposit into each vault, and what it borrows from each market, in whole tokens. */
const DEPOSIT = 1_000_000n
const BORROWED = [420_000n, 180_000n, 600_000n]
const COLLATERAL = 10_000n * WAD
/** The governor's part of the yield. */
const FEE_BASIS_POINTS = 1_000n

/** The markets' rates at full utilization, in basis points a year, and their loan-to-value in percent. */
const MARKETS = [
  { rate: 1_000n, loanToValue: 86n },
  { rate: 1_200n, loanToValue: 77n },
  { rate: 900n, loanToValue: 91n },
]
/** What the vault over two markets supplies to each at most, in whole tokens. */
const ALLOCATION_CAPS = [700_000n, 20_000_000n]

interface Lending {
  readonly blockchain: EvmBlockchain
  readonly coin: Pick<EvmToken, 'symbol' | 'address'>
  readonly weth: Address
  readonly aave: AaveMarket
}

/**
 * Plans the vaults that lend everything on: one to Aave, one to two isolated markets, one to a third market whose
 * `max*` functions return 0. All steps are the curator's. A saved chain has performed some of them: append, never
 * change.
 */
export function planLending(plan: PlanBuilder, { blockchain, coin, weth, aave }: Lending): EvmStrategy[] {
  const curator = plan.accounts.curator.address
  const governor = plan.accounts.governor.address
  const call = curatorCalls(plan)
  const deposit = baseUnits(DEPOSIT)

  const markets = plan.deploy('weir/LendingMarkets', [governor], 'curator')
  for (const { rate, loanToValue } of MARKETS) {
    const terms = {
      loan: coin.address,
      collateral: weth,
      price: baseUnits(3_000n),
      loanToValue: (loanToValue * WAD) / 100n,
      fullRatePerSecond: (rate * 10n ** 27n) / 10_000n / SECONDS_PER_YEAR,
    }
    call('LendingMarkets', markets, 'createMarket', [terms])
  }
  const common = (name: string, symbol: string) => [coin.address, name, symbol, governor, FEE_BASIS_POINTS]
  const vaultOf = (contract: string, name: string, symbol: string, ...rest: readonly unknown[]) => ({
    name,
    vault: plan.deploy(`weir/${contract}`, [...common(name, symbol), ...rest], 'curator'),
  })
  const allocation = (id: bigint, cap: bigint) => ({ id, cap: baseUnits(cap) })
  const { symbol } = coin
  const overAave = vaultOf('AaveLendingVault', `Lending ${symbol} (Aave)`, `la${symbol}`, aave.pool)
  const overMarkets = vaultOf('MarketsVault', `Lending ${symbol} (markets)`, `lm${symbol}`, markets, [
    allocation(0n, ALLOCATION_CAPS[0]!),
    allocation(1n, ALLOCATION_CAPS[1]!),
  ])
  const silent = vaultOf('SilentVault', `V2 ${symbol}`, `v2${symbol}`, markets, [{ id: 2n, cap: maxUint256 }])

  const vaults = [overAave, overMarkets, silent]
  call('DevToken', coin.address, 'mint', [curator, deposit * BigInt(vaults.length)])
  for (const { vault } of vaults) {
    call('DevToken', coin.address, 'approve', [vault, deposit])
    call('MarketsVault', vault, 'deposit', [deposit, curator])
  }
  call('DevToken', weth, 'mint', [curator, COLLATERAL * BigInt(MARKETS.length)])
  call('DevToken', weth, 'approve', [markets, maxUint256])
  for (const [id, borrowed] of BORROWED.entries()) {
    call('LendingMarkets', markets, 'supplyCollateral', [BigInt(id), COLLATERAL])
    call('LendingMarkets', markets, 'borrow', [BigInt(id), baseUnits(borrowed)])
  }

  const strategy = (
    key: string,
    { name, vault }: { readonly name: string; readonly vault: Address },
    lendsTo: Extract<EvmStrategy, { protocol: 'erc4626' }>['params']['lendsTo'],
    limits?: 'unreported',
  ): EvmStrategy => ({
    key: `erc4626:${blockchain}:${symbol}:${key}`,
    protocol: 'erc4626',
    name,
    ...strategyOf(coin),
    params: { vault, rateBasisPoints: null, lendsTo, ...(limits && { limits }) },
  })
  return [
    strategy('lending-aave', overAave, { kind: 'aave-v3', pool: aave.pool }),
    strategy('lending-markets', overMarkets, { kind: 'markets', markets, ids: [0n, 1n] }),
    strategy('v2', silent, { kind: 'markets', markets, ids: [2n] }, 'unreported'),
  ]
}

import type { Chain, SvmChain } from '../../chains/index.ts'
import { apyFromRate, Failure, minAmount, YEAR_MS } from '../../kernel/index.ts'
import type { BlockTime, DepositTerms, PositionReading, Rates, RatesQuery, SharesQuery, Strategy } from '../port.ts'
import { maxPlannedWithdrawal } from '../svm/max-planned-withdrawal.ts'
import { sharesToAssets } from '../svm/price.ts'
import { requireSvmChain, shares } from '../svm/reader.ts'
import { priceOf } from './price.ts'
import { accrueTo, isVault, readVault, type VaultState } from './state.ts'

/** Offset of the amount in a token account, after mint and owner. */
const TOKEN_AMOUNT_AT = 64

/**
 * Vaults as of the time of block `at`, or of the latest. A vault that was touched after that block is as of that touch:
 * past states are not available, and the interest up to the touch belongs to the wallets in any case.
 */
export async function vaultsAt(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<VaultState[]> {
  if (strategies.length === 0) return []
  const svm = requireSvmChain(chain)
  const addresses = strategies.map(({ params }) => params.vault!)
  const [accounts, time] = await Promise.all([
    svm.accounts(addresses, at),
    at === undefined ? svm.heads().then(({ latest }) => latest.time) : timeOf(svm, at),
  ])
  return addresses.map((address, index) => accrueTo(readVault(address, accounts[index]), time))
}

async function timeOf(svm: SvmChain, slot: number): Promise<Date> {
  const header = await svm.header(slot)
  if (!header) throw new Failure('CHAIN_UNAVAILABLE', { cause: new Error(`there is no block in slot ${slot}`) })
  return header.time
}

export async function acceptedTokens(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]> {
  const addresses = strategies.map(({ params }) => params.vault!)
  const accounts = await requireSvmChain(chain).accounts(addresses)
  return strategies.map(({ params }, index) => {
    const data = accounts[index]
    if (!isVault(data)) return undefined
    const { tokenMint, shareMint } = readVault(params.vault!, data)
    return shareMint === params.shareMint ? tokenMint : `one with shares of ${shareMint}`
  })
}

/** Prices per share, in the scale of price.ts. */
export async function prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]> {
  return (await vaultsAt(chain, strategies, at)).map(priceOf)
}

/** A vault reports its rate per second; the interest compounds with each touch. */
export async function rates(chain: Chain, queries: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const strategies = queries.map(({ strategy }) => strategy)
  const [vaults, held] = await Promise.all([vaultsAt(chain, strategies, at?.number), holdings(chain, strategies)])
  return vaults.map((vault, index) => ({
    price: priceOf(vault),
    apy: apyOf(vault),
    tvl: vault.assets,
    liquidity: minAmount(vault.assets, held[index]!),
    deposits: termsOf(vault),
    withdrawals: vault.paused ? 'paused' : 'open',
  }))
}

/** A position can be withdrawn as far as the vault holds its tokens when it lands, and not at all while it is paused. */
export async function positions(chain: Chain, queries: readonly SharesQuery[]): Promise<PositionReading[]> {
  const strategies = queries.map(({ strategy }) => strategy)
  const [vaults, held, owned] = await Promise.all([
    vaultsAt(chain, strategies),
    holdings(chain, strategies),
    shares(chain, queries),
  ])
  return vaults.map((vault, index) => {
    const reading = { shares: owned[index]!, price: priceOf(vault) }
    const value = minAmount(sharesToAssets(reading.shares, reading.price), vault.assets)
    const now = vault.paused ? 0n : minAmount(value, held[index]!)
    const later = { withdrawable: now, held: held[index]!, apy: apyOf(vault), price: reading.price }
    return { ...reading, withdrawable: maxPlannedWithdrawal(later) }
  })
}

/** The tokens that each vault holds: less than its assets while they are lent. */
async function holdings(chain: Chain, strategies: readonly Strategy[]): Promise<bigint[]> {
  if (strategies.length === 0) return []
  const accounts = await requireSvmChain(chain).accounts(strategies.map(({ params }) => params.liquidity!))
  return accounts.map((data) => data?.readBigUInt64LE(TOKEN_AMOUNT_AT) ?? 0n)
}

const apyOf = (vault: VaultState): number => (vault.yieldLeft === 0n ? 0 : apyFromRate(yearlyRate(vault)))

const yearlyRate = ({ rate: [numerator, denominator] }: VaultState): number =>
  (Number(numerator) * (YEAR_MS / 1_000)) / Number(denominator)

/** What the program accepts now. */
export function termsOf({ paused, cap, assets }: VaultState): DepositTerms {
  if (paused) return { state: 'paused', room: 0n }
  if (cap === null) return { state: 'open', room: null }
  return cap > assets ? { state: 'open', room: cap - assets } : { state: 'full', room: 0n }
}

import type { Chain, SvmChain } from '../../chains/index.ts'
import type { Strategy } from '../port.ts'
import { type RiskFacts, type StrategyCode, scaledPrice, type TokenPrice, timeOfFeed } from '../risk-facts.ts'

/** Prices and programs on Solana, in three HTTP calls at most; `undefined` on others. Throws CHAIN_UNAVAILABLE. */
export async function readSvmRiskFacts(chain: Chain, strategies: readonly Strategy[]): Promise<RiskFacts | undefined> {
  if (!isSvm(chain)) return undefined
  const [prices, codes] = await Promise.all([readTokenPrices(chain), readPrograms(chain, strategies)])
  return { prices, codes }
}

const isSvm = (chain: Chain): chain is SvmChain => chain.network.family === 'svm'

/** `PriceUpdateV2` of Pyth's receiver: its discriminator, an authority, how it was verified, and the message. */
const DISCRIMINATOR = Buffer.from([34, 241, 35, 99, 157, 126, 244, 205])
const VERIFIED_AT = 40
const FULLY_VERIFIED = 1
const PRICE_AT = 73
const EXPONENT_AT = 89
const PUBLISHED_AT = 93
const SIZE = 134

/** A feed that is unreadable, or not verified by the guardians, is omitted: its last price becomes old. */
async function readTokenPrices(chain: SvmChain): Promise<TokenPrice[]> {
  const priced = chain.network.tokens.filter(({ usdFeed }) => usdFeed !== undefined)
  if (priced.length === 0) return []
  const accounts = await chain.accounts(priced.map(({ usdFeed }) => usdFeed!))
  return priced.flatMap(({ address }, index) => priceIn(address, accounts[index]) ?? [])
}

export function priceIn(tokenAddress: string, data: Buffer | undefined): TokenPrice | undefined {
  if (!data || data.length < SIZE || !data.subarray(0, DISCRIMINATOR.length).equals(DISCRIMINATOR)) return undefined
  if (data[VERIFIED_AT] !== FULLY_VERIFIED) return undefined
  const exponent = data.readInt32LE(EXPONENT_AT)
  const pricedAt = timeOfFeed(data.readBigInt64LE(PUBLISHED_AT))
  if (exponent > 0 || exponent < -18 || pricedAt === undefined) return undefined
  const price = scaledPrice(data.readBigInt64LE(PRICE_AT), -exponent)
  return price > 0n ? { tokenAddress, price, pricedAt } : undefined
}

/**
 * The program of each strategy, by the slot of its last deployment and who may deploy it again. A program that nobody can
 * replace, or that is unreadable, is omitted: a guess would look like an upgrade.
 */
async function readPrograms(chain: SvmChain, strategies: readonly Strategy[]): Promise<StrategyCode[]> {
  const own = strategies.filter(({ params }) => params.program !== undefined)
  const programs = [...new Set(own.map(({ params }) => params.program!))]
  const found = await chain.programDeployments(programs)
  const byProgram = new Map(programs.map((program, index) => [program, found[index]]))
  return own.flatMap(({ id: strategyId, params }) => {
    const deployment = byProgram.get(params.program!)
    if (!deployment) return []
    const { programData, slot, authority } = deployment
    const code = { codeHash: `slot ${slot}`, implementation: programData, beacon: null, upgradeAuthority: authority }
    return [{ strategyId, contracts: [{ address: params.program!, ...code }] }]
  })
}

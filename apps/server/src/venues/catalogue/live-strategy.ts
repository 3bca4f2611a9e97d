import type { StrategySeed } from './seed-catalogue.ts'

type LiveStrategy = Pick<StrategySeed, 'key' | 'name' | 'token' | 'tokenAddress' | 'supportsGasSponsorship' | 'params'>

/** A strategy of a public chain. Its token is USDC or USDT with six decimals; the minimum deposit is one whole token. */
export const liveStrategy = (strategy: LiveStrategy): StrategySeed => ({
  ...strategy,
  tokenDecimals: 6,
  minDeposit: 1_000_000n,
  maxDeposit: null,
  status: 'active',
})

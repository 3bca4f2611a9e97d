import type { StrategySeed } from './seed-catalogue.ts'

type LiveStrategy = Pick<StrategySeed, 'key' | 'name' | 'token' | 'tokenAddress' | 'supportsGasSponsorship' | 'params'>

/** A strategy of a public chain. Its token is USDC or USDT with six decimals; the minimum deposit is one whole token. */
export const liveStrategy = ({ supportsGasSponsorship, params, ...token }: LiveStrategy): StrategySeed => ({
  ...token,
  tokenDecimals: 6,
  minDeposit: 1_000_000n,
  maxDeposit: null,
  status: 'active',
  supportsGasSponsorship,
  params,
})

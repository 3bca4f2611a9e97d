import type { StrategySeed, VenueSeed } from './seed-catalogue.ts'

/** A strategy for tests; what a test cares about it says. */
export function strategySeed(key: string, over: Partial<StrategySeed> = {}): StrategySeed {
  return {
    key,
    name: key,
    token: 'USDC',
    tokenAddress: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    tokenDecimals: 6,
    minDeposit: 1_000_000n,
    maxDeposit: null,
    status: 'active',
    supportsGasSponsorship: true,
    params: { vault: '0x794a61358D6845594F94dc1DB02A252b5b4814aD' },
    ...over,
  }
}

export function venueSeed(key: string, strategies: readonly StrategySeed[], over: Partial<VenueSeed> = {}): VenueSeed {
  return { key, name: key, protocol: 'erc4626', blockchain: 'polygon', iconUrl: null, strategies, ...over }
}

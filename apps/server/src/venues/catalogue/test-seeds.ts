import type { StrategySeed, VenueSeed } from './seed-catalogue.ts'

/** A strategy for tests; a test overrides the fields it depends on. */
export function strategySeed(key: string, overrides: Partial<StrategySeed> = {}): StrategySeed {
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
    ...overrides,
  }
}

export function venueSeed(
  key: string,
  strategies: readonly StrategySeed[],
  overrides: Partial<VenueSeed> = {},
): VenueSeed {
  return { key, name: key, protocol: 'erc4626', blockchain: 'polygon', iconUrl: null, strategies, ...overrides }
}

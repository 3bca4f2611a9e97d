import type { EvmDeployment, EvmStrategy } from '@weir/devnet'
import type { StrategySeed, VenueSeed } from './seed-catalogue.ts'

/**
 * What stands on an embedded chain, as the catalogue announces it: one venue per protocol that is there. The only
 * knowledge of the deployment's record in this room.
 */
export function seedsOf(deployment: EvmDeployment): VenueSeed[] {
  const { blockchain, strategies } = deployment
  const decimals = new Map(deployment.tokens.map((token) => [token.address, token.decimals]))
  const venue = (protocol: EvmStrategy['protocol'], name: string): VenueSeed => ({
    key: `${protocol}:${blockchain}`,
    name,
    protocol,
    blockchain,
    iconUrl: null,
    strategies: strategies
      .filter((strategy) => strategy.protocol === protocol)
      .map((strategy) => seedOf(strategy, decimals.get(strategy.tokenAddress)!)),
  })
  return [venue('aave-v3', 'Aave V3'), venue('erc4626', 'ERC-4626 Vaults')].filter((seed) => seed.strategies.length > 0)
}

function seedOf(strategy: EvmStrategy, tokenDecimals: number): StrategySeed {
  return {
    key: strategy.key,
    name: strategy.name,
    token: strategy.token,
    tokenAddress: strategy.tokenAddress,
    tokenDecimals,
    minDeposit: strategy.minDeposit,
    maxDeposit: strategy.maxDeposit,
    status: strategy.status,
    // The wallet itself calls these contracts and they ask nothing of who paid the gas.
    supportsGasSponsorship: true,
    params:
      strategy.protocol === 'aave-v3'
        ? { pool: strategy.params.pool, aToken: strategy.params.aToken }
        : { vault: strategy.params.vault },
  }
}

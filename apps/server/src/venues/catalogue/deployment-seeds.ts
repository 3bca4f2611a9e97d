import type { EvmDeployment, EvmStrategy, SolanaDeployment, SolanaStrategy } from '@weir/devnet'
import type { ProgramErrors } from '../../chains/index.ts'
import { SHARE_VAULT_ERRORS } from '../share-vault/errors.ts'
import type { StrategySeed, VenueSeed } from './seed-catalogue.ts'

/**
 * The catalogue of an embedded chain: one venue for each protocol deployed there. Nothing else in this room knows the
 * format of the deployment record.
 */
export function seedsFromDeployment(deployment: EvmDeployment | SolanaDeployment): VenueSeed[] {
  const { blockchain } = deployment
  const strategies: readonly DevStrategy[] = deployment.strategies
  const decimals = new Map<string, number>(deployment.tokens.map((token) => [token.address, token.decimals]))
  const venue = (protocol: DevStrategy['protocol'], name: string): VenueSeed => ({
    key: `${protocol}:${blockchain}`,
    name,
    protocol,
    blockchain,
    iconUrl: null,
    strategies: strategies
      .filter((strategy) => strategy.protocol === protocol)
      .map((strategy) => strategySeedFrom(strategy, decimals.get(strategy.tokenAddress)!)),
  })
  return [
    venue('aave-v3', 'Aave V3'),
    venue('erc4626', 'ERC-4626 Vaults'),
    venue('erc7540', 'ERC-7540 Vaults'),
    venue('cooldown-vault', 'Cooldown Vaults'),
    venue('compound-v3', 'Compound V3'),
    venue('share-vault', 'Share Vaults'),
  ].filter((seed) => seed.strategies.length > 0)
}

type DevStrategy = EvmStrategy | SolanaStrategy

function strategySeedFrom(strategy: DevStrategy, tokenDecimals: number): StrategySeed {
  return {
    key: strategy.key,
    name: strategy.name,
    token: strategy.token,
    tokenAddress: strategy.tokenAddress,
    tokenDecimals,
    minDeposit: strategy.minDeposit,
    maxDeposit: strategy.maxDeposit,
    status: strategy.status,
    // On EVM chains the wallet itself calls these contracts, and they do not care who paid the gas; on Solana the
    // wallet pays, because the fee payer is part of the bytes that it signs.
    supportsGasSponsorship: strategy.protocol !== 'share-vault',
    params: paramsOf(strategy),
  }
}

function paramsOf({ protocol, params }: DevStrategy): Record<string, string> {
  switch (protocol) {
    case 'aave-v3':
      return { pool: params.pool, aToken: params.aToken }
    case 'compound-v3':
      return { ...params }
    case 'erc4626': {
      const { vault, limits, rate, lendsTo, rateBasisPoints } = params
      // A vault with a fixed rate keeps its tokens; the savings vault mints what it owes, and its token has 6 decimals.
      const kept = lendsTo === null && rateBasisPoints !== null ? 'held' : undefined
      const cash = params.cash ?? (rate === 'ssr' ? 'minted' : kept)
      return { vault, ...(limits && { limits }), ...(rate && { rate }), ...(cash && { cash }) }
    }
    case 'erc7540':
      return { vault: params.vault }
    case 'cooldown-vault':
      return { vault: params.vault, escrow: params.escrow }
    case 'share-vault':
      return {
        program: params.program,
        vault: params.vault,
        shareMint: params.shareMint,
        liquidity: params.liquidity,
      }
  }
}

/** Descriptions of the numeric errors of the programs on an embedded Solana chain. */
export function programErrorsOf({ strategies }: SolanaDeployment): ProgramErrors {
  return new Map(strategies.map(({ params }) => [params.program as string, SHARE_VAULT_ERRORS]))
}

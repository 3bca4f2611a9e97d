import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readArtifact } from './artifacts.ts'
import { CHAIN_DESIGNS, EVM_BLOCKCHAINS } from './chains.ts'
import { DEPLOYMENT_VERSION, planDeployment } from './plan-deployment.ts'

test('planning a chain is deterministic', () => {
  for (const blockchain of EVM_BLOCKCHAINS) {
    const [first, second] = [planDeployment(CHAIN_DESIGNS[blockchain]), planDeployment(CHAIN_DESIGNS[blockchain])]
    expect(second.tokens).toEqual(first.tokens)
    expect(second.strategies).toEqual(first.strategies)
  }
})

test('no two chains share an address', () => {
  const addresses = EVM_BLOCKCHAINS.flatMap((blockchain) => {
    const plan = planDeployment(CHAIN_DESIGNS[blockchain])
    const roles = Object.values(plan.accounts).map((account) => account.address)
    return [plan.provider, ...roles, ...plan.tokens.map((token) => token.address)]
  })
  expect(new Set(addresses).size).toBe(addresses.length)
})

test('the seeded strategies have the bounds that the sandbox promises', () => {
  const strategies = EVM_BLOCKCHAINS.flatMap((blockchain) => planDeployment(CHAIN_DESIGNS[blockchain]).strategies)
  expect(strategies.map(({ key, minDeposit, maxDeposit, status }) => [key, minDeposit, maxDeposit, status])).toEqual([
    ['aave-v3:ethereum:USDC', 1_000_000n, null, 'active'],
    ['aave-v3:ethereum:USDT', 1_000_000n, null, 'active'],
    ['erc4626:ethereum:USDC', 1_000_000n, null, 'active'],
    ['erc4626:ethereum:USDT', 1_000_000n, null, 'active'],
    ['aave-v3:polygon:USDC', 1_000_000n, null, 'active'],
    ['aave-v3:polygon:USDT', 1_000_000n, null, 'active'],
    ['erc4626:polygon:USDC', 1_000_000n, null, 'active'],
    ['erc4626:polygon:USDT', 1_000_000n, null, 'active'],
    ['erc4626:polygon:USDC:capped', 2_000_000n, 100_000_000_000n, 'active'],
    ['erc4626:polygon:USDC:paused', 1_000_000n, null, 'paused'],
    ['aave-v3:base:USDC', 1_000_000n, null, 'active'],
    ['erc4626:base:USDC', 1_000_000n, null, 'active'],
  ])
})

test('a change of the deployment requires a new deployment version', () => {
  const fingerprint = createHash('sha256')
  for (const blockchain of EVM_BLOCKCHAINS) {
    for (const step of planDeployment(CHAIN_DESIGNS[blockchain]).steps) fingerprint.update(step.data(readArtifact))
  }
  // When this fails: raise DEPLOYMENT_VERSION and update both values here. Saved chains are then replaced.
  expect([DEPLOYMENT_VERSION, fingerprint.digest('hex').slice(0, 16)]).toEqual([
    'Weir development market 1',
    '48835a2d37193b99',
  ])
})

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readArtifact } from './artifacts.ts'
import { CHAIN_DESIGNS, EVM_BLOCKCHAINS } from './chains.ts'
import type { Step } from './plan-builder.ts'
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
    ['erc4626:polygon:USDC:lending-aave', 1_000_000n, null, 'active'],
    ['erc4626:polygon:USDC:lending-markets', 1_000_000n, null, 'active'],
    ['erc4626:polygon:USDC:v2', 1_000_000n, null, 'active'],
    ['erc4626:polygon:USDC:upgradeable', 1_000_000n, null, 'active'],
    ['erc7540:polygon:USDC', 1_000_000n, null, 'active'],
    ['cooldown-vault:polygon:USDC', 1_000_000n, null, 'active'],
    ['compound-v3:polygon:USDC', 1_000_000n, null, 'active'],
    ['erc4626:polygon:USDC:savings', 1_000_000n, null, 'active'],
    ['erc4626:polygon:USDC:credit', 1_000_000n, null, 'active'],
    ['erc4626:polygon:USDC:fluid', 1_000_000n, null, 'active'],
    ['aave-v3:base:USDC', 1_000_000n, null, 'active'],
    ['erc4626:base:USDC', 1_000_000n, null, 'active'],
  ])
})

function fingerprintOf(isIncluded: (step: Step) => boolean, of = EVM_BLOCKCHAINS): string {
  const fingerprint = createHash('sha256')
  for (const blockchain of of) {
    const steps = planDeployment(CHAIN_DESIGNS[blockchain]).steps.filter(isIncluded)
    for (const step of steps) fingerprint.update(step.data(readArtifact))
  }
  return fingerprint.digest('hex').slice(0, 16)
}

test('a change of what the founders deploy requires a new deployment version', () => {
  // When this fails: raise DEPLOYMENT_VERSION and update both values here. Saved chains are then replaced.
  expect([DEPLOYMENT_VERSION, fingerprintOf(({ role }) => role !== 'curator')]).toEqual([
    'Weir development market 1',
    '48835a2d37193b99',
  ])
})

test('additions are appended to those of earlier releases', () => {
  // When this fails: a step that saved chains have performed was changed. Append steps, and add a line for them here.
  const added = (from: number, to: number) => (step: Step) =>
    step.role === 'curator' && step.nonce >= from && step.nonce < to
  expect(fingerprintOf(added(0, 22), ['polygon'])).toBe('0c6c7129466db1b1')
  expect(fingerprintOf(added(22, 30), ['polygon'])).toBe('c6d15a5c5b0d0c39')
  // An exception (ADR 181): a market on a chain that 0.2.0 made tracks no rewards.
  expect(fingerprintOf(added(30, 38), ['polygon'])).toBe('074687a179c19845')
  expect(fingerprintOf(added(38, 42), ['polygon'])).toBe('810fc90691b16f10')
  expect(fingerprintOf(added(42, 47), ['polygon'])).toBe('f1994dee3d71aab7')
  expect(fingerprintOf(added(47, 54), ['polygon'])).toBe('d0b1bade9903dff1')
  // Another one (ADR 145): the layer of Fluid's kind on such a chain has one code, and does not name it.
  expect(fingerprintOf(added(54, 59), ['polygon'])).toBe('f0416e3adefc1e10')
  expect(fingerprintOf(added(0, 2), ['ethereum', 'base'])).toBe('b57d313df136b1ee')
})

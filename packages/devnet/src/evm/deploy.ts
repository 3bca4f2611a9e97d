import { decodeFunctionResult, encodeFunctionData, type Hex, numberToHex, parseAbi } from 'viem'
import { FOUNDERS, type Role } from './accounts.ts'
import { type Artifact, readArtifact } from './artifacts.ts'
import { MULTICALL3 } from './multicall3.ts'
import type { Step } from './plan-builder.ts'
import { DEPLOYMENT_VERSION, type DeploymentPlan } from './plan-deployment.ts'
import type { Rpc, RpcCall } from './rpc.ts'

/** Native balance of each role, for gas and for the treasury to give away: one billion coins. */
const ROLE_BALANCE = numberToHex(10n ** 27n)

/** Who sends the steps of a deployment. */
const SENDERS: readonly Role[] = [...FOUNDERS, 'curator']

const GRANTED = numberToHex(1, { size: 32 })

/** More than any step uses (contract size bounds it), and below the block gas limit. */
const STEP_GAS = numberToHex(16_000_000)

const MARKET_NAME = parseAbi(['function getMarketId() view returns (string)'])

/**
 * Sends the steps of the plan that are missing on the chain: all on a new chain, none on a complete one, the rest if
 * an earlier start was interrupted or an earlier release made the chain. Returns the number of steps sent.
 * Throws when a step fails, which means that the chain does not match this plan.
 */
export async function deployMissing(rpc: Rpc, plan: DeploymentPlan): Promise<number> {
  const addresses = SENDERS.map((role) => plan.accounts[role].address)
  const counts = await rpc.batch(addresses.map((address) => ['eth_getTransactionCount', address, 'latest']))
  const sent = new Map<Role, number>(SENDERS.map((role, index) => [role, Number(counts[index])]))
  const missing = plan.steps.filter((step) => step.nonce >= (sent.get(step.role) ?? 0))
  const artifact = artifactsOnce()
  if (missing.length > 0) {
    await rpc.batch([
      ['evm_setAutomine', false],
      ['anvil_setCode', MULTICALL3, artifact('weir/Multicall3').deployedBytecode],
      ...addresses.flatMap((address): RpcCall[] => [
        ['anvil_setBalance', address, ROLE_BALANCE],
        ['anvil_impersonateAccount', address],
      ]),
    ])
  }
  const [added, founding] = [missing.filter(({ role }) => role === 'curator'), missing.filter(isFounding)]
  for (const run of runsOfOneRole(founding)) await sendRun(rpc, plan, run, artifact)
  await rpc.batch([
    ['anvil_setBalance', plan.accounts.governor.address, ROLE_BALANCE],
    ...plan.grants.map(({ contract, slot }): RpcCall => ['anvil_setStorageAt', contract, slot, GRANTED]),
  ])
  if (added.length > 0) await sendRun(rpc, plan, added, artifact)
  if (missing.length > 0) {
    await rpc.batch([
      ['evm_setAutomine', true],
      ...addresses.map((address): RpcCall => ['anvil_stopImpersonatingAccount', address]),
    ])
  }
  return missing.length
}

const isFounding = ({ role }: Step): boolean => role !== 'curator'

/** Whether this plan's market and Multicall3 are deployed. */
export async function isDeployed(rpc: Rpc, plan: DeploymentPlan): Promise<boolean> {
  const [name, code] = await rpc.batch([
    ['eth_call', { to: plan.provider, data: encodeFunctionData({ abi: MARKET_NAME }) }, 'latest'],
    ['eth_getCode', MULTICALL3, 'latest'],
  ])
  if (name === '0x' || code === '0x') return false
  return decodeFunctionResult({ abi: MARKET_NAME, data: name as Hex }) === DEPLOYMENT_VERSION
}

/**
 * Sends one role's steps in one request: their nonces order them. Then reads the receipts, again in one
 * request.
 */
async function sendRun(
  rpc: Rpc,
  plan: DeploymentPlan,
  steps: readonly Step[],
  artifact: (path: string) => Artifact,
): Promise<void> {
  const hashes = await rpc.batch(
    steps.map((step) => [
      'eth_sendTransaction',
      {
        from: plan.accounts[step.role].address,
        nonce: numberToHex(step.nonce),
        gas: STEP_GAS,
        data: step.data(artifact),
        ...(step.to === null ? {} : { to: step.to }),
      },
    ]),
  )
  await mineUntil(rpc, plan, steps)
  const receipts = await rpc.batch(hashes.map((hash) => ['eth_getTransactionReceipt', hash]))
  steps.forEach((step, index) => {
    const receipt = receipts[index] as { readonly status: Hex } | null
    if (receipt?.status !== '0x1') throw new Error(`Deployment step failed: ${step.label}`)
  })
}

/** Mines until the last of one role's steps is in a block; each block takes as many as its gas allows. */
async function mineUntil(rpc: Rpc, plan: DeploymentPlan, steps: readonly Step[]): Promise<void> {
  const last = steps.at(-1)
  if (last === undefined) return
  const { address } = plan.accounts[last.role]
  for (let block = 0; block < steps.length; block++) {
    await rpc.call('evm_mine')
    const count = await rpc.call<Hex>('eth_getTransactionCount', [address, 'latest'])
    if (Number(count) > last.nonce) return
  }
  throw new Error(`The chain does not take deployment step: ${last.label}`)
}

function runsOfOneRole(steps: readonly Step[]): Step[][] {
  const runs: Step[][] = []
  for (const step of steps) {
    const last = runs.at(-1)
    if (last?.[0]?.role === step.role) last.push(step)
    else runs.push([step])
  }
  return runs
}

/** Caches artifacts for one deployment. */
function artifactsOnce(): (path: string) => Artifact {
  const known = new Map<string, Artifact>()
  return (path) => {
    const artifact = known.get(path) ?? readArtifact(path)
    known.set(path, artifact)
    return artifact
  }
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EvmChain as EmbeddedChain, startEvmChain } from '@weir/devnet'
import { encodeFunctionData, erc20Abi, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { silentLog, systemClock } from '../../kernel/index.ts'
import { createEvmChain } from '../evm/create-evm-chain.ts'
import { account, landed, signed } from '../evm/test-node.ts'
import type { EvmCall } from '../port/calls.ts'
import type { EvmChain } from '../port/families.ts'
import { createDevChain, type DevChain } from './create-dev-chain.ts'
import { networkFromDeployment } from './network-from-deployment.ts'
import { signPayment } from './treasury.ts'

let directory: string
let embedded: EmbeddedChain
let dev: DevChain
let chain: EvmChain
let requests = 0
const wallet = account(1)

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'weir-chains-'))
  embedded = await startEvmChain({ blockchain: 'base', dataDir: directory, heartbeatSeconds: 0 })
  dev = createDevChain({
    url: embedded.url,
    isRegistered: async (address) => address === wallet.address,
    log: silentLog,
  })
  chain = createEvmChain({
    network: networkFromDeployment(embedded.deployment),
    rpcUrls: [embedded.url],
    log: silentLog,
    clock: systemClock,
    fault: dev.fault,
    onRequest: () => requests++,
  })
}, 60_000)

afterAll(async () => {
  await dev?.close()
  await embedded?.stop()
  await rm(directory, { recursive: true, force: true })
})

async function pay(token: string, amount: bigint): Promise<void> {
  const { treasury, chainId } = embedded.deployment
  const { nonces, maxFeePerGas, maxPriorityFeePerGas } = await chain.senderState(treasury.address)
  const slot = { key: treasury.privateKey, chainId, nonce: nonces.pending, maxFeePerGas, maxPriorityFeePerGas }
  const { raw, hash } = await signPayment(slot, { token, to: wallet.address, amount })
  await chain.broadcast(raw)
  expect((await landed(chain, hash)).succeeded).toBe(true)
}

test('on the embedded chain a supply to a real pool is planned in one HTTP call, fails under a fault, and then succeeds', async () => {
  const [usdc] = chain.network.tokens
  const strategy = embedded.deployment.strategies.find(({ protocol }) => protocol === 'aave-v3')
  if (!usdc || strategy?.protocol !== 'aave-v3') throw new Error('the embedded chain has no pool')
  const { pool, aToken } = strategy.params
  await pay('native', 10n ** 18n)
  await pay(usdc.address, 5_000_000n)

  const token = usdc.address as Hex
  const approve: EvmCall = {
    family: 'evm',
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [pool, 5_000_000n] }),
    value: 0n,
  }
  const supply: EvmCall = {
    family: 'evm',
    to: pool,
    data: encodeFunctionData({
      abi: parseAbi(['function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)']),
      args: [token, 5_000_000n, wallet.address, 0],
    }),
    value: 0n,
  }
  const queries = [usdc.address, aToken].map((held) => ({ owner: wallet.address, token: held }))

  requests = 0
  const [simulation, facts, balances] = await Promise.all([
    chain.simulate(wallet.address, [approve, supply]),
    chain.senderState(wallet.address),
    chain.balances(queries),
  ])
  expect(requests).toBe(1)
  expect(balances).toEqual([5_000_000n, 0n])
  expect(await chain.simulate(wallet.address, [supply])).toMatchObject({ ok: false, index: 0 })
  if (!simulation.ok) throw new Error(simulation.reason)
  expect(chain.networkFee(simulation.gas, facts)).toBeLessThan(facts.native)

  const send = async (call: EvmCall, gas: bigint | undefined) => {
    const { raw, hash } = await signed(chain, 1, call, { gas: gas ?? 0n })
    expect(await chain.broadcast(raw)).toEqual({ outcome: 'accepted' })
    return landed(chain, hash)
  }
  expect((await send(approve, simulation.gas[0])).succeeded).toBe(true)
  dev.setFault('revert_next', 1)
  const struck = await send(supply, simulation.gas[1])
  expect(struck.succeeded).toBe(false)
  expect(await chain.revertReason(struck)).toBe('sandbox: revert_next')
  expect(await chain.balances(queries, struck.blockNumber)).toEqual([5_000_000n, 0n])
  expect((await send(supply, simulation.gas[1])).succeeded).toBe(true)
  const [left, supplied] = await chain.balances(queries)
  expect(left).toBe(0n)
  // The pool counts in shares and may round by one unit.
  expect(supplied).toBeGreaterThanOrEqual(4_999_999n)

  await dev.increaseTime(30 * 86_400)
  const [, grown] = await chain.balances(queries)
  expect(grown).toBeGreaterThan(5_000_000n)
})
